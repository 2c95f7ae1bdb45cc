package frontend

import (
	"fmt"
	"regexp"
	"strings"

	"c2bp/frontend/core"
	"c2bp/source"
)

// This file puts assumptions about the calls of functions into the program: choices of the environment
// that the user takes away.
//
//	probe: dev != peer       proc probe(dev ptr, peer ptr)
//	                           0: assume dev != peer
//
// They hold at the begin of each call of the function, whoever calls it.

// EntryAssumption is an assumption about the calls of a function.
type EntryAssumption struct {
	Func string // the function
	Expr string // a predicate over its parameters and globals
}

func (e EntryAssumption) String() string { return e.Func + ": " + e.Expr }

// parseEntryAssumption reads FUNCTION: EXPRESSION; ok is false if text has not that form. The function may be
// one of a file, as in predicate files: pad.c::probe.
func parseEntryAssumption(text string) (e EntryAssumption, ok bool) {
	for i := range len(text) {
		switch c := text[i]; {
		// A colon that is no part of ::.
		case c == ':' && !strings.HasPrefix(text[i:], "::") && !strings.HasSuffix(text[:i], ":"):
			e = EntryAssumption{strings.TrimSpace(text[:i]), strings.TrimSpace(text[i+1:])}
			return e, e.Func != "" && e.Expr != ""
		case c == '=' || c == '(':
			return e, false
		}
	}
	return e, false
}

// splitAssumptions splits text at the commas outside of parentheses.
func splitAssumptions(text string) (items []string) {
	depth, start := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				items = append(items, text[start:i])
				start = i + 1
			}
		}
	}
	return append(items, text[start:])
}

// assumeAtEntries puts the assumptions about calls at the begin of the functions, and into the ledger.
// Errors are a source.List with positions in the text of the assumption.
func (u *Unit) assumeAtEntries(list []EntryAssumption) error {
	var errs source.List
	for i := range list {
		// The last one comes first in the end.
		e := list[len(list)-1-i]
		// 1. Resolve the expression in the scope of the function.
		file := source.NewFile("--assume", []byte(e.String()))
		pos := source.Pos{File: file.Name, Line: 1, Col: len(e.Func) + 3}
		resolved, err := u.Resolve([]core.PredicateText{{Scope: e.Func, Text: e.Expr, Pos: pos, File: file}})
		if more, ok := err.(source.List); ok {
			errs = append(errs, more...)
			continue
		}
		if err != nil {
			return err
		}
		if len(resolved) != 1 || resolved[0].Proc == nil || resolved[0].This != nil {
			errs.Add(file.Errorf(pos, "%s says nothing of the calls of a function; expected a condition on its parameters", e.Expr))
			continue
		}
		// 2. It is about the begin of a call: what was before, or will be, is not there.
		q := resolved[0]
		p := q.Proc
		late := core.Mentions(q.Expr, func(v *core.Var) bool {
			return v.Kind == core.Ghost || v == p.Result || v.Kind == core.Local || v.Kind == core.Temp
		})
		switch {
		case late:
			errs.Add(file.Errorf(pos, "%s is not about the begin of a call; expected parameters of %s and globals", e.Expr, e.Func))
			continue
		case p == u.Program.Entry:
			errs.Add(file.Errorf(source.Pos{File: file.Name, Line: 1, Col: 1}, "%s is where the program starts; expected a function that is called", e.Func))
			continue
		}
		// 3. Put it in front of the body.
		u.assumeAt(p, q.Expr, e.Func, q.Name)
	}
	u.Program.Ledger = u.linker.ledger.lines
	return errs.Err()
}

// assumeAt puts the assumption cond, spelled text, at the begin of p, called name, and into the ledger.
func (u *Unit) assumeAt(p *core.Proc, cond core.Expr, name, text string) {
	prepend(p, []*core.Node{{Stmt: &core.Assume{Cond: cond}, Pos: p.Pos, Text: "assumed: " + text, First: true}})
	u.linker.ledger.add("calls of %s: %s", name, text)
}

// functionName matches the name of a function, perhaps after that of its file: pad.c::probe.
var functionName = regexp.MustCompile(`^([^\s:,=()]+::)?[^\s:,=()]+$`)

// checkEntryAssumption returns an error if e is no assumption about calls; the text is not resolved.
func checkEntryAssumption(e EntryAssumption) error {
	if !functionName.MatchString(e.Func) {
		return fmt.Errorf("expected the name of a function before the colon of %q", e.String())
	}
	return nil
}
