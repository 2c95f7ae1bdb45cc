package pushdown

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/boolprog"
	"c2bp/checker/temporal"
	"c2bp/checker/temporal/rite"
	"c2bp/checker/zom"
	"c2bp/verdict"
)

// This file defines the atoms of formulas about Boolean programs:
//
//	@L, @f::L     control is at label L (of procedure f)
//	{x?}, x?, x   Boolean variable x is 1; with braces, x may be a predicate: {n == 1}
//	              if there is no x, it is the predicate {x != 0}
//	{…}           the heap satisfies an expression of package rite; its names are variables, fields of
//	              classes, and Booleans among these
//
// f::x is variable x of procedure f. A variable that cannot be seen where control is is 0, or null.

// Atoms are the atoms of a formula about a program.
type Atoms struct {
	graph *boolprog.Graph
	list  []atom // by number
	temporal.Numbering

	vars   []variable // by the numbers of names
	fields []string   // likewise, minus firstField

	// Of the program of the object model; see link.

	prog    *zom.Program
	globals []bool   // by global: kept although it may be dead
	slots   [][]bool // by procedure and slot, likewise
	bools   [][]bool // by class and field: a Boolean that an atom mentions
	heap    bool     // an atom is about objects
	flags   bool     // an atom mentions a Boolean of objects
}

// atom is an atom: a label, or an expression.
type atom struct {
	label, proc string // proc is "" for all procedures
	rite        *rite.Matcher
}

// shown reports whether runs show the value of the atom: that of a Boolean variable is shown anyway.
func (a *atom) shown() bool {
	return a.rite == nil || a.rite.Expr().Kind != rite.Flag || !a.rite.Expr().Free
}

// text returns an atom as it is written, by its key.
func (a *Atoms) text(key string) string {
	if strings.HasPrefix(key, "@") {
		return key
	}
	return "{" + key + "}"
}

// values returns the values of the atoms that runs show: 0, 1, or * for those that are not known.
func (a *Atoms) values(l temporal.Letter) (list []verdict.Value) {
	for i, key := range a.Keys {
		if !a.list[i].shown() {
			continue
		}
		val := fmt.Sprint(l.Atoms >> i & 1)
		if l.Unknown>>i&1 == 1 {
			val = "*"
		}
		list = append(list, verdict.Value{Name: a.text(key), Val: val})
	}
	return list
}

// variable is a variable that an atom mentions.
type variable struct {
	name string // as it is written, perhaps f::x
	slot []boolprog.Slot
	seen []bool // by procedure: it can be seen there, in this slot
}

// firstField is the number of the first field; the numbers below are those of variables.
const firstField = 1 << 20

// NewAtoms returns atoms for a program: none yet.
func NewAtoms(g *boolprog.Graph) *Atoms { return &Atoms{graph: g} }

// Resolve gives an atom its number: it is a temporal.Resolve.
func (a *Atoms) Resolve(t temporal.AtomText) (int, error) {
	parsed, key, err := a.parse(t)
	if err != nil {
		return 0, err
	}
	n, err := a.Number(key, t)
	if err == nil && n == len(a.list) {
		a.list = append(a.list, parsed)
	}
	return n, err
}

// Label returns the number of the atom of a label, for fairness. It fails with an *UnknownLabelError.
func (a *Atoms) Label(name string) (int, error) {
	proc, label, qualified := strings.Cut(name, "::")
	if !qualified {
		proc, label = "", name
	}
	if !a.hasLabel(proc, label) {
		return 0, &UnknownLabelError{name, a.labels()}
	}
	key := "@" + name
	n := slices.Index(a.Keys, key)
	if n < 0 {
		n = len(a.list)
		a.Keys, a.list = append(a.Keys, key), append(a.list, atom{label: label, proc: proc})
	}
	if n >= temporal.MaxAtoms {
		return 0, fmt.Errorf("more than %d different atoms", temporal.MaxAtoms)
	}
	return n, nil
}

// UnknownLabelError says that no procedure has a label.
type UnknownLabelError struct {
	Label string
	Known []string
}

func (e *UnknownLabelError) Error() string {
	if len(e.Known) == 0 {
		return fmt.Sprintf("no label %q: the program has no labels", e.Label)
	}
	return fmt.Sprintf("no label %q; expected one of: %s", e.Label, strings.Join(e.Known, ", "))
}

// hasLabel reports whether a procedure, or any one if proc is "", has a label.
func (a *Atoms) hasLabel(proc, label string) bool {
	for _, p := range a.graph.Procs {
		for _, n := range p.Nodes {
			if (proc == "" || proc == p.Proc.Name) && slices.Contains(n.Labels, label) {
				return true
			}
		}
	}
	return false
}

// labels returns the labels of the program, each once.
func (a *Atoms) labels() (out []string) {
	for _, p := range a.graph.Procs {
		for _, n := range p.Nodes {
			for _, l := range n.Labels {
				if !slices.Contains(out, l) {
					out = append(out, l)
				}
			}
		}
	}
	return out
}

// parse reads an atom. Atoms with the same key mean the same.
func (a *Atoms) parse(t temporal.AtomText) (out atom, key string, err error) {
	// 1. A label.
	if name, is := strings.CutPrefix(t.Text, "@"); is {
		proc, label, qualified := strings.Cut(name, "::")
		if !qualified {
			proc, label = "", name
		}
		if !a.hasLabel(proc, label) {
			return atom{}, "", t.Errorf("%v", &UnknownLabelError{name, a.labels()})
		}
		return atom{label: label, proc: proc}, t.Text, nil
	}
	// 2. A predicate, or the name of a Boolean variable, stands for the variable.
	text, at, braced := t.Braced()
	if name := "{" + strings.TrimSpace(text) + "}"; braced && a.isBoolean(name) {
		return a.flag(name), name, nil
	}
	if !braced {
		text, at = t.Text, t.At
		if name := a.boolean(strings.TrimSuffix(text, "?")); name != "" {
			return a.flag(name), name + "?", nil
		}
	}
	// 3. An expression.
	e, err := rite.Parse(t.File, at, at+len(text), scope{a})
	if err != nil {
		return atom{}, "", err
	}
	e.Walk(func(e *rite.Expr) {
		if (e.Kind == rite.Flag || e.Kind == rite.NotFlag) && e.Free && a.hasField(e.Name, false) && err == nil {
			err = t.File.Errorf(e.Pos, "%q is a variable and a field", e.Name)
		}
	})
	return atom{rite: rite.Compile(e)}, e.String(), err
}

// flag returns the atom of a Boolean variable.
func (a *Atoms) flag(name string) atom {
	id, _ := a.variable(name, false)
	return atom{rite: rite.Compile(&rite.Expr{Kind: rite.Flag, Name: name, ID: id, Free: true})}
}

// boolean returns the name of the Boolean variable that a name stands for: its own or, for a variable of C, that
// of the predicate {x != 0}; "" if there is none.
func (a *Atoms) boolean(name string) string {
	for _, n := range []string{name, "{" + name + " != 0}"} {
		if a.isBoolean(n) {
			return n
		}
	}
	return ""
}

// isBoolean reports whether a name is that of a Boolean variable.
func (a *Atoms) isBoolean(name string) bool {
	_, ok := a.variable(name, false)
	return ok
}

// variable returns the number of a variable that leads to objects, or of a Boolean. A name that has both kinds in
// different procedures has none.
func (a *Atoms) variable(name string, ref bool) (id int, ok bool) {
	proc, bare, qualified := strings.Cut(name, "::")
	if !qualified || strings.HasPrefix(name, "{") {
		proc, bare = "", name
	}
	v := variable{name: name, slot: make([]boolprog.Slot, len(a.graph.Procs)), seen: make([]bool, len(a.graph.Procs))}
	found := false
	for i, p := range a.graph.Procs {
		s, here := p.Slot(bare)
		if !here || proc != "" && (proc != p.Proc.Name || s.Global) {
			continue
		}
		if (a.graph.Var(p, bare).Class != "") != ref {
			return 0, false
		}
		v.slot[i], v.seen[i], found = s, true, true
	}
	if !found {
		return 0, false
	}
	for i := range a.vars {
		if a.vars[i].name == name {
			return i, true
		}
	}
	a.vars = append(a.vars, v)
	return len(a.vars) - 1, true
}

// hasField reports whether a class has a field that leads to objects, or is Boolean.
func (a *Atoms) hasField(name string, ref bool) bool {
	for _, c := range a.graph.Prog.Classes {
		if f, _ := c.Field(name); f != nil && f.Type().Ref == ref {
			return true
		}
	}
	return false
}

// field returns the number of a field.
func (a *Atoms) field(name string) int {
	i := slices.Index(a.fields, name)
	if i < 0 {
		i = len(a.fields)
		a.fields = append(a.fields, name)
	}
	return firstField + i
}

// scope is the names of a program for package rite.
type scope struct{ *Atoms }

func (s scope) Variable(name string) (int, bool) { return s.variable(name, true) }

func (s scope) Field(name string) (int, bool) {
	if !s.hasField(name, true) {
		return 0, false
	}
	return s.field(name), true
}

func (s scope) Flag(name string) (id int, free, ok bool) {
	if id, ok := s.variable(name, false); ok {
		return id, true, true
	}
	if s.hasField(name, false) {
		return s.field(name), false, true
	}
	// A variable or member of C is the predicate that it is not 0.
	if predicate := "{" + name + " != 0}"; !strings.HasPrefix(name, "{") {
		return s.Flag(predicate)
	}
	return 0, false, false
}

func (s scope) Names() (out []string) {
	vars := slices.Clone(s.graph.Globals)
	for _, p := range s.graph.Procs {
		vars = append(vars, p.Vars...)
	}
	for _, v := range vars {
		out = append(out, v.Name)
	}
	for _, c := range s.graph.Prog.Classes {
		for _, f := range c.Fields {
			out = append(out, f.Name)
		}
	}
	return out
}
