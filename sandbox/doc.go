// Package sandbox runs an untrusted command so that it can do no harm: it reads the files
// that it is given, writes to its own directories, and ends.
//
//	confinement, err := sandbox.Find() // how this kernel confines processes, or why it does not
//	if err != nil {
//		return err // then nothing may be run
//	}
//	result, err := confinement.Run(ctx, sandbox.Command{
//		Path:  "/tmp/work/program",
//		Dir:   "/tmp/work/empty",
//		Read:  sandbox.Libraries(),
//		Write: []string{"/tmp/work/empty"},
//	})
//	fmt.Println(result.State, result.Output)
//
// An error of Run means that the command was not started, or that ctx is done: a command
// never runs without its confinement. A command that fails, or is killed, has a [Result].
//
// # Rights of a command
//
//	read             the files and directories of Command.Read, Execute and Write
//	execute          the program itself, and the files and directories of Command.Execute
//	write            the directories of Command.Write, and /dev/null
//	environment      Command.Env and nothing else; no descriptors but 0, 1 and 2; no terminal
//	processes        none, but threads of its own; with Command.Processes, children in its
//	                 process group
//	signals          to itself
//	network          none, and no other communication with other processes
//	privileges       none: no capabilities, and set-user-id programs give none
//	other resources  Command.Limits
//
// All other system calls are refused with EPERM: the filter is a list of allowed calls.
//
// # Mechanism
//
// Restrictions apply to a process and its children, and cannot be lifted. So the
// command is not started directly. The program that calls Run starts itself under another
// name, the marker; the init function of this package recognises it, restricts its own
// process, and then executes the command in its place:
//
//	c2bp ──fork, exec──▶ /proc/self/exe named "c2bp-sandbox"
//	                       │ close descriptors        close-on-exec from 3 on
//	                       │ drop capabilities
//	                       │ files                    Landlock, or a root of its own
//	                       │ rlimits                  memory, processor time, size of a file, descriptors
//	                       │ seccomp                  a list of allowed system calls
//	                       └ exec ──▶ command
//
// Because init does it, this works in every program that imports the package, including
// tests. If the new process does not get to the end of these steps, it reports the error over a
// pipe; then the command was not executed.
//
// There are two ways to confine files; Find takes the first that the kernel offers:
//
//	Landlock      since Linux 6.2 (its third version, which controls truncation). Rules say
//	              which files may be read, executed and written. Newer versions also refuse
//	              connections, device controls, and signals to processes outside; seccomp
//	              refuses these everywhere.
//	Namespaces    a user, a mount, a network and an IPC namespace, whose root has the given
//	              files and directories only, mounted read-only unless they may be written;
//	              for commands with children also a PID namespace.
//
// If it offers neither, or no seccomp, Find returns an error, and commands cannot be run.
//
// # Architectures
//
// A process for x86-64 may also make the system calls of i386, by int $0x80, and those of
// x32. The numbers differ, so a filter that looks at numbers only can be deceived: ours kills
// a process that uses another interface than its own. A program for i386 (Command.Bits32)
// has a list of its own, and may make one call of x86-64: the one that executes it. Afterwards
// it would be unknown whether it was executed, so a program that does nothing is run first.
//
// # The end of a command
//
// At the limit of time, or when ctx is done, the process group is killed. No process of it
// can have left it, since the filter has no setpgid and no setsid, and no fork
// escapes while the kernel kills a group. When the calling program dies, the kernel kills
// the command (but not the children of a command with Processes: these end by their limit of
// processor time, or with their PID namespace).
//
// # Limits of the protection
//
// The existence of files, their sizes and times are visible: Landlock does not refuse stat.
// The processor is shared. Defects of the kernel are not covered. The total size of the files
// in directories that may be written is checked every few milliseconds, not at each write.
//
// # Files
//
//	sandbox.go            commands, limits, results
//	find.go               ways to confine processes, and errors
//	find_linux.go         the way that the kernel offers
//	run_linux.go          the parent: start, watch, kill
//	output_linux.go       output of a command
//	child_linux.go        the child: the steps above
//	files_linux.go        its files, by Landlock
//	root_linux.go         its files, by a root of its own
//	filter_linux.go       its filter of system calls
//	calls_linux.go        the system calls that are allowed
//	bits32_linux.go       whether programs for i386 can be executed
//	paths.go              the paths of compilers and libraries
//	unsupported.go        systems other than Linux
package sandbox
