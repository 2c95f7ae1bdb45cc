package sandbox

import (
	"errors"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// This file confines files by a mount namespace: the process gets a root directory that contains
// only the files that it may see.

// makeRoot makes the root and changes to it. The mounts vanish with the process.
func (o order) makeRoot() error {
	// 1. Mounts here do not propagate.
	if err := unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return err
	}
	// 2. An empty root, and the files in it; those that may be written are mounted last, over
	// others.
	if err := unix.Mount("tmpfs", o.Root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=1m,mode=755"); err != nil {
		return err
	}
	see := append([]string{o.Path, interpreter(o.Path)}, o.Read...)
	for _, p := range append(see, o.Execute...) {
		if err := o.bind(p, true); err != nil {
			return err
		}
	}
	if err := makePlace(filepath.Join(o.Root, o.Dir), true); err != nil {
		return err
	}
	for _, p := range append([]string{os.DevNull}, o.Write...) {
		if err := o.bind(p, false); err != nil {
			return err
		}
	}
	// 3. Mount the old root over the new one, then unmount it.
	if err := unix.Chdir(o.Root); err != nil {
		return err
	}
	if err := unix.PivotRoot(".", "."); err != nil {
		return err
	}
	if err := unix.Unmount(".", unix.MNT_DETACH); err != nil {
		return err
	}
	// 4. The root itself is not writable.
	if err := unix.Mount("", "/", "", unix.MS_REMOUNT|unix.MS_RDONLY|unix.MS_NOSUID|unix.MS_NODEV, "size=1m"); err != nil {
		return err
	}
	return unix.Chdir("/")
}

// bind mounts path at the same path in the new root, even if that is inside of another mount. A
// path that does not exist is ignored.
func (o order) bind(path string, readOnly bool) error {
	real, err := filepath.EvalSymlinks(path)
	if err != nil || path == "" {
		return nil
	}
	info, err := os.Stat(real)
	if err != nil {
		return err
	}
	at := filepath.Join(o.Root, path)
	if err := makePlace(at, info.IsDir()); err != nil {
		return err
	}
	if err := unix.Mount(real, at, "", unix.MS_BIND, ""); err != nil {
		return err
	}
	// A bind mount takes its flags in a second call.
	flags := uintptr(unix.MS_BIND | unix.MS_REMOUNT | unix.MS_NOSUID)
	if readOnly {
		flags |= unix.MS_RDONLY
	}
	return unix.Mount("", at, "", flags|lockedFlags(real), "")
}

// makePlace makes a file or directory to mount on, unless there is one.
func makePlace(at string, dir bool) error {
	if _, err := os.Stat(at); err == nil {
		return nil
	}
	if dir {
		return os.MkdirAll(at, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	f, err := os.OpenFile(at, os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// lockedFlags returns the flags of the mount of path that a user namespace must keep.
func lockedFlags(path string) (flags uintptr) {
	var s unix.Statfs_t
	if unix.Statfs(path, &s) != nil {
		return 0
	}
	for st, ms := range map[int64]uintptr{
		unix.ST_NODEV: unix.MS_NODEV, unix.ST_NOEXEC: unix.MS_NOEXEC, unix.ST_RDONLY: unix.MS_RDONLY,
		unix.ST_NOATIME: unix.MS_NOATIME, unix.ST_NODIRATIME: unix.MS_NODIRATIME, unix.ST_RELATIME: unix.MS_RELATIME,
	} {
		if int64(s.Flags)&st != 0 {
			flags |= ms
		}
	}
	return flags
}
