package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file is the child: it restricts its own process and executes the command in its
// place.

// report is the descriptor over which it says what went wrong.
const report = 3

func init() {
	if len(os.Args) == 2 && os.Args[0] == marker {
		become(os.Args[1])
	}
}

// become executes the command of the order that text is. It does not return.
func become(text string) {
	runtime.LockOSThread() // some restrictions hold for a thread
	err := func() error {
		var o order
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			return err
		}
		return o.execute()
	}()
	if err != nil {
		_, _ = unix.Write(report, []byte(err.Error()))
		os.Exit(1)
	}
	os.Exit(0)
}

// execute does the steps one after another. The later ones need what the earlier ones
// have not taken away yet: mounting needs capabilities, rules need files to be opened, and
// a filter of system calls is in the way of everything.
func (o order) execute() error {
	if !o.Without.Descriptors {
		if err := closeDescriptors(); err != nil {
			return fmt.Errorf("descriptors: %w", err)
		}
	}
	if o.Kind == byNamespaces && !o.Without.Files {
		if err := o.makeRoot(); err != nil {
			return fmt.Errorf("a root of its own: %w", err)
		}
	}
	if !o.Without.Privileges {
		if err := dropPrivileges(); err != nil {
			return fmt.Errorf("capabilities: %w", err)
		}
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	if err := unix.Chdir(o.Dir); err != nil {
		return fmt.Errorf("directory %s: %w", o.Dir, err)
	}
	if o.Kind == byLandlock {
		if err := o.confineFiles(); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return o.finish()
}

// finish sets the limits and the filter, and executes the command. In between only system
// calls are made, and no memory is asked for.
func (o order) finish() error {
	env := o.Env
	if o.Without.Environment {
		env = append(slices.Clone(env), os.Environ()...)
	}
	path, err := unix.BytePtrFromString(o.Path)
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(append([]string{o.Path}, o.Args...))
	if err != nil {
		return err
	}
	envp, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return err
	}
	filter, err := assemble(o.rules(uint64(uintptr(unsafe.Pointer(path))), uint32(os.Getpid())).filter(o.Bits32))
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	for _, l := range o.rlimits() {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("limit %d: %w", l.resource, err)
		}
	}
	_, _, e := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if e != 0 {
		return fmt.Errorf("seccomp: %w", e)
	}
	if o.Path == probe {
		return nil
	}
	_, _, e = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)),
		uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envp[0])))
	return errors.New(notExecuted + e.Error())
}

// closeDescriptors has all descriptors closed when the command is executed but those of
// standard input, output and error.
func closeDescriptors() error {
	err := unix.CloseRange(report, ^uint(0), unix.CLOSE_RANGE_CLOEXEC)
	if err == nil || !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	var limit unix.Rlimit // kernels before 5.11
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &limit); err != nil {
		return err
	}
	for fd := report; uint64(fd) < limit.Max && fd < 1<<20; fd++ {
		unix.CloseOnExec(fd)
	}
	return nil
}

type rlimit struct {
	resource int
	value    uint64
}

// rlimits are the limits of each process of the command.
func (o order) rlimits() []rlimit {
	seconds := uint64(o.Limits.Time.Seconds()) + 2 // the clock comes first
	list := []rlimit{{unix.RLIMIT_CORE, 0}, {unix.RLIMIT_NOFILE, 64}}
	if !o.Without.Time {
		list = append(list, rlimit{unix.RLIMIT_CPU, seconds})
	}
	if !o.Without.Disk {
		list = append(list, rlimit{unix.RLIMIT_FSIZE, uint64(o.Limits.File)})
	}
	if !o.Without.Memory { // last: this process may have more already
		list = append(list, rlimit{unix.RLIMIT_AS, uint64(o.Limits.Memory)})
	}
	return list
}

// dropPrivileges gives up all capabilities, so that a process of root's has no more rights
// than root has as the owner of files. With no_new_privs no execution gives them back.
func dropPrivileges() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}
