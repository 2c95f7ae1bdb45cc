package shylockcheck

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"c2bp/boolprog"
	"c2bp/checker"
	"c2bp/frontend/shylock"
	"c2bp/frontend/shylock/shytest"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file compares verdicts with those of the engine for reference Boolean programs, which has patterns and
// effects and knows no cut points, on translated programs.

// toBoolean writes a program as a reference Boolean program.
type toBoolean struct {
	prog  *shylock.Program
	lines []string
	at    []string // by line: the place of the statement in the Shylock program
}

// line writes a line for a statement at an offset.
func (w *toBoolean) line(off int, format string, args ...any) {
	w.lines = append(w.lines, fmt.Sprintf(format, args...))
	w.at = append(w.at, w.prog.File.Pos(off).String())
}

// program writes everything. A reference that is never assigned stands for nil.
func (w *toBoolean) program() {
	w.line(0, "class N {")
	for _, f := range w.prog.Fields {
		w.line(0, "ref N %s;", f.Name)
	}
	w.line(0, "}")
	w.line(0, "ref N nil;")
	for _, v := range w.prog.Globals {
		w.line(0, "ref N %s;", v.Name)
	}
	for _, p := range w.prog.Procs {
		w.proc(p)
	}
}

func (w *toBoolean) proc(p *shylock.Proc) {
	var params []string
	isParam := func(name string) bool {
		return slices.ContainsFunc(p.Params, func(r shylock.Ref) bool { return r.Name == name })
	}
	for _, r := range p.Params {
		params = append(params, "ref N "+r.Name)
	}
	result := "void"
	if p.Returns {
		result = "ref N"
	}
	w.line(0, "%s %s(%s) begin", result, p.Name, strings.Join(params, ", "))
	for _, v := range w.prog.Locals {
		if !isParam(v.Name) && !v.Param {
			w.line(0, "ref N %s;", v.Name)
		}
	}
	w.stmt(p.Body)
	w.line(0, "end")
}

// stmt writes a statement. A choice takes any branch: one that is not enabled ends the run, as an assumption.
func (w *toBoolean) stmt(s shylock.Stmt) {
	off, _ := s.Span()
	switch s := s.(type) {
	case *shylock.Seq:
		for _, t := range s.List {
			w.stmt(t)
		}
	case *shylock.Choice:
		for i, t := range s.List {
			if i < len(s.List)-1 {
				w.line(off, "if (*) then")
			}
			w.stmt(t)
			if i < len(s.List)-1 {
				w.line(off, "else")
			}
		}
		w.line(off, "%s", strings.Repeat("fi; ", len(s.List)-1))
	case *shylock.Test:
		w.line(off, "assume(%s);", shylock.CondString(s.Cond))
		w.stmt(s.Body)
	case *shylock.While:
		w.line(off, "while (%s) do", shylock.CondString(s.Cond))
		w.stmt(s.Body)
		w.line(off, "od;")
	case *shylock.If:
		w.line(off, "if (%s) then", shylock.CondString(s.Cond))
		w.stmt(s.Then)
		if s.Else != nil {
			w.line(off, "else")
			w.stmt(s.Else)
		}
		w.line(off, "fi;")
	case *shylock.New:
		w.line(off, "%s := new N;", s.X.Name)
	case *shylock.Assign:
		w.assign(s, off)
	case *shylock.Call:
		w.call(s, off)
	default:
		w.line(off, "%s;", shylock.StmtString(s))
	}
}

// assign writes an assignment, a line for each field.
func (w *toBoolean) assign(s *shylock.Assign, off int) {
	if s.Call != nil {
		w.call(s.Call, off)
		return
	}
	right := s.Y.Name
	for i, f := range s.Fields {
		if i > 0 {
			w.line(off, "%s := %s;", s.X.Name, right)
			right, off = s.X.Name, f.Off
		}
		right += "." + f.Name
	}
	w.line(off, "%s := %s;", s.X.Name, right)
}

func (w *toBoolean) call(s *shylock.Call, off int) {
	target := ""
	switch {
	case s.Result != nil:
		target = s.Result.Name + " := "
	case s.Proc.Returns:
		target = "_ := "
	}
	args := make([]string, len(s.Args))
	for i, r := range s.Args {
		args[i] = r.Name
	}
	w.line(off, "%s%s(%s);", target, s.Proc.Name, strings.Join(args, ", "))
}

// asBoolean checks the program as a reference Boolean program, and returns the status of each place.
func asBoolean(t *testing.T, p *shylock.Program) (status map[string]string, open bool) {
	t.Helper()
	w := &toBoolean{prog: p}
	w.program()
	text := strings.Join(w.lines, "\n") + "\n"
	b, _, err := boolprog.Parse(source.NewFile("in.bp", []byte(text)), boolprog.ParseOptions{})
	if err == nil {
		_, err = boolprog.Check(b)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	r, err := checker.Check(ctx, b, checker.Options{Engine: "explicit"})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	status = map[string]string{}
	for _, s := range r.Sites {
		status[fmt.Sprintf("%s at %s", s.What(), w.at[s.Pos.Line-1])] = s.Status()
		open = open || s.Open
	}
	return status, open
}

// TestBoolean compares the status of each assertion and dereference.
func TestBoolean(t *testing.T) {
	kinds := []shytest.Kind{shytest.Bounded, shytest.Hanging, shytest.Looping, shytest.Recursive}
	count := testkit.Count(uint64(150), 10000)
	fails, holds, skipped := 0, 0, 0
	for seed := range count {
		text := shytest.Random(rand.New(rand.NewPCG(seed, 31)), kinds[seed%uint64(len(kinds))])
		p := shytest.Load(text)
		r := Check(t.Context(), p, Options{Bound: 7, All: true, MaxStates: 3000})
		// The other engine has no bound on objects: it is asked only if the program keeps within this one.
		if slices.ContainsFunc(r.Sites, func(s verdict.Site) bool { return s.Open }) || r.Verdict == verdict.Unknown {
			skipped++
			continue
		}
		want, open := asBoolean(t, p)
		if open {
			skipped++
			continue
		}
		for _, s := range r.Sites {
			place := fmt.Sprintf("%s at %v", s.What(), s.Pos)
			if want[place] == "" || s.Failed != (want[place] == "fails") {
				t.Fatalf("seed %d: %s: %s, as a Boolean program it %s:\n%s", seed, place, s.Status(), want[place], text)
			}
			if s.Failed {
				fails++
			} else {
				holds++
			}
		}
	}
	t.Logf("%d programs, %d left out; %d places fail, %d hold", count, skipped, fails, holds)
	if fails < int(count)/3 || holds < int(count) || skipped > int(count)/3 {
		t.Error("too few")
	}
}
