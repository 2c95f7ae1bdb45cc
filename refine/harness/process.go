package harness

import (
	"bytes"
	"os/exec"
	"syscall"
	"time"
)

// maxOutput bounds what is kept of a program's output.
const maxOutput = 64 << 10

// head keeps the beginning of what is written to it.
type head struct{ bytes.Buffer }

func (h *head) Write(p []byte) (int, error) {
	h.Buffer.Write(p[:min(len(p), maxOutput-h.Len())])
	return len(p), nil
}

// output runs cmd in a process group of its own and returns the beginning of what it
// prints. When its context is done, the whole group is killed.
func output(cmd *exec.Cmd) (string, error) {
	var out head
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
