/*
Package sandbox runs a command that nobody has read, so that it can do no harm: it reads
what it was given, writes into its own directories, and ends.

	confinement, err := sandbox.Find() // how this kernel confines processes, or why it does not
	if err != nil {
		return err // then nothing may be run
	}
	result, err := confinement.Run(ctx, sandbox.Command{
		Path:  "/tmp/work/program",
		Dir:   "/tmp/work/empty",
		Read:  sandbox.Libraries(),
		Write: []string{"/tmp/work/empty"},
	})
	fmt.Println(result.State, result.Output)

An error of Run means that the command was not started, or that ctx is done: there is no
way in which a command runs with less than the confinement. A command that ends badly, or
is ended, is a [Result].

# What a command may do

	read             the files and directories of Command.Read, Execute and Write
	execute          the program itself, and the files and directories of Command.Execute
	write            the directories of Command.Write, and /dev/null
	environment      Command.Env and nothing else; no descriptors but 0, 1 and 2; no terminal
	processes        none, but threads of its own; with Command.Processes, children in its
	                 process group
	signals          to itself
	network          none, and no other means to talk to other processes
	privileges       none: no capabilities, set-user-id programs give none
	other resources  Command.Limits

Whatever else a system call does is refused with EPERM: the filter lists what is allowed.

# How

Restrictions hold for a process and what it starts, and cannot be taken back. So the
command is not started directly. The program that calls Run starts itself under another
name, [the marker]; the init function of this package recognises it, restricts its own
process, and then executes the command in its place:

	c2bp ──fork, exec──▶ /proc/self/exe named "c2bp-sandbox"
	                       │ close descriptors        close-on-exec from 3 on
	                       │ drop capabilities
	                       │ files                    Landlock, or a root of its own
	                       │ rlimits                  memory, processor time, size of a file, descriptors
	                       │ seccomp                  a list of allowed system calls
	                       └ exec ──▶ command

Because init does it, that works in every program that imports the package, tests among
them. The new process says over a pipe what went wrong, if it does not get to the end of
this; then the command was not executed.

Two things confine files; Find takes the first that the kernel offers:

	Landlock      since Linux 6.2 (its third version, which knows of truncation). Rules say
	              which files may be read, executed and written. Newer versions also refuse
	              connections, device controls, and signals to processes outside; seccomp
	              refuses these everywhere.
	Namespaces    a user, a mount, a network and an IPC namespace, whose root has the given
	              files and directories only, mounted read-only unless they may be written;
	              for commands with children also a PID namespace.

If it offers neither, or no seccomp, Find returns an error, and there is nothing to run
commands with.

# Architectures

A process for x86-64 may also make the system calls of i386, by int $0x80, and those of
x32. The numbers differ, so a filter that looks at numbers only can be deceived: ours ends
a process that uses another interface than its own. A program for i386 (Command.Bits32)
has a list of its own, and may make one call of x86-64: the one that executes it. Whether it
was executed nobody could tell afterwards, so a program that does nothing is run before it.

# The end of a command

At the limit of time, or when ctx is done, the process group is killed. No process of it
can have left it, since the filter has no setpgid and no setsid, and the kernel lets no
fork slip through while it kills a group. When the calling program dies, the kernel kills
the command (but not the children of a command with Processes: these end by their limit of
processor time, or with their PID namespace).

# What is not protected

Which files exist, their sizes and times: stat is not refused by Landlock. The time that
is taken: the processor is shared. What the kernel gets wrong. The size of all files
together in a directory that may be written is looked at every few milliseconds, not at
each write.

# Files

	sandbox find               Command, Limits, Result; which confinement there is
	run group quota            the parent: start, watch, end
	child files root drop      the child: the steps above
	filter calls               the system calls that are allowed
	paths                      where compilers and libraries are
	unsupported                other systems than Linux
*/
package sandbox
