package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"c2bp/internal/testkit"
)

// This file runs the programs of testdata/hostile. The comment at the head of each says
//
//	Verdict: …    the verdict of c2bp audit (tested there)
//	Mutant: …     a file of testdata/mutants: it takes a protection away, and this program does harm then
//	Ends: …       the limit that ends it, if one does
//	Processes: yes
//
// A program that does not compile in the sandbox has done no harm.

// secret is the text that nobody may print.
const secret = "the-secret-text"

// world has the files, the process and the socket that programs could harm.
type world struct {
	t       *testing.T
	outside string // a directory
	before  string // its state
	victim  *exec.Cmd
	dead    chan struct{} // closed when it is
	visits  atomic.Int32  // of the socket
	port    int
	open    *os.File // the secret, in a descriptor that is inherited
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, outside: t.TempDir(), dead: make(chan struct{})}
	if err := os.WriteFile(filepath.Join(w.outside, "secret"), []byte(secret+" \n"), 0o644); err != nil {
		t.Fatal(err)
	}
	w.before = w.state()
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	w.port = l.Addr().(*net.TCPAddr).Port
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			w.visits.Add(1)
			c.Close()
		}
	}()
	w.victim = exec.Command("sleep", "600")
	if err := w.victim.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		_ = w.victim.Wait()
		close(w.dead)
	}()
	t.Cleanup(func() { _ = w.victim.Process.Kill(); <-w.dead })
	fd, err := syscall.Open(filepath.Join(w.outside, "secret"), syscall.O_RDONLY, 0) // not close-on-exec
	if err != nil {
		t.Fatal(err)
	}
	w.open = os.NewFile(uintptr(fd), "secret")
	t.Cleanup(func() { w.open.Close() })
	t.Setenv("C2BP_TEST_SECRET", secret)
	return w
}

// state is everything about the files outside.
func (w *world) state() string {
	var b strings.Builder
	_ = filepath.WalkDir(w.outside, func(path string, _ os.DirEntry, _ error) error {
		info, err := os.Stat(path)
		if err != nil {
			w.t.Fatal(err)
		}
		text, _ := os.ReadFile(path)
		when := info.ModTime()
		fmt.Fprintln(&b, path, info.Mode(), when, string(text))
		return nil
	})
	return b.String()
}

// harm lists the harm that a command has done. Some of it shows only after a while
// (another process dies, a connection is accepted); if nothing does, patience is the time
// to wait for it.
func (w *world) harm(r Result, ends Limit, patience time.Duration) (list []string) {
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		if list = w.harmNow(r, ends); len(list) > 0 || time.Now().After(end) {
			return list
		}
	}
}

// harmNow is the harm that shows already.
func (w *world) harmNow(r Result, ends Limit) (list []string) {
	if now := w.state(); now != w.before {
		list = append(list, "files outside were "+w.before+"and are "+now)
	}
	for _, text := range []string{secret, "root:", "harm:"} {
		if strings.Contains(r.Output, text) {
			list = append(list, fmt.Sprintf("it prints %q", text))
		}
	}
	if w.visits.Load() > 0 {
		list = append(list, "it has talked to a socket")
	}
	select {
	case <-w.dead:
		list = append(list, "another process is dead")
	default:
	}
	if r.Exceeded != ends {
		list = append(list, fmt.Sprintf("limit %d ends it, and not %d", r.Exceeded, ends))
	}
	return list
}

// program is a hostile program.
type program struct {
	name      string
	mutant    string
	ends      Limit
	processes bool
}

func programs(t *testing.T) (list []program) {
	files, err := filepath.Glob("testdata/hostile/*.c")
	if err != nil || len(files) < 15 {
		t.Fatal("there are no hostile programs")
	}
	mark := regexp.MustCompile(`(?m)^ \* (\w+): (.*)$`)
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		p := program{name: f}
		for _, m := range mark.FindAllStringSubmatch(string(text), -1) {
			switch m[1] {
			case "Mutant":
				p.mutant = m[2]
			case "Ends":
				p.ends = map[string]Limit{"time": TimeLimit, "output": OutputLimit, "files": FilesLimit}[m[2]]
			case "Processes":
				p.processes = true
			}
		}
		list = append(list, p)
	}
	return list
}

// compile compiles a hostile program in the sandbox; ok is false if that does not work.
func (w *world) compile(c *Confinement, p program) (path string, r Result, ok bool) {
	testkit.NeedGCC(w.t)
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		w.t.Fatal(err)
	}
	dir := w.t.TempDir()
	here, _ := filepath.Abs("testdata/hostile")
	read, execute := ToolChain(gcc)
	path = filepath.Join(dir, "program")
	r, err = c.Run(context.Background(), Command{
		Path: gcc, Dir: dir, Env: []string{"PATH=/usr/bin:/bin", "TMPDIR=" + dir},
		Args: []string{"-w", "-DOUTSIDE=\"" + w.outside + "\"", fmt.Sprintf("-DPORT=%d", w.port),
			fmt.Sprintf("-DVICTIM=%d", w.victim.Process.Pid), "-o", path, filepath.Join(here, filepath.Base(p.name))},
		Read: append(read, here), Execute: execute, Write: []string{dir}, Processes: true,
		Limits: Limits{Time: time.Minute, Memory: 4 << 30},
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if r.Exceeded != NoLimit {
		w.t.Fatalf("the compiler exceeds limit %d", r.Exceeded)
	}
	return path, r, r.State.Success() && os.Chmod(path, 0o700) == nil
}

// run compiles and runs a program, and lists the harm that it has done. A mutant needs time to show it on a
// busy machine, so it waits for longer with larger counts.
func run(t *testing.T, c *Confinement, p program) []string {
	w := newWorld(t)
	patience := time.Duration(testkit.Count(20, 2000)) * time.Millisecond
	path, result, ok := w.compile(c, p)
	if harm := w.harm(result, NoLimit, patience); !ok || len(harm) > 0 {
		return harm
	}
	limits := Limits{Time: time.Minute}
	if p.ends == TimeLimit {
		limits.Time = time.Second
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*limits.Time+10*time.Second)
	defer cancel()
	dir := w.t.TempDir()
	start := time.Now()
	result, err := c.Run(ctx, Command{
		Path: path, Dir: dir, Read: Libraries(), Write: []string{dir}, Processes: p.processes, Limits: limits,
	})
	if err == context.DeadlineExceeded {
		return []string{"it does not end"}
	}
	if err != nil {
		t.Fatal(err)
	}
	left := processesOf(path)
	if len(left) > 0 {
		patience = 0
	}
	harm := w.harm(result, p.ends, patience)
	if len(left) > 0 {
		harm = append(harm, fmt.Sprintf("processes are left: %v", left))
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	t.Logf("%s: %v after %v, %d bytes of output, limit %d", p.name, result.State, time.Since(start).Round(time.Millisecond), len(result.Output), result.Exceeded)
	return harm
}

// processesOf are the processes that execute the file path.
func processesOf(path string) (list []int) {
	entries, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, e := range entries {
		text, _ := os.ReadFile(e)
		if name, _, _ := bytes.Cut(text, []byte{0}); string(name) == path {
			pid := 0
			fmt.Sscanf(e, "/proc/%d/", &pid)
			list = append(list, pid)
		}
	}
	return list
}

// confinements are those that the kernel offers.
func confinements(t *testing.T) (list []*Confinement) {
	for _, c := range []*Confinement{{kind: byLandlock}, {kind: byNamespaces}} {
		if c.works() {
			list = append(list, c)
		} else {
			t.Logf("this kernel does not offer %s", c)
		}
	}
	if len(list) == 0 {
		t.Skip("this kernel cannot confine processes; then nothing is run, which other tests check")
	}
	return list
}

// No hostile program does harm.
func TestHostile(t *testing.T) {
	for _, c := range confinements(t) {
		for _, p := range programs(t) {
			t.Run(c.String()+"/"+filepath.Base(p.name), func(t *testing.T) {
				if harm := run(t, c, p); len(harm) > 0 {
					t.Error(strings.Join(harm, "\n"))
				}
			})
		}
	}
}

// Each protection is needed: hostile programs name the mutants without them, and those are there.
func TestProtectionsHaveMutants(t *testing.T) {
	named := map[string]bool{
		"foreign-calls-allowed": true, // TestForeignCalls
		"privileges-kept":       true, // TestNoPrivileges
	}
	for _, p := range programs(t) {
		if p.mutant != "" {
			named[p.mutant] = true
		}
	}
	files, err := filepath.Glob("testdata/mutants/*.patch")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		name := strings.TrimSuffix(filepath.Base(f), ".patch")
		if !named[name] {
			t.Errorf("no hostile program says that it notices the mutant %s", name)
		}
		delete(named, name)
	}
	for name := range named {
		t.Errorf("there is no mutant %s", name)
	}
}
