package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// This file is the parent: it starts the process that restricts itself, watches it, and kills it.

// marker is the name under which a program starts itself to become a confined command: init looks
// for it. No program has this name by accident, and a program that is given the name on purpose
// does what its first argument says, with fewer rights than the caller's.
const marker = "c2bp-sandbox"

// probe stands for a command that does nothing: the process restricts itself and exits.
const probe = "/probe"

// order is the parent's message to the process that restricts itself.
type order struct {
	Command
	Limits Limits
	Kind   kind
	Root   string // an empty directory to mount a root on, for byNamespaces
}

// Run runs cmd to its end. The package documentation says when it returns an error.
func (c *Confinement) Run(ctx context.Context, cmd Command) (Result, error) {
	if c.kind == none {
		return Result{}, ErrUnavailable
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	if cmd.Bits32 {
		runs, err := c.runs32(ctx, cmd.Limits)
		switch {
		case err != nil:
			return Result{}, err
		case !runs:
			return Result{}, &ExecError{no32}
		}
	}
	return c.run(ctx, cmd)
}

// run is Run for a command that the machine can execute.
func (c *Confinement) run(ctx context.Context, cmd Command) (Result, error) {
	o := order{Command: cmd, Limits: cmd.Limits.withDefaults(), Kind: c.kind}
	// 1. The order, and the pipe for errors.
	if c.kind == byNamespaces {
		var err error
		if o.Root, err = os.MkdirTemp("", "c2bp-root-"); err != nil {
			return Result{}, err
		}
		defer os.Remove(o.Root)
	}
	text, err := json.Marshal(o)
	if err != nil {
		return Result{}, err
	}
	r, w, err := os.Pipe()
	if err != nil {
		return Result{}, err
	}
	defer r.Close()
	p := &process{order: o}
	// 2. The process. Little may happen in it between its last restriction and the execution of the
	// command, so the Go runtime is kept quiet.
	p.exec = exec.Cmd{
		Path: "/proc/self/exe", Args: []string{marker, string(text)}, ExtraFiles: []*os.File{w},
		Env:         []string{"GODEBUG=asyncpreemptoff=1", "GOMAXPROCS=1", "GOGC=off"},
		SysProcAttr: attributes(o),
	}
	// 3. Run it. Whatever it reports means that the command was not executed.
	result, err := p.run(ctx, w)
	problem, _ := io.ReadAll(io.LimitReader(r, 4096))
	if text, ok := strings.CutPrefix(string(problem), notExecuted); ok {
		return Result{}, &ExecError{text}
	}
	if len(problem) > 0 {
		return Result{}, fmt.Errorf("the command could not be confined: %s", problem)
	}
	return result, err
}

// attributes returns the way in which the process starts: in a session of its own, without a
// terminal, and in namespaces, if these confine it.
func attributes(o order) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
	if o.Kind != byNamespaces {
		return a
	}
	a.Cloneflags = unix.CLONE_NEWUSER | unix.CLONE_NEWNS | unix.CLONE_NEWNET | unix.CLONE_NEWIPC | unix.CLONE_NEWUTS
	if o.Processes {
		// Not without children: the first process of a PID namespace does not receive signals from
		// itself, so the program would behave differently.
		a.Cloneflags |= unix.CLONE_NEWPID
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}}
	return a
}

// process is a command in execution.
type process struct {
	order    order
	exec     exec.Cmd
	exceeded atomic.Int32 // the Limit that was exceeded first
}

// run starts the process, whose end of the pipe is w, and waits for its end.
func (p *process) run(ctx context.Context, w *os.File) (Result, error) {
	limits := p.order.Limits
	out := &extract{limit: limits.Output, full: func() { p.exceed(OutputLimit) }}
	// 1. One pipe for both streams: copying ends when the last process that holds its end does.
	read, write, err := os.Pipe()
	if err != nil {
		w.Close()
		return Result{}, err
	}
	defer read.Close()
	p.exec.Stdout, p.exec.Stderr = write, write
	err = p.exec.Start()
	w.Close()
	write.Close()
	if err != nil {
		return Result{}, fmt.Errorf("the command could not be confined: %w", err)
	}
	// 2. Copy the output, and watch the limits.
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(out, read)
	}()
	ended := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		p.watch(ctx, ended)
	}()

	// 3. Wait for the end. Children may outlive the process and hold its output open. As long as it
	// is not reaped, its number, which is that of the group, is not reused.
	p.waitForEnd()
	close(ended)
	<-watched
	p.kill()
	state, err := p.exec.Process.Wait()
	// 4. Wait for the rest of the output.
	select {
	case <-copied:
	case <-time.After(time.Second): // only if a process has got out of the group
		read.Close()
		<-copied
	}
	if ctx.Err() != nil {
		return Result{}, ctx.Err()
	}
	return Result{State: state, Output: out.String(), Exceeded: Limit(p.exceeded.Load())}, err
}

// waitForEnd returns when the process has ended, and leaves it a zombie.
func (p *process) waitForEnd() {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_PID, p.exec.Process.Pid, &info, unix.WEXITED|unix.WNOWAIT, nil)
		if err != unix.EINTR {
			return
		}
	}
}

// watch kills the process when its time is over, when it has written too much, or when ctx is done.
func (p *process) watch(ctx context.Context, ended <-chan struct{}) {
	limits := p.order.Limits
	timeout := time.NewTimer(limits.Time)
	defer timeout.Stop()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ended:
			return
		case <-ctx.Done():
			p.kill()
			return
		case <-timeout.C:
			p.exceed(TimeLimit)
		case <-tick.C:
			if exceeds(p.order.Write, limits.Files) {
				p.exceed(FilesLimit)
			}
		}
	}
}

// exceed kills the process because of l.
func (p *process) exceed(l Limit) {
	p.exceeded.CompareAndSwap(int32(NoLimit), int32(l))
	p.kill()
}

// kill kills the process group.
func (p *process) kill() {
	_ = syscall.Kill(-p.exec.Process.Pid, syscall.SIGKILL)
}

// maxEntries bounds the number of files and directories that a command may make.
const maxEntries = 10_000

// exceeds reports whether the files in dirs take more than limit bytes, or are too many.
func exceeds(dirs []string, limit int64) bool {
	var total, entries int64
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
			if err != nil {
				return nil // it was deleted meanwhile
			}
			if entries++; entries > maxEntries {
				return errTooMuch
			}
			if info, err := d.Info(); err == nil && d.Type().IsRegular() {
				if total += blocks(info); total > limit {
					return errTooMuch
				}
			}
			return nil
		})
		if err != nil {
			return true
		}
	}
	return false
}

var errTooMuch = errors.New("too much")

// blocks returns the disk space of a file, which may have holes.
func blocks(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return s.Blocks * 512
	}
	return info.Size()
}
