package sandbox

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
)

// answer is what a filter says to a call, by executing it. The machine of the library reads
// numbers with the highest byte first, so the packet has them that way.
func answer(t *testing.T, program []bpf.Instruction, a *arch.Info, number int, args ...uint64) uint32 {
	t.Helper()
	vm, err := bpf.NewVM(program)
	if err != nil {
		t.Fatal(err)
	}
	packet := make([]byte, 64)
	binary.BigEndian.PutUint32(packet, uint32(number))
	binary.BigEndian.PutUint32(packet[4:], uint32(a.ID))
	for i, v := range args {
		binary.BigEndian.PutUint32(packet[16+8*i:], uint32(v))
		binary.BigEndian.PutUint32(packet[20+8*i:], uint32(v>>32))
	}
	n, err := vm.Run(packet)
	if err != nil {
		t.Fatal(err)
	}
	return uint32(n)
}

const (
	testPath = 0x7f00_1234_5678 // address of the path of the command
	testPid  = 4711
)

// What the filters answer, by interface and call.
func TestFilter(t *testing.T) {
	if native != arch.X86_64 {
		t.Skip("the numbers below are those of x86-64")
	}
	program := order{}.rules(testPath, testPid).filter(false)
	tools := order{Command: Command{Processes: true}}.rules(testPath, testPid).filter(false)
	program32 := order{Command: Command{Bits32: true}}.rules(testPath, testPid).filter(true)
	for _, c := range []struct {
		name   string
		filter []bpf.Instruction
		arch   *arch.Info
		call   string
		args   []uint64
		want   uint32
	}{
		{"a file", program, arch.X86_64, "openat", nil, allowed},
		{"a mode", program, arch.X86_64, "fchmodat", nil, refused},
		{"a socket", program, arch.X86_64, "socket", nil, refused},
		{"a signal to itself", program, arch.X86_64, "kill", []uint64{testPid, 9}, allowed},
		{"a signal to another", program, arch.X86_64, "kill", []uint64{testPid + 1, 9}, refused},
		{"a signal to a group", program, arch.X86_64, "kill", []uint64{0, 9}, refused},
		{"a signal to all", program, arch.X86_64, "kill", []uint64{^uint64(0), 9}, refused},
		{"raise", program, arch.X86_64, "tgkill", []uint64{testPid, testPid + 5, 9}, allowed},
		{"a queued signal", program, arch.X86_64, "rt_sigqueueinfo", []uint64{testPid, 9}, refused},
		{"the owner of a descriptor", program, arch.X86_64, "fcntl", []uint64{3, 8, 1}, refused},
		{"the flags of a descriptor", program, arch.X86_64, "fcntl", []uint64{3, 4, 1}, allowed},
		{"its own limits", program, arch.X86_64, "prlimit64", []uint64{0}, allowed},
		{"limits of another", program, arch.X86_64, "prlimit64", []uint64{1}, refused},
		{"a thread", program, arch.X86_64, "clone", []uint64{0x3d0f00}, allowed},
		{"a process", program, arch.X86_64, "clone", []uint64{17}, refused},
		{"a thread in another namespace", program, arch.X86_64, "clone", []uint64{0x3d0f00 | 0x10000000}, refused},
		{"fork", program, arch.X86_64, "fork", nil, refused},
		{"clone3", program, arch.X86_64, "clone3", nil, noSuchCall},
		{"the command", program, arch.X86_64, "execve", []uint64{testPath}, allowed},
		{"another command", program, arch.X86_64, "execve", []uint64{testPath + 1}, refused},
		{"the same lower half", program, arch.X86_64, "execve", []uint64{testPath & 0xffffffff}, refused},
		{"ptrace", program, arch.X86_64, "ptrace", nil, refused},
		{"io_uring", program, arch.X86_64, "io_uring_setup", nil, refused},
		{"int 0x80", program, arch.I386, "open", nil, killed},
		{"int 0x80 with a number that x86-64 allows", program, arch.I386, "exit", nil, killed},
		{"another machine", program, arch.AARCH64, "openat", nil, killed},

		{"a process of the tools", tools, arch.X86_64, "clone", []uint64{0x4111}, allowed},
		{"vfork", tools, arch.X86_64, "vfork", nil, allowed},
		{"a namespace", tools, arch.X86_64, "clone", []uint64{0x10000011}, refused},
		{"unshare", tools, arch.X86_64, "unshare", nil, refused},
		{"a tool", tools, arch.X86_64, "execve", []uint64{1}, allowed},
		{"a signal of the tools", tools, arch.X86_64, "kill", []uint64{testPid}, refused},
		{"another session", tools, arch.X86_64, "setsid", nil, refused},
		{"another group", tools, arch.X86_64, "setpgid", nil, refused},
		{"int 0x80 of the tools", tools, arch.I386, "open", nil, killed},

		{"32 bits: a file", program32, arch.I386, "openat", nil, allowed},
		{"32 bits: a socket", program32, arch.I386, "socketcall", nil, refused},
		{"32 bits: System V", program32, arch.I386, "ipc", nil, refused},
		{"32 bits: a command", program32, arch.I386, "execve", []uint64{testPath & 0xffffffff}, refused},
		{"32 bits: a process", program32, arch.I386, "fork", nil, refused},
		{"32 bits: a thread", program32, arch.I386, "clone", []uint64{0x3d0f00}, allowed},
		{"32 bits: signal", program32, arch.I386, "kill", []uint64{1}, refused},
		{"32 bits: the command is executed by 64 bits", program32, arch.X86_64, "execve", []uint64{testPath}, allowed},
		{"32 bits: 64 bits later", program32, arch.X86_64, "openat", nil, refused},
	} {
		number, ok := c.arch.SyscallNames[c.call]
		if !ok {
			t.Errorf("%s: %s has no call %s", c.name, c.arch.Name, c.call)
			continue
		}
		if got := answer(t, c.filter, c.arch, number, c.args...); got != c.want {
			t.Errorf("%s: %s%x is answered by %#x, want %#x", c.name, c.call, c.args, got, c.want)
		}
	}
}

// The calls of other interfaces end a process, and it shows if they do not.
func TestForeignCalls(t *testing.T) {
	if native != arch.X86_64 {
		t.Skip("only x86-64 has other interfaces that can be called by accident")
	}
	for _, without := range []weakness{{}, {Foreign: true}} {
		program := order{Without: without}.rules(testPath, testPid).filter(false)
		x32 := arch.X32.SyscallNames["socket"] | arch.X32.SeccompMask
		if got := answer(t, program, arch.X32, x32); (got == killed) == without.Foreign {
			t.Errorf("x32, %+v: %#x", without, got)
		}
		if got := answer(t, program, arch.I386, arch.I386.SyscallNames["socketcall"]); (got == killed) == without.Foreign {
			t.Errorf("i386, %+v: %#x", without, got)
		}
	}
}

// The kernel takes the longest filter.
func TestFilterLength(t *testing.T) {
	if native == nil {
		t.Skip("the library does not know the calls of this architecture")
	}
	program, err := assemble(order{Command: Command{Bits32: true}}.rules(testPath, testPid).filter(true))
	if err != nil || len(program) > 4096 {
		t.Errorf("%d instructions, %v", len(program), err)
	}
}

// A command of root's has no capabilities.
func TestNoPrivilegesLeft(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root has capabilities to lose")
	}
	text := "extern int printf(const char *, ...); extern long syscall(long, ...);\n" +
		"int main(void) { unsigned h[2] = { 0x20080522 }, d[6]; if (syscall(125, h, d)) return 1; printf(\"%x %x\", d[0], d[3]); return 0; }\n"
	for _, c := range confinements(t) {
		path := compiled(t, text)
		for _, without := range []weakness{{Calls: true}, {Calls: true, Privileges: true}} {
			r, err := c.Run(t.Context(), Command{Path: path, Dir: filepath.Dir(path), Read: Libraries(), without: without})
			if err != nil || !r.State.Success() {
				t.Fatal(r.State, r.Output, err)
			}
			if none := strings.TrimSpace(r.Output) == "0 0"; none == without.Privileges {
				t.Errorf("%s, %+v: capabilities %s", c, without, r.Output)
			}
		}
	}
}

// compiled is the path of a program.
func compiled(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file, path := filepath.Join(dir, "in.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("gcc is not installed; this test compiles C")
	}
	if out, err := exec.Command("gcc", "-w", "-pthread", "-o", path, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
