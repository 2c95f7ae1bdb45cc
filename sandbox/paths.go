package sandbox

import (
	"debug/elf"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// This file lists the paths of compilers and libraries.

// libraryDirs has the directories of libraries, by the file system hierarchy.
var libraryDirs = []string{
	"/lib", "/lib32", "/lib64", "/libx32",
	"/usr/lib", "/usr/lib32", "/usr/lib64", "/usr/libx32",
}

// Libraries returns the files that a program needs which is linked with shared libraries of the
// system.
func Libraries() []string {
	return append(slices.Clone(libraryDirs), "/etc/ld.so.cache")
}

// ToolChain returns the files that the compiler at this path, and the programs that it starts, read
// and execute: programs, libraries, headers of the C library.
func ToolChain(compiler string) (read, execute []string) {
	execute = append(slices.Clone(libraryDirs), "/usr/libexec", "/usr/bin", "/bin")
	// Cross compilers have directories that are named after their targets.
	for _, pattern := range []string{"/usr/*-linux-*", "/usr/*-elf"} {
		found, _ := filepath.Glob(pattern)
		execute = append(execute, found...)
	}
	read = []string{"/usr/include", "/usr/local/include", "/usr/share/gcc", "/etc/ld.so.cache", "/etc/alternatives"}
	// A compiler elsewhere has its directories next to it: prefix/bin, prefix/lib.
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

// isAbove reports whether the home directory is dir or in it; then dir has more in it than a
// compiler.
func isAbove(dir string) bool {
	home, err := os.UserHomeDir()
	return err != nil || home == dir || strings.HasPrefix(home, dir+"/")
}

// interpreter returns the dynamic linker that the program at path asks for, "" if none.
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
