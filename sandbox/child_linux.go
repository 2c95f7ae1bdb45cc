package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// This file is the child: it restricts its own process and then executes the command in its place.

// report is the descriptor over which the child reports errors.
const report = 3

// init becomes the command if this process was started for that, before anything else of the program
// runs.
func init() {
	if len(os.Args) == 2 && os.Args[0] == marker {
		become(os.Args[1])
	}
}

// become executes the command of an order, given as JSON. It does not return.
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

// execute takes the steps in order. The later ones must not need what the earlier ones take away:
// mounting needs capabilities, rules need files to be opened, and a filter of system calls prevents
// most of this.
func (o order) execute() error {
	// 1. No descriptors but standard input, output and error.
	if err := closeDescriptors(); err != nil {
		return fmt.Errorf("descriptors: %w", err)
	}
	// 2. A root of its own, as long as there are capabilities.
	if o.Kind == byNamespaces {
		if err := o.makeRoot(); err != nil {
			return fmt.Errorf("a root of its own: %w", err)
		}
	}
	// 3. No capabilities, and none gained by executing a file.
	if err := dropPrivileges(); err != nil {
		return fmt.Errorf("capabilities: %w", err)
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("no_new_privs: %w", err)
	}
	// 4. The directory, which rules for files may hide.
	if err := unix.Chdir(o.Dir); err != nil {
		return fmt.Errorf("directory %s: %w", o.Dir, err)
	}
	// 5. Rules for files, then limits, filter and execution.
	if o.Kind == byLandlock {
		if err := o.confineFiles(); err != nil {
			return fmt.Errorf("files: %w", err)
		}
	}
	return o.finish()
}

// finish sets the limits and the filter, and executes the command. After the first limit, only
// system calls are made, and no memory is allocated.
func (o order) finish() error {
	// 1. All memory that is needed.
	path, err := unix.BytePtrFromString(o.Path)
	if err != nil {
		return err
	}
	argv, err := syscall.SlicePtrFromStrings(append([]string{o.Path}, o.Args...))
	if err != nil {
		return err
	}
	envp, err := syscall.SlicePtrFromStrings(o.Env)
	if err != nil {
		return err
	}
	filter, err := assemble(o.rules(uint64(uintptr(unsafe.Pointer(path))), uint32(os.Getpid())).filter(o.Bits32))
	if err != nil {
		return fmt.Errorf("seccomp: %w", err)
	}
	program := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	// 2. Limits.
	for _, l := range o.rlimits() {
		if err := unix.Setrlimit(l.resource, &unix.Rlimit{Cur: l.value, Max: l.value}); err != nil {
			return fmt.Errorf("limit %d: %w", l.resource, err)
		}
	}
	// 3. The filter.
	_, _, e := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, 0, uintptr(unsafe.Pointer(&program)))
	if e != 0 {
		return fmt.Errorf("seccomp: %w", e)
	}
	if o.Path == probe {
		return nil
	}
	// 4. The command. If this returns, it was not executed.
	_, _, e = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(path)),
		uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envp[0])))
	return errors.New(notExecuted + e.Error())
}

// closeDescriptors makes all descriptors close when the command is executed, except those of
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

// rlimit is a limit of setrlimit(2).
type rlimit struct {
	resource int
	value    uint64
}

// rlimits returns the limits of each process of the command.
func (o order) rlimits() []rlimit {
	seconds := uint64(o.Limits.Time.Seconds()) + 2 // the clock comes first
	return []rlimit{
		{unix.RLIMIT_CORE, 0},
		{unix.RLIMIT_NOFILE, 64},
		{unix.RLIMIT_CPU, seconds},
		{unix.RLIMIT_FSIZE, uint64(o.Limits.File)},
		{unix.RLIMIT_AS, uint64(o.Limits.Memory)}, // last: this process may have more already
	}
}

// dropPrivileges gives up all capabilities, so that a process of root has no more rights than root
// has as the owner of files. With no_new_privs, executing a file does not restore them.
func dropPrivileges() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	return unix.Capset(&header, &none[0])
}
