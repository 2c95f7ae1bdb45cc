package sandbox

import (
	"context"
	"os"
	"unsafe"

	ll "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// This file finds out which confinement the kernel offers.

// leastLandlock is the version of Landlock that controls truncation: before, a file that may be
// read may also be emptied.
const leastLandlock = 3

// Find returns the best confinement that the kernel offers, or ErrUnavailable.
func Find() (*Confinement, error) {
	for _, c := range []*Confinement{{kind: byLandlock}, {kind: byNamespaces}} {
		if c.works() {
			return c, nil
		}
	}
	return None(), ErrUnavailable
}

// works reports whether the kernel offers c.
func (c *Confinement) works() bool {
	if !hasSeccomp() {
		return false
	}
	switch c.kind {
	case byLandlock:
		v, err := ll.LandlockGetABIVersion()
		return err == nil && v >= leastLandlock
	case byNamespaces:
		// Distributions allow user namespaces and then refuse what they are for, each in its own
		// way. So make one.
		dir, err := os.MkdirTemp("", "c2bp-sandbox-")
		if err != nil {
			return false
		}
		defer os.RemoveAll(dir)
		_, err = c.Run(context.Background(), Command{Path: probe, Dir: dir, Write: []string{dir}})
		return err == nil
	}
	return false
}

// hasSeccomp reports whether the kernel has filters that kill a process.
func hasSeccomp() bool {
	action := uint32(unix.SECCOMP_RET_KILL_PROCESS)
	_, _, e := unix.Syscall(unix.SYS_SECCOMP, unix.SECCOMP_GET_ACTION_AVAIL, 0, uintptr(unsafe.Pointer(&action)))
	return e == 0 && native != nil
}
