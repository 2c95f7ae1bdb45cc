package sandbox

import (
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/elastic/go-seccomp-bpf/arch"
	"golang.org/x/net/bpf"
	"golang.org/x/sys/unix"

	"c2bp/internal/testkit"
)

// answer returns the answer of a filter to a call, by executing the filter. The machine of the library reads
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
		t.Skip("this test uses system call numbers of x86-64")
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

// TestForeignCalls: the calls of other interfaces end a process.
func TestForeignCalls(t *testing.T) {
	if native != arch.X86_64 {
		t.Skip("only x86-64 has other interfaces that can be called by accident")
	}
	program := order{}.rules(testPath, testPid).filter(false)
	x32 := arch.X32.SyscallNames["socket"] | arch.X32.SeccompMask
	if got := answer(t, program, arch.X32, x32); got != killed {
		t.Errorf("x32: %#x", got)
	}
	if got := answer(t, program, arch.I386, arch.I386.SyscallNames["socketcall"]); got != killed {
		t.Errorf("i386: %#x", got)
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

// askCapabilities is the name by which the test program is started to give up its capabilities and
// print which are left: a command cannot ask, since the filter refuses that.
const askCapabilities = "c2bp-sandbox-capabilities"

func init() {
	if os.Args[0] != askCapabilities {
		return
	}
	runtime.LockOSThread()
	err := dropPrivileges()
	var left [2]unix.CapUserData
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	if err == nil {
		err = unix.Capget(&header, &left[0])
	}
	fmt.Println(err, left)
	os.Exit(0)
}

// TestNoPrivileges: a command of root's has no capabilities, so it cannot read a file that another
// user keeps for himself.
func TestNoPrivileges(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root has capabilities to lose")
	}
	ask := exec.Cmd{Path: "/proc/self/exe", Args: []string{askCapabilities}}
	if out, err := ask.Output(); err != nil || string(out) != "<nil> [{0 0 0} {0 0 0}]\n" {
		t.Errorf("%s, %v: capabilities are left", out, err)
	}
	file := filepath.Join(t.TempDir(), "private")
	if err := os.WriteFile(file, []byte("private"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(file, 65534, 65534); err != nil {
		t.Skip("root may not give files away here: ", err)
	}
	path := compiled(t, "extern int open(const char *, int, ...);\nint main(int n, char **args) { return open(args[1], 0) < 0; }\n")
	for _, c := range confinements(t) {
		r, err := c.Run(t.Context(), Command{Path: path, Args: []string{file}, Dir: filepath.Dir(path), Read: append(Libraries(), file)})
		if err != nil || r.State.ExitCode() != 1 {
			t.Errorf("%s: %v, %v: the file of another user is opened", c, r.State, err)
		}
	}
}

// compiled returns the path of a compiled program.
func compiled(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	file, path := filepath.Join(dir, "in.c"), filepath.Join(dir, "program")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	testkit.NeedGCC(t)
	if out, err := exec.Command("gcc", "-w", "-pthread", "-o", path, file).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}
