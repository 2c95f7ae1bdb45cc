package core

import (
	"fmt"
	"strings"
)

// This file defines the text form of programs, the one that golden tests and --dump core show. It
// is made for people; nothing reads it back.

// String returns the whole program: the ledger, the globals, the procedures.
func (p *Program) String() string {
	var b strings.Builder
	for _, line := range p.Ledger {
		fmt.Fprintf(&b, "// assume %s\n", line)
	}
	for _, g := range p.Globals {
		b.WriteString(declaration(g) + "\n")
	}
	for _, q := range p.Procs {
		// A blank line between procedures, and after the declarations.
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(q.String())
	}
	return b.String()
}

// maxColumn bounds the column of the arrows, so that one long statement does not
// push all the others' successors out of sight.
const maxColumn = 48

// String returns the procedure as a labelled list of nodes, see the package comment.
// The variable that is returned is named where it is not \result.
func (p *Proc) String() string {
	var b strings.Builder
	b.WriteString(p.signature() + "\n")
	for _, v := range p.Locals {
		b.WriteString("  " + declaration(v) + "\n")
	}
	if p.Variadic != nil {
		fmt.Fprintf(&b, "  variadic %s\n", p.Variadic.Name)
	}
	if p.Result != nil && p.Result.Name != `\result` {
		fmt.Fprintf(&b, "  result %s\n", p.Result.Name)
	}
	// Node by node: labels, index, statement, and successors in a column of arrows.
	digits := len(fmt.Sprint(len(p.Nodes) - 1))
	column := p.arrowColumn()
	for i, n := range p.Nodes {
		for _, l := range n.Labels {
			b.WriteString(l + ":\n")
		}
		text := "nil"
		if n.Stmt != nil {
			text = StmtString(n.Stmt)
		}
		line := fmt.Sprintf("  %*d: %-*s", digits, i, column, text)
		if len(n.Succ) > 0 {
			line += " -> " + strings.Trim(fmt.Sprint(n.Succ), "[]")
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// signature returns the head line of p: proc f(x int32, p ptr) int32, with extern in front if it
// has no body.
func (p *Proc) signature() string {
	var formals []string
	for _, v := range p.Formals {
		formals = append(formals, v.Name+" "+typeAndMarks(v))
	}
	s := fmt.Sprintf("proc %s(%s)", p.Name, strings.Join(formals, ", "))
	if p.RetType != nil && p.RetType != Type(Void{}) {
		s += " " + p.RetType.String()
	}
	if !p.HasBody() {
		s = "extern " + s
	}
	return s
}

// arrowColumn returns the width of the widest statement of p, within bounds.
func (p *Proc) arrowColumn() int {
	w := 0
	for _, n := range p.Nodes {
		if n.Stmt != nil {
			w = max(w, len(StmtString(n.Stmt)))
		}
	}
	return min(w, maxColumn)
}

// declaration returns the line that declares v: its kind, name, type and marks.
func declaration(v *Var) string {
	return v.Kind.String() + " " + v.Name + " " + typeAndMarks(v)
}

// typeAndMarks returns the type of v and its other properties; & stands for an address-taken
// variable.
func typeAndMarks(v *Var) string {
	s := "?"
	if v.Type != nil {
		s = v.Type.String()
	}
	if v.AddrTaken {
		s += " &"
	}
	if v.Volatile {
		s += " volatile"
	}
	if v.Logical {
		s += " logical"
	}
	if v.Init != nil {
		s += " = " + ExprString(v.Init)
	}
	return s
}

// StmtString returns one statement on one line:
//
//	x, y := y, x
//	havoc x, [region] "write through pointer p"
//	x := (uint8)f(a + 1, ?)
//
// where [region] stands for all address-taken variables and ? for an opaque argument.
func StmtString(s Stmt) string {
	switch s := s.(type) {
	case *Skip:
		return "skip"
	case *Branch:
		return "branch"
	case *Assume:
		return "assume " + ExprString(s.Cond)
	case *Assert:
		if s.Check != nil {
			return fmt.Sprintf("assert %s (%s)", ExprString(s.Cond), s.Check.Name)
		}
		return "assert " + ExprString(s.Cond)
	case *Assign:
		return locs(s.Lhs) + " := " + exprs(s.Rhs)
	case *Havoc:
		return havocString(s)
	case *Copy:
		return fmt.Sprintf("copy %s%s, %s, %s%s", charsPrefix(s.Chars), ExprString(s.Dst), ExprString(s.Src), ExprString(s.Size), partList(s.Parts))
	case *Fill:
		b := "?"
		if s.Byte != nil {
			b = ExprString(s.Byte)
		}
		return fmt.Sprintf("fill %s%s, %s, %s%s", charsPrefix(s.Chars), ExprString(s.Dst), ExprString(s.Size), b, why(s.Why))
	case *Data:
		return fmt.Sprintf("data %s, %s", ExprString(s.Dst), dataString(s.Bytes))
	case *Alloc:
		text := fmt.Sprintf("%s := %s %s", ExprString(s.Lhs), map[bool]string{true: "stackalloc", false: "alloc"}[s.Stack], ExprString(s.Size))
		if s.Moved {
			text += ", moved"
		}
		if s.Unset != nil {
			text += ", unset " + s.Unset.String()
		}
		return text
	case *Free:
		return "free " + ExprString(s.Ptr)
	case *Call:
		return callString(s)
	case *Return:
		return "return"
	}
	panic(fmt.Sprintf("core: unknown statement %T", s))
}

// havocString returns a Havoc: begin for one with Begin.
func havocString(s *Havoc) string {
	what := locs(s.Locs)
	if s.Region {
		if what != "" {
			what += ", "
		}
		what += "[region]"
	}
	if s.Begin {
		return "begin " + what + unset(s) + why(s.Why)
	}
	if s.Reads != nil {
		what += " from volatile " + ExprString(s.Reads)
	}
	return "havoc" + strings.TrimRight(" "+what, " ") + sources(s.From) + why(s.Why)
}

// charsPrefix says that the bytes of a statement are characters.
func charsPrefix(chars bool) string {
	if chars {
		return "chars "
	}
	return ""
}

// unset lists the bytes of the locations that may be read before they are set.
func unset(s *Havoc) string {
	var out []string
	for i, r := range s.Unset {
		if r != nil {
			text := r.String()
			if len(s.Locs) > 1 {
				text = "of " + ExprString(s.Locs[i]) + " " + text
			}
			out = append(out, text)
		}
	}
	if out == nil {
		return ""
	}
	return ", unset " + strings.Join(out, ", ")
}

// sources lists the values that went into one that is not represented: "from x, 8 bytes at &y".
func sources(list []Source) string {
	var out []string
	for _, x := range list {
		var text string
		// A value, bytes of unknown number, or a number of bytes.
		switch {
		case x.Value != nil:
			text = ExprString(x.Value)
		case x.Size == nil:
			text = "bytes at " + ExprString(x.At)
		default:
			text = ExprString(x.Size) + " bytes at " + ExprString(x.At)
		}
		if x.Outside {
			text += ", now known outside"
		}
		out = append(out, text)
	}
	if out == nil {
		return ""
	}
	return " from " + strings.Join(out, ", ")
}

// why returns a diagnostic text in quotes, or nothing.
func why(text string) string {
	if text == "" {
		return ""
	}
	return fmt.Sprintf(" %q", text)
}

// partList lists the scalars of a copy: " [0 int32, 8 ptr*3]".
func partList(list []Part) string {
	if len(list) == 0 {
		return ""
	}
	var out []string
	for _, p := range list {
		s := fmt.Sprintf("%d %s", p.Off, p.Typ)
		if p.Bit != 0 {
			s += fmt.Sprintf("@%d", p.Bit)
		}
		if p.Count != 1 {
			s += fmt.Sprintf("*%d", p.Count)
		}
		out = append(out, s)
	}
	return " [" + strings.Join(out, ", ") + "]"
}

// maxData bounds the bytes that are printed of a Data node.
const maxData = 64

// dataString returns bytes in quotes, the first ones if there are many.
func dataString(b []byte) string {
	if len(b) > maxData {
		return fmt.Sprintf("%q... (%d bytes)", b[:maxData], len(b))
	}
	return fmt.Sprintf("%q", b)
}

// callString returns a call with the conversion of its result.
func callString(s *Call) string {
	callee := "?"
	switch {
	case s.Callee != nil:
		callee = s.Callee.Name
	case s.Target != nil:
		callee = "(" + ExprString(s.Target) + ")"
	}
	args := exprs(s.Args)
	if len(s.Extra) > 0 {
		args += "; " + exprs(s.Extra)
	}
	text := fmt.Sprintf("%s(%s)", callee, args)
	if s.ResultConv != nil {
		text = fmt.Sprintf("(%s)%s", s.ResultConv, text)
	}
	if s.Lhs != nil {
		text = ExprString(s.Lhs) + " := " + text
	}
	return text
}

// exprs returns the texts of list, separated by commas.
func exprs(list []Expr) string {
	var out []string
	for _, e := range list {
		out = append(out, ExprString(e))
	}
	return strings.Join(out, ", ")
}

// locs returns the texts of list, separated by commas.
func locs(list []Loc) string {
	var out []string
	for _, l := range list {
		out = append(out, ExprString(l))
	}
	return strings.Join(out, ", ")
}
