package sandbox

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file knows where compilers and libraries are.

// libraryDirs are the directories of libraries, by the file system hierarchy.
var libraryDirs = []string{
	"/lib", "/lib32", "/lib64", "/libx32",
	"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",
}

// Libraries is what a program needs that is linked with the shared libraries of the system.
func Libraries() []string {
	return append(slices.Clone(libraryDirs), "/etc/ld.so.cache")
}

// ToolChain is what a compiler reads and executes, and whatever it starts: programs,
// libraries, headers of the C library. compiler is its path.
func ToolChain(compiler string) (read, execute []string) {
	execute = append(slices.Clone(libraryDirs), "/usr/libexec", "/usr/bin", "/bin")
	// Cross compilers have directories named after their target.
	for _, pattern := range []string{"/usr/*-linux-*", "/usr/*-elf"} {
		found, _ := filepath.Glob(pattern)
		execute = append(execute, found...)
	}
	read = []string{"/usr/include", "/usr/local/include", "/usr/share/gcc", "/etc/ld.so.cache", "/etc/alternatives"}
	// A compiler elsewhere has its directories beside it: prefix/bin, prefix/lib.
	if real, err := filepath.EvalSymlinks(compiler); err == nil {
		dir := filepath.Dir(real)
		if filepath.Base(dir) == "bin" {
			dir = filepath.Dir(dir)
		}
		if dir != "/usr" && dir != "/" && !isAbove(dir) {
			execute = append(execute, dir)
		}
	}
	return read, execute
}

// isAbove reports whether the home directory is dir or in it, so that dir is no place for
// a compiler alone.
func isAbove(dir string) bool {
	home, err := os.UserHomeDir()
	return err != nil || home == dir || strings.HasPrefix(home, dir+"/")
}

// interpreter is the dynamic linker that the program at path asks for, "" if none.
func interpreter(path string) string {
	f, err := elf.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP && p.Filesz < 4096 {
			name := make([]byte, p.Filesz)
			if _, err := p.ReadAt(name, 0); err == nil {
				return strings.TrimRight(string(name), "\x00")
			}
		}
	}
	return ""
}
