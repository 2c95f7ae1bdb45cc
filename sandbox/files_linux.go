package sandbox

import (
	"os"

	"github.com/landlock-lsm/go-landlock/landlock"
	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
)

// This file confines files by Landlock.

// Rights to a file, and to a directory and its contents.
const (
	readFile  = ll.AccessFSReadFile
	readDir   = readFile | ll.AccessFSReadDir
	execute   = ll.AccessFSExecute
	writeFile = ll.AccessFSWriteFile | ll.AccessFSTruncate
	writeDir  = writeFile | ll.AccessFSMakeReg | ll.AccessFSMakeDir | ll.AccessFSMakeSym | ll.AccessFSRemoveFile | ll.AccessFSRemoveDir
)

// confineFiles restricts the process to the files of the order. From newer versions of Landlock it
// takes the restrictions that the kernel has: connections, devices, signals.
func (o order) confineFiles() error {
	var rules []landlock.Rule
	// A rule for each path that exists, with the rights of its kind.
	allow := func(file, dir landlock.AccessFSSet, paths ...string) {
		for _, p := range paths {
			info, err := os.Stat(p)
			if err != nil {
				continue // a rule fewer is a right less
			}
			rights := file
			if info.IsDir() {
				rights = dir
			}
			rules = append(rules, landlock.PathAccess(rights, p))
		}
	}
	allow(readFile, readDir, o.Read...)
	allow(readFile|execute, readDir|execute, o.Execute...)
	allow(readFile|execute, 0, o.Path, interpreter(o.Path))
	allow(readFile|writeFile, readDir|writeDir, o.Write...)
	allow(readFile|writeFile, 0, os.DevNull)
	return landlock.V11.BestEffort().Restrict(rules...) // all that Landlock can restrict
}
