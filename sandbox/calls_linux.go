package sandbox

// This file lists the system calls that a command may make. Names that an architecture does not
// have are ignored for it.

// ordinary has the calls of a process that reads, writes, computes and waits. Which files it reads
// and writes is decided elsewhere. Not in the list: calls that change the owner, mode or times of a
// file (Landlock does not control that), locks, memory that RLIMIT_AS does not count (memfd_create,
// shmget), and timers and descriptors that signal to other processes.
var ordinary = []string{
	"access", "alarm", "arch_prctl", "brk", "chdir", "clock_getres", "clock_getres_time64", "clock_gettime",
	"clock_gettime64", "clock_nanosleep", "clock_nanosleep_time64", "close", "creat", "dup", "dup2", "dup3",
	"exit", "exit_group", "faccessat", "faccessat2", "fadvise64", "fadvise64_64", "fchdir", "fdatasync",
	"fstat", "fstat64", "fstatat64", "fsync", "ftruncate", "ftruncate64", "futex", "futex_time64",
	"get_robust_list", "get_thread_area", "getcpu", "getcwd", "getdents", "getdents64", "getegid", "getegid32",
	"geteuid", "geteuid32", "getgid", "getgid32", "getgroups", "getgroups32", "getitimer", "getpgid", "getpgrp",
	"getpid", "getppid", "getrandom", "getresgid", "getresuid", "getrlimit", "getrusage", "getsid", "gettid",
	"gettimeofday", "getuid", "getuid32", "_llseek", "lseek", "lstat", "lstat64", "madvise", "mkdir", "mkdirat",
	"mmap", "mmap2", "mprotect", "mremap", "msync", "munmap", "nanosleep", "newfstatat", "open", "openat",
	"pause", "pipe", "pipe2", "poll", "ppoll", "ppoll_time64", "pread64", "preadv", "pselect6",
	"pselect6_time64", "pwrite64", "pwritev", "read", "readlink", "readlinkat", "readv", "rename", "renameat",
	"renameat2", "restart_syscall", "rmdir", "rseq", "rt_sigaction", "rt_sigpending", "rt_sigprocmask",
	"rt_sigreturn", "rt_sigsuspend", "rt_sigtimedwait", "rt_sigtimedwait_time64", "sched_getaffinity",
	"sched_getparam", "sched_getscheduler", "sched_yield", "select", "_newselect", "set_robust_list",
	"set_thread_area", "set_tid_address", "setitimer", "sigaction", "sigaltstack", "signal", "sigpending",
	"sigprocmask", "sigreturn", "sigsuspend", "stat", "stat64", "statx", "symlink", "symlinkat", "sysinfo",
	"time", "times", "truncate", "truncate64", "ugetrlimit", "umask", "uname", "unlink", "unlinkat", "wait4",
	"waitid", "waitpid", "write", "writev",
}

// Flags of clone.
const (
	cloneThread     = 0x00010000
	cloneNamespaces = 0x7e020000 // all CLONE_NEW but CLONE_NEWTIME, which is none of clone's
)

// descriptorCommands has the commands of fcntl for the descriptor itself. Not in the list: the
// owner who receives signals, leases and locks.
var descriptorCommands = []uint32{0 /* F_DUPFD */, 1 /* F_GETFD */, 2 /* F_SETFD */, 3 /* F_GETFL */, 4 /* F_SETFL */, 1030 /* F_DUPFD_CLOEXEC */}

// rules returns the filter for the command, whose path is the string at address path in the process
// that executes it; pid is the number of that process.
func (o order) rules(path uint64, pid uint32) *ruleSet {
	r := &ruleSet{}
	r.allow(ordinary...)
	// 1. The process may set its own limits, and manage its descriptors.
	r.allowIf("prlimit64", condition{arg: 0, value: 0})
	for _, name := range []string{"fcntl", "fcntl64"} {
		for _, c := range descriptorCommands {
			r.allowIf(name, condition{arg: 1, value: uint64(c)})
		}
	}
	// 2. After this answer the C library takes clone, whose flags a filter can read.
	r.answer("clone3", noSuchCall)

	// 3. With children, all of clone but namespaces; else threads only.
	if o.Processes {
		r.allow("fork", "vfork", "execve", "setrlimit")
		r.allowIf("clone", condition{arg: 0, mask: cloneNamespaces, value: 0})
	} else {
		r.allowIf("clone", condition{arg: 0, mask: cloneNamespaces | cloneThread, value: cloneThread})
		// One execution, of the command itself. The address has no meaning in the address space of
		// the command; which program could be executed from there depends on the files that may be
		// executed.
		r.allowIf("execve", condition{arg: 0, wide: true, value: path})
		// Signals to the process itself.
		for _, name := range []string{"kill", "tkill", "tgkill"} {
			r.allowIf(name, condition{arg: 0, value: uint64(pid)})
		}
	}
	return r
}
