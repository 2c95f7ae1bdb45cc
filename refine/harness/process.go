package harness

import (
	"bytes"
	"os/exec"
	"syscall"
	"time"
)

// maxOutput bounds what is kept of a program's output: its beginning and its end.
const maxOutput = 64 << 10

const (
	maxHead = maxOutput / 2
	maxTail = maxOutput/2 - len(cut)
	cut     = "\n...\n"
)

// extract keeps the beginning and the end of what is written to it.
type extract struct {
	head, tail bytes.Buffer
	dropped    bool
}

func (x *extract) Write(p []byte) (int, error) {
	n := min(len(p), maxHead-x.head.Len())
	x.head.Write(p[:n])
	x.tail.Write(p[n:])
	if more := x.tail.Len() - maxTail; more > 0 {
		x.tail.Next(more)
		x.dropped = true
	}
	return len(p), nil
}

func (x *extract) String() string {
	if x.dropped {
		return x.head.String() + cut + x.tail.String()
	}
	return x.head.String() + x.tail.String()
}

// output runs cmd in a process group of its own and returns what it prints. When its
// context is done, the whole group is killed.
func output(cmd *exec.Cmd) (string, error) {
	var out extract
	cmd.Stdout, cmd.Stderr = &out, &out
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	cmd.WaitDelay = time.Second
	err := cmd.Run()
	if cmd.Process != nil { // children that it left behind
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
	return out.String(), err
}
