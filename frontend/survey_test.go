package frontend

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"c2bp/frontend/ccfix"
	"c2bp/source"
)

// This file measures what the front end accepts of a list of C files:
//
//	C2BP_SURVEY=files.jsonl go test -run 'TestSurvey$' -timeout 2h ./frontend
//
// The list has a JSON object on a line for each file, see surveyed; in its place may be
// a directory: then these are all files .c and .i in there that gcc -fsyntax-only -w
// accepts as they are, with -m64 or else with -m32. Each file is read
// alone, in a process of its own, so that one that takes too long, too much memory or
// the process down costs nothing but itself. The table (survey_table_test.go) goes to
// the file that C2BP_SURVEY_OUT names, or to the log.

// surveyed is a file of the list and how its compiler was called.
type surveyed struct {
	Dir        string   `json:"dir"` // working directory; other names are relative to it
	File       string   `json:"file"`
	Include    []string `json:"include"`    // -I
	System     []string `json:"system"`     // -isystem, and where the C library's headers are
	Define     []string `json:"define"`     // -D
	Undef      []string `json:"undef"`      // -U
	Preinclude []string `json:"preinclude"` // -include
	Bits32     bool     `json:"bits32"`     // -m32
	Ask        bool     `json:"ask"`        // gcc decides about Bits32, and whether it is C
}

// surveyResult is what became of a file.
type surveyResult struct {
	Name    string         `json:"name"`
	Lines   int            `json:"lines"`   // of the file itself
	Read    int            `json:"read"`    // and of all that it includes, each text once
	Error   string         `json:"error"`   // class of the first error; "" if it was accepted
	Message string         `json:"message"` // all errors
	Havocs  map[string]int `json:"havocs"`  // classes of Unit.Diags
	Nodes   int            `json:"nodes"`   // of the core program
	NotC    bool           `json:"notC"`    // gcc rejects it
	Seconds float64        `json:"seconds"` // processor time for frontend.Load
	Peak    int64          `json:"peak"`    // resident memory of the process, KiB
}

const (
	surveyLimit   = 5 * time.Minute // for a file
	surveyWorkers = 2
	surveyFile    = "C2BP_SURVEY_FILE" // the file that this process is about, as JSON
)

// TestSurveyFile is the process of its own: it reads one file and prints its result.
func TestSurveyFile(t *testing.T) {
	text := os.Getenv(surveyFile)
	if text == "" {
		t.Skip("this is the inner process of TestSurvey")
	}
	var s surveyed
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		t.Fatal(err)
	}
	t.Chdir(s.Dir)
	out, err := json.Marshal(s.load())
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("%s%s\n", outcomePrefix, out)
}

const outcomePrefix = "outcome "

func (s *surveyed) options() Options {
	return Options{
		IncludePaths: s.Include, System: s.System, Defines: s.Define, Undefs: s.Undef,
		PreIncludes: s.Preinclude, Bits32: s.Bits32,
		Whole: true, // what the first function reaches is little of a file
	}
}

// load reads the file in this process.
func (s *surveyed) load() (o surveyResult) {
	text, err := os.ReadFile(s.File)
	o.Name = filepath.Join(s.Dir, s.File)
	if err != nil {
		o.Error = "cannot be read"
		return o
	}
	o.Lines = bytes.Count(text, []byte("\n"))
	defer func() {
		var usage syscall.Rusage
		if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) == nil {
			o.Peak = usage.Maxrss
		}
		if r := recover(); r != nil {
			o.Error, o.Message = "panic", fmt.Sprint(r)
		}
	}()
	opts := s.options()
	read := map[string]int{s.File: o.Lines}
	opts.ReadFile = func(name string) ([]byte, error) {
		text, err := os.ReadFile(name)
		if err == nil {
			read[name] = bytes.Count(text, []byte("\n"))
		}
		return text, err
	}
	start := processorTime()
	u, err := loadAlone(source.NewFile(s.File, text), opts)
	o.Seconds = (processorTime() - start).Seconds()
	for _, n := range read {
		o.Read += n
	}
	if err != nil {
		o.Error, o.Message = errorClass(err), err.Error()
		return o
	}
	o.Havocs = map[string]int{}
	for _, d := range u.Diags {
		o.Havocs[d.Severity.String()+": "+d.Class]++
	}
	for _, p := range u.Program.Procs {
		o.Nodes += len(p.Nodes)
	}
	return o
}

// processorTime is what this process has used.
func processorTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// loadAlone loads f, from its first function and with arbitrary globals if it has no
// main. The front end validates what it makes.
func loadAlone(f *source.File, opts Options) (*Unit, error) {
	ctx, cancel := context.WithTimeout(context.Background(), surveyLimit)
	defer cancel()
	u, err := Load(ctx, []*source.File{f}, opts)
	if err == nil || !strings.Contains(err.Error(), "the program has no function main") {
		return u, err
	}
	l := newLinker(opts)
	if err := l.read(ctx, []*source.File{f}); err != nil {
		return nil, err
	}
	for _, tu := range l.tus {
		l.declareFile(tu)
	}
	opts.Entry, opts.Open = "no function", true
	if len(l.defined) > 0 {
		opts.Entry = l.defined[0].name
	} else { // nothing to execute
		f = source.NewFile(f.Name, append(bytes.Clone(f.Text), "\nvoid no_function(void) {}\n"...))
		opts.Entry = "no_function"
	}
	return Load(ctx, []*source.File{f}, opts)
}

// errorClass is the class of the first error in err.
func errorClass(err error) string {
	var list source.List
	if !errors.As(err, &list) {
		return ccfix.Normalise(err.Error())
	}
	for _, d := range list {
		if d.Severity == source.Error {
			return d.Class
		}
	}
	return "no error in the list"
}

// TestSurvey reads all files of the list and writes the table.
func TestSurvey(t *testing.T) {
	name := os.Getenv("C2BP_SURVEY")
	if name == "" {
		t.Skip("it measures a list of C files: set C2BP_SURVEY to its name")
	}
	list := readSurvey(t, name)
	results := make([]surveyResult, len(list))
	jobs := make(chan int)
	var wait sync.WaitGroup
	for range surveyWorkers {
		wait.Go(func() {
			for i := range jobs {
				results[i] = surveyOne(t.Context(), list[i])
			}
		})
	}
	for i := range list {
		jobs <- i
	}
	close(jobs)
	wait.Wait()
	table := tabulate(results)
	if out := os.Getenv("C2BP_SURVEY_OUT"); out != "" {
		if err := os.WriteFile(out, []byte(table), 0o666); err != nil {
			t.Fatal(err)
		}
	} else {
		t.Log("\n" + table)
	}
}

// readSurvey reads the list of that name, or makes one of the directory.
func readSurvey(t *testing.T, name string) (list []surveyed) {
	text, err := os.ReadFile(name)
	if err != nil {
		return surveyDirectory(t, name)
	}
	for line := range bytes.Lines(text) {
		var s surveyed
		if err := json.Unmarshal(line, &s); err != nil {
			t.Fatalf("%s: %v: %s", name, err, line)
		}
		list = append(list, s)
	}
	return list
}

func surveyDirectory(t *testing.T, root string) (list []surveyed) {
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if ext := filepath.Ext(name); err == nil && d.Type().IsRegular() && (ext == ".c" || ext == ".i") {
			list = append(list, surveyed{Dir: filepath.Dir(name), File: filepath.Base(name), Ask: true})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// isC reports whether gcc accepts the file as it is, and chooses the size of pointers.
func (s *surveyed) isC(ctx context.Context) bool {
	for _, size := range []string{"-m64", "-m32"} {
		s.Bits32 = size == "-m32"
		c := exec.CommandContext(ctx, "gcc", "-fsyntax-only", "-w", "-fmax-errors=1", size, s.File)
		c.Dir = s.Dir
		if c.Run() == nil {
			return true
		}
	}
	return false
}

// surveyOne reads one file in a process of its own.
func surveyOne(ctx context.Context, s surveyed) (o surveyResult) {
	if s.Ask && !s.isC(ctx) {
		return surveyResult{Name: filepath.Join(s.Dir, s.File), NotC: true}
	}
	item, err := json.Marshal(s)
	if err != nil {
		return surveyResult{Name: s.File, Error: err.Error()}
	}
	ctx, cancel := context.WithTimeout(ctx, surveyLimit+10*time.Second)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return surveyResult{Name: s.File, Error: err.Error()}
	}
	c := exec.CommandContext(ctx, self, "-test.run=^TestSurveyFile$", "-test.count=1")
	c.Env = append(os.Environ(), surveyFile+"="+string(item))
	text, err := c.CombinedOutput()
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, outcomePrefix); ok && json.Unmarshal([]byte(rest), &o) == nil {
			return o
		}
	}
	o = surveyResult{Name: filepath.Join(s.Dir, s.File), Error: "the process ended", Message: string(text[:min(len(text), 4000)])}
	switch {
	case ctx.Err() != nil:
		o.Error = "no end within the time limit"
	case err != nil:
		o.Error = fmt.Sprintf("the process ended: %v", err)
	}
	return o
}
