package report

import (
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"c2bp/verdict"
)

// This file prints traces.

// maxWidth is the column at which a list of variables is wrapped.
const maxWidth = 100

// row is one statement of the printed trace: several steps of the Boolean program if they belong to
// one C statement.
type row struct {
	where, node string
	depth       int
	text, mark  string
	before      []verdict.Value // what changed since the last row
	gap         bool            // stands for rows left out
}

// writeTrace prints the run to the failing site of r, and nothing if the result has no trace.
func writeTrace(w io.Writer, r *verdict.Result) {
	if r.Trace == nil || len(r.Trace.Steps) == 0 {
		return
	}
	steps := r.Trace.Steps
	dir := commonDir(steps)
	if dir != "" {
		fmt.Fprintf(w, "The failing run, in %s (| shows the variables that changed):\n\n", dir)
	} else {
		fmt.Fprint(w, "The failing run (| shows the variables that changed):\n\n")
	}
	// 1. Group steps into rows, and shorten loops.
	rows := traceRows(steps, dir, newHistory(steps))
	rows[len(rows)-1].mark = failure(r.Sites[r.Failed])
	writeRows(w, elide(rows))
	// 2. The state in the end.
	last := steps[len(steps)-1]
	writeFinalState(w, slices.Concat(last.Values, fields(last.Heap)))
}

// writeRows prints the rows of a trace in columns.
func writeRows(w io.Writer, rows []row) {
	// 1. The widths of columns.
	where, node := 0, 0
	for _, r := range rows {
		where = max(where, utf8.RuneCountInString(r.where))
		node = max(node, utf8.RuneCountInString(r.node))
	}
	margin := 2 + where + 2 + node + 2
	for i, r := range rows {
		// 2. The values of a step are those before it, but a reader expects the effect below a
		// statement: a change is shown at the indentation of the statement above. The first values
		// of a called procedure are at its own.
		depth := r.depth
		if i > 0 {
			depth = max(depth, rows[i-1].depth)
		}
		writeValues(w, margin+2*depth, r.before)
		if r.mark != "" {
			r.mark = "  [" + r.mark + "]"
		}
		fmt.Fprintf(w, "  %-*s  %-*s  %s%s%s\n", where, r.where, node, r.node, strings.Repeat("  ", r.depth), r.text, r.mark)
	}
	fmt.Fprintln(w)
}

// fields returns the fields of objects as if they were variables: A0.next = A1.
func fields(heap []verdict.Object) (list []verdict.Value) {
	for _, o := range heap {
		for _, f := range o.Fields {
			list = append(list, verdict.Value{Name: o.Name + "." + f.Name, Val: f.Val})
		}
	}
	return list
}

// commonDir returns the directory of all files in the trace if it is the same and not empty, with a
// slash at the end; else "".
func commonDir(steps []verdict.Step) string {
	common, first := "", true
	for _, s := range steps {
		if !s.Pos.IsValid() {
			continue
		}
		// Steps without a place do not matter.
		dir, _ := path.Split(s.Pos.File)
		if !first && dir != common {
			return ""
		}
		common, first = dir, false
	}
	return common
}

// failure returns the remark after the last statement of a trace.
func failure(s verdict.Site) string {
	switch s.Kind {
	case verdict.Label:
		return "label " + s.Name + " reached"
	case verdict.Dereference:
		return "dereferences null"
	case verdict.Check:
		return s.Name + ": " + s.Text
	}
	return "fails"
}

// writeFinalState lists the final values of variables, except those that the failure does not
// depend on.
func writeFinalState(w io.Writer, vals []verdict.Value) {
	var fixed []verdict.Value
	for _, v := range vals {
		if v.Val != "*" && !isTemporary(v.Name) {
			fixed = append(fixed, v)
		}
	}
	if len(fixed) == 0 {
		return
	}
	fmt.Fprintln(w, "In this state:")
	writeValues(w, 2, fixed)
	fmt.Fprintln(w)
}

// traceRows groups steps into rows and finds the changes between them. The steps of one C statement
// are one row, so that its net effect is shown. told knows the values shown before.
func traceRows(steps []verdict.Step, dir string, told *history) []row {
	var rows []row
	group := map[string]bool{} // the steps in the last row
	for i, s := range steps {
		// 1. A further step of the same statement only adds its remark.
		key := s.Node + " " + s.Stmt
		if i > 0 && sameStatement(steps[i-1], s) && !group[key] {
			group[key] = true
			if m := mark(s); m != "" {
				rows[len(rows)-1].mark = m
			}
			continue
		}
		// 2. Skip nodes that the C program does not have.
		if i < len(steps)-1 && silent(s) {
			continue
		}
		// 3. A new row.
		clear(group)
		group[key] = true
		r := row{
			where: clipped(strings.TrimPrefix(where(s), dir)), node: nodeOf(s), depth: s.Depth,
			text: statement(s), mark: mark(s), before: told.changes(s),
		}
		if i > 0 && steps[i-1].Depth > s.Depth && r.mark == "" {
			r.mark = "back from the call"
		}
		rows = append(rows, r)
	}
	return rows
}

// silent reports whether s is a node without a C statement at which nothing happens.
func silent(s verdict.Step) bool {
	return s.Node != "" && (s.Text == "" || s.Text == s.Stmt) && strings.TrimSuffix(s.Stmt, ";") == "skip"
}

// sameStatement reports whether b continues the C statement of a. A statement may be several nodes,
// and a node several statements of the Boolean program.
func sameStatement(a, b verdict.Step) bool {
	a.Pos.Col = b.Pos.Col // a part of it has a place of its own
	return a.Node != "" && b.Node != "" && a.Depth == b.Depth && a.Proc == b.Proc && a.Pos == b.Pos && a.Text == b.Text
}

// where returns the place of a step, "-" if it is unknown.
func where(s verdict.Step) string {
	if !s.Pos.IsValid() {
		return "-"
	}
	return fmt.Sprintf("%s:%d", s.Pos.File, s.Pos.Line)
}

// nodeOf returns the node of a step, or its procedure.
func nodeOf(s verdict.Step) string {
	if s.Node == "" {
		return s.Proc
	}
	return s.Node
}

// statement returns the C text of a step, or its text in the Boolean program.
func statement(s verdict.Step) string {
	if s.Text != "" {
		return oneLine(s.Text)
	}
	return oneLine(s.Stmt)
}

// mark returns the remark after a statement, or "".
func mark(s verdict.Step) string {
	switch {
	case s.Note != "":
		return s.Note
	case s.Collapsed:
		return "call taken as one step"
	case strings.HasPrefix(s.Text, "switch"): // one of its cases holds or does not
		return ""
	case s.Origin == "branch-true":
		return "holds"
	case s.Origin == "branch-false":
		return "does not hold"
	}
	return ""
}

// temporary matches the variables that an abstraction adds to pass values; they are no predicates.
var temporary = regexp.MustCompile(`^(prm|ret)\d+$`)

func isTemporary(name string) bool { return temporary.MatchString(name) }

// history is the last printed value of each variable: of globals once, of locals for each call
// depth.
type history struct {
	isGlobal map[string]bool
	globals  map[string]string
	frames   []frame
}

// frame has the values of locals at one call depth.
type frame struct {
	proc string
	vals map[string]string
}

// newHistory treats as global a variable that is in scope in every procedure of the trace. A local
// that all of them happen to have is treated likewise: it is shown when its value is not that of
// the step before.
func newHistory(steps []verdict.Step) *history {
	inScope := map[string]map[string]bool{} // variable → procedures
	procs := map[string]bool{}
	for _, s := range steps {
		procs[s.Proc] = true
		for _, v := range s.Values {
			if inScope[v.Name] == nil {
				inScope[v.Name] = map[string]bool{}
			}
			// Collect the procedures in which each variable is in scope.
			inScope[v.Name][s.Proc] = true
		}
	}
	h := &history{isGlobal: map[string]bool{}, globals: map[string]string{}}
	for name, in := range inScope {
		h.isGlobal[name] = len(in) == len(procs)
	}
	return h
}

// changes returns the values of s that have not been printed yet, in the order of s. A variable
// that was never printed counts as "*".
func (h *history) changes(s verdict.Step) []verdict.Value {
	locals := h.enter(s).vals
	var out []verdict.Value
	for _, v := range s.Values {
		// Globals are remembered once, locals by call depth.
		known := locals
		if h.isGlobal[v.Name] {
			known = h.globals
		}
		old, ok := known[v.Name]
		if !ok {
			old = "*"
		}
		if old != v.Val && (s.Node == "" || !isTemporary(v.Name)) {
			out = append(out, v)
		}
		known[v.Name] = v.Val
	}
	for _, v := range s.Atoms {
		if h.globals[v.Name] != v.Val {
			out = append(out, v)
		}
		h.globals[v.Name] = v.Val
	}
	// Fields of objects are global; an object that was never shown is new.
	for _, v := range fields(s.Heap) {
		if h.globals[v.Name] != v.Val {
			out = append(out, v)
		}
		h.globals[v.Name] = v.Val
	}
	return out
}

// enter returns the frame of s, and drops those that have been left.
func (h *history) enter(s verdict.Step) *frame {
	if len(h.frames) > s.Depth+1 {
		h.frames = h.frames[:s.Depth+1]
	}
	for len(h.frames) <= s.Depth {
		h.frames = append(h.frames, frame{})
	}
	// Another procedure at this depth is another call.
	f := &h.frames[s.Depth]
	if f.vals == nil || f.proc != s.Proc {
		*f = frame{proc: s.Proc, vals: map[string]string{}}
	}
	return f
}

// writeValues prints a list of variables at an indentation, wrapped.
//
//	| {n == 0} = 1, {locked == 1} = 0
func writeValues(w io.Writer, indent int, vals []verdict.Value) {
	line, used := "", 0
	flush := func() {
		if line != "" {
			fmt.Fprintf(w, "%s|%s\n", strings.Repeat(" ", indent), line)
		}
		line, used = "", 0
	}
	for _, v := range vals {
		// An item goes to the next line if it does not fit.
		item := v.Name + " = " + v.Val
		n := utf8.RuneCountInString(item)
		if used > 0 && indent+used+n+3 > maxWidth {
			flush()
		}
		if used > 0 {
			line += ","
		}
		line += " " + item
		used += n + 2
	}
	flush()
}

// oneLine replaces control characters, including ends of lines, by spaces.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, s)
}
