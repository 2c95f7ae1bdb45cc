package shylock

import "strings"

// This file prints programs in one canonical form: Parse of the printed text gives the same tree, except
// for its places.

// String returns the text of the program.
func (p *Program) String() string {
	w := &printer{}
	w.names("globals", p.Globals)
	w.names("locals", p.Locals)
	w.names("fields", p.Fields)
	for _, proc := range p.Procs {
		w.text(proc.Name)
		if len(proc.Params) > 0 {
			w.args(proc.Params)
		}
		w.text(" ::\n    ")
		list := flat(nil, proc.Body)
		for i, s := range list {
			if i > 0 {
				w.text(";\n    ")
			}
			level := levelBasic
			if len(list) == 1 {
				level = levelChoice
			}
			w.stmt(s, level)
		}
		w.text("\n")
	}
	return w.b.String()
}

// StmtString returns the text of a statement, on one line.
func StmtString(s Stmt) string {
	w := &printer{}
	w.stmt(s, levelChoice)
	return w.b.String()
}

// CondString returns the text of a condition.
func CondString(c Cond) string {
	w := &printer{}
	w.cond(c, levelOr)
	return w.b.String()
}

// printer collects text.
type printer struct{ b strings.Builder }

func (w *printer) text(parts ...string) {
	for _, s := range parts {
		w.b.WriteString(s)
	}
}

// names prints the declaration of variables other than parameters, if there are any.
func (w *printer) names(keyword string, list []*Var) {
	sep := keyword + " "
	for _, v := range list {
		if !v.Param {
			w.text(sep, v.Name)
			sep = ", "
		}
	}
	if sep == ", " {
		w.text(";\n")
	}
}

// args prints names in parentheses.
func (w *printer) args(list []Ref) {
	names := make([]string, len(list))
	for i, r := range list {
		names[i] = r.Name
	}
	w.text("(", strings.Join(names, ", "), ")")
}

// Levels of statements and conditions: one stands in parentheses where a tighter one is asked for.
const (
	levelChoice = iota
	levelSeq
	levelBasic

	levelOr  = levelChoice
	levelAnd = levelSeq
	levelNot = levelBasic
)

// within prints between parentheses if own is looser than level.
func (w *printer) within(own, level int, print func()) {
	if own < level {
		w.text("(")
		defer w.text(")")
	}
	print()
}

// stmt prints a statement where one of a level is asked for.
func (w *printer) stmt(s Stmt, level int) {
	switch s := s.(type) {
	case *Assign:
		w.text(s.X.Name, " := ", s.Y.Name)
		for _, f := range s.Fields {
			w.text(".", f.Name)
		}
	case *New:
		w.text(s.X.Name, " := new")
	case *Store:
		w.text(s.X.Name, ".", s.Field.Name, " := ", s.Y.Name)
	case *Skip:
		w.text("skip")
	case *Assert:
		w.text("assert(")
		w.cond(s.Cond, levelOr)
		w.text(")")
	case *Call:
		w.call(s)
	case *Return:
		w.text("return ", s.Y.Name)
	case *Test:
		w.text("[")
		w.cond(s.Cond, levelOr)
		w.text("] ")
		w.stmt(s.Body, levelBasic)
	case *Seq:
		w.list(s.List, "; ", levelSeq, level)
	case *Choice:
		w.list(s.List, " + ", levelChoice, level)
	case *While:
		w.text("while (")
		w.cond(s.Cond, levelOr)
		w.text(") do ")
		w.stmt(s.Body, levelChoice)
		w.text(" od")
	case *If:
		w.conditional(s)
	}
}

// list prints statements of level own with sep between them.
func (w *printer) list(list []Stmt, sep string, own, level int) {
	w.within(own, level, func() {
		for i, t := range list {
			if i > 0 {
				w.text(sep)
			}
			w.stmt(t, own+1)
		}
	})
}

// call prints a call. One without arguments has parentheses if it stands on the right of an assignment:
// a variable may have its name.
func (w *printer) call(s *Call) {
	if s.Result != nil {
		w.text(s.Result.Name, " := ")
	}
	w.text(s.Name.Name)
	if len(s.Args) > 0 || s.Result != nil {
		w.args(s.Args)
	}
}

// conditional prints an if.
func (w *printer) conditional(s *If) {
	w.text("if (")
	w.cond(s.Cond, levelOr)
	w.text(") then ")
	w.stmt(s.Then, levelChoice)
	if s.Else != nil {
		w.text(" else ")
		w.stmt(s.Else, levelChoice)
	}
	w.text(" fi")
}

// cond prints a condition where one of a level is asked for.
func (w *printer) cond(c Cond, level int) {
	switch c := c.(type) {
	case *Compare:
		op := " != "
		if c.Equal {
			op = " = "
		}
		w.text(c.X.Name, op, c.Y.Name)
	case *Not:
		// A comparison after "!" is easier to read in parentheses.
		w.text("!(")
		w.cond(c.X, levelOr)
		w.text(")")
	case *And:
		w.within(levelAnd, level, func() {
			w.cond(c.X, levelAnd)
			w.text(" & ")
			w.cond(c.Y, levelNot)
		})
	case *Or:
		w.within(levelOr, level, func() {
			w.cond(c.X, levelOr)
			w.text(" | ")
			w.cond(c.Y, levelAnd)
		})
	}
}
