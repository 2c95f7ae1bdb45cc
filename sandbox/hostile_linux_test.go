package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// This file runs the programs of testdata/hostile. The comment at the head of each says
//
//	Verdict: …    what c2bp audit says of it (tested there)
//	Without: …    protections; if one of them is missing, the test notices
//	Ends: …       the limit that ends it, if one does
//	Processes: yes
//
// A program that does not compile in the sandbox has done no harm.

// secret is the text that nobody may print.
const secret = "the-secret-text"

// world is what programs could harm.
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

// harm says what a command did that it must not do. Some of it shows only after a while
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
	without   []string
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
			case "Without":
				p.without = strings.Split(m[2], ", ")
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
func (w *world) compile(c *Confinement, p program, without weakness) (path string, r Result, ok bool) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		w.t.Skip("gcc is not installed; this test compiles C")
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
		Limits: Limits{Time: time.Minute, Memory: 4 << 30}, without: without,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	if r.Exceeded != NoLimit {
		w.t.Fatalf("the compiler exceeds limit %d", r.Exceeded)
	}
	return path, r, r.State.Success() && os.Chmod(path, 0o700) == nil
}

// run compiles and runs a program without some protections, and says what harm it did.
func run(t *testing.T, c *Confinement, p program, without weakness) []string {
	w := newWorld(t)
	path, result, ok := w.compile(c, p, without)
	if harm := w.harm(result, NoLimit, 20*time.Millisecond); !ok || len(harm) > 0 {
		return harm
	}
	limits := Limits{Time: time.Minute}
	if p.ends == TimeLimit {
		limits.Time = time.Second
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	if without.Time {
		ctx, cancel = context.WithTimeout(context.Background(), 3*time.Second)
	}
	defer cancel()
	dir := w.t.TempDir()
	start := time.Now()
	result, err := c.Run(ctx, Command{
		Path: path, Dir: dir, Read: Libraries(), Write: []string{dir}, Processes: p.processes, Limits: limits, without: without,
	})
	if err == context.DeadlineExceeded {
		return []string{"it does not end"}
	}
	if err != nil {
		t.Fatal(err)
	}
	patience := 20 * time.Millisecond
	if without != (weakness{}) {
		patience = 10 * time.Second // there must be harm
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
		t.Skip("this kernel confines no processes; then nothing is run, which other tests look at")
	}
	return list
}

// No hostile program does harm.
func TestHostile(t *testing.T) {
	for _, c := range confinements(t) {
		for _, p := range programs(t) {
			t.Run(c.String()+"/"+filepath.Base(p.name), func(t *testing.T) {
				if harm := run(t, c, p, weakness{}); len(harm) > 0 {
					t.Error(strings.Join(harm, "\n"))
				}
			})
		}
	}
}

// Each protection is needed: without it, a program does harm.
func TestProtections(t *testing.T) {
	list := programs(t)
	all := reflect.TypeFor[weakness]()
	c := confinements(t)[0]
	for i := range all.NumField() {
		name := all.Field(i).Name
		if c.kind == byNamespaces && name == "Scope" {
			continue // of Landlock
		}
		tested := false
		for _, p := range list {
			if !slices.Contains(p.without, name) {
				continue
			}
			tested = true
			t.Run(name+"/"+filepath.Base(p.name), func(t *testing.T) {
				var without weakness
				for _, n := range p.without {
					if n == name || alone[name] == n {
						reflect.ValueOf(&without).Elem().FieldByName(n).SetBool(true)
					}
				}
				if harm := run(t, c, p, without); len(harm) == 0 {
					t.Errorf("nobody notices that the protection %s is missing", name)
				}
			})
		}
		if !tested && alone[name] == "" {
			t.Errorf("no program needs the protection %s", name)
		}
	}
}

// alone are protections that another one backs up, so that only the lack of both shows; and
// those that tests of their own look at.
var alone = map[string]string{
	"Signals":    "Scope",                // the kernel's Landlock may refuse signals, too
	"Scope":      "Signals",              //
	"Foreign":    "TestForeignCalls",     // not every kernel has other interfaces
	"Privileges": "TestNoPrivilegesLeft", // capabilities show only where root runs the tests
}
