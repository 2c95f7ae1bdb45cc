package slic

import (
	"fmt"
	"slices"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file defines rules as they are applied to a program.

// Rule is a rule and its relation to a program.
type Rule struct {
	*syntax.Checked

	// Applies is set if the program mentions one of the functions that the rule is about.
	Applies bool
	// Sites are the places of functions of the program's files that mention a function at whose events
	// something is done.
	Sites []frontend.Mention
	// Never are those of Sites in functions that the program never calls: of what would happen there
	// nothing is known.
	Never []frontend.Mention
	// Concurrent is set if the program has threads or handlers of signals, whose calls a run does not have
	// in their order.
	Concurrent bool
	// Entered is set if main calls an entry point of those that the rule has events of. Required are the types of
	// these, without those that are optional. Indirect are calls of functions that are not known in main: they may be entry
	// points, and are no events.
	Entered  bool
	Required []string
	Indirect []source.Pos
	// Happens is set if the program reaches a place where something is done for an event.
	Happens bool
	// Aborts are the ways to violate the rule, in the order of the text.
	Aborts []*Abort

	state    map[string]bool // names of ghost variables and constants
	actions  []*action
	nestings []*nesting
	entries  []*syntax.Signature // of events
	assumed  []*syntax.Assume
}

// Abort is an abort statement of a rule.
type Abort struct {
	*syntax.Abort
	Rule *Rule
}

// String returns the text by which a property site of the program shows the abort:
//
//	spinlock: double-lock: taken twice
func (a *Abort) String() string {
	return fmt.Sprintf("%s: %s: %s", a.Rule.Name.Text, a.Key, a.Text)
}

// newRule returns the rule of k without anything of a program.
func newRule(k *syntax.Checked) *Rule {
	r := &Rule{Checked: k, state: map[string]bool{}}
	for _, g := range k.Ghosts {
		r.state[g.Name.Text] = true
		for _, c := range g.Enum {
			r.state[c.Text] = true
		}
	}
	for _, h := range k.Handlers {
		r.statements(h.Body)
	}
	return r
}

// statements numbers the aborts in s, and notes its assumptions. An instance of a parametrised rule
// shares its bodies with others, but has aborts of its own.
func (r *Rule) statements(s syntax.Stmt) {
	switch s := s.(type) {
	case *syntax.Block:
		for _, s := range s.List {
			r.statements(s)
		}
	case *syntax.If:
		r.statements(s.Then)
		if s.Else != nil {
			r.statements(s.Else)
		}
	case *syntax.Abort:
		r.Aborts = append(r.Aborts, &Abort{s, r})
	case *syntax.Assume:
		r.assumed = append(r.assumed, s)
	}
}

// global returns the C name of a variable of c2bp for the rule.
func (r *Rule) global(name string) string { return r.Name.Text + "$" + name }

// Obligations returns the C names of the variables that say at the end of the program that something was not given back; none if
// the rule looks at the exits of entry points already, so that each entry begins without any.
func (r *Rule) Obligations() (list []string) {
	for _, h := range r.Handlers {
		if h.Has(syntax.AtEntrypoint) {
			return nil
		}
	}
	for _, g := range r.Ghosts {
		if slices.ContainsFunc(r.Handlers, func(h *syntax.Handler) bool { return h.Has(syntax.AtEnd) && syntax.Mentions(h.Body, g.Name.Text) }) {
			list = append(list, r.ghost(g.Name.Text))
		}
	}
	return list
}

// ghost returns the C name of a variable or constant of the rule's state, which is none of c2bp's own.
func (r *Rule) ghost(name string) string {
	switch name {
	case "watch", "none", "alive", "base", "taken", "off":
		name += "$"
	}
	return r.global(name)
}

// abort returns the C name of the function that stands for s.
func (r *Rule) abort(s *syntax.Abort) string {
	return r.abortName(slices.IndexFunc(r.Aborts, func(a *Abort) bool { return a.Abort == s }))
}

// abortName returns the C name of the function that stands for abort i.
func (r *Rule) abortName(i int) string { return r.global(fmt.Sprintf("abort$%d", i)) }

// functions returns the names of all functions at whose events the rule does something: those of its
// events, and their aliases.
func (r *Rule) functions(events []*syntax.Event) (list []string) {
	add := func(e *syntax.Point) {
		if e.Label {
			return
		}
		for _, n := range namesOf(e.Func.Text, events) {
			if !slices.Contains(list, n) {
				list = append(list, n)
			}
		}
	}
	for _, h := range r.Handlers {
		for _, e := range h.Events {
			add(e)
		}
	}
	for _, l := range r.Lives {
		add(l.Event)
	}
	return list
}

// builtin returns the name by which the compiler has a function of its own of that name.
func builtin(name string) string { return "__builtin_" + name }

// namesOf returns the names of the functions that mean the event called name: itself, the function of the
// compiler, and its aliases; none if it is an event of entry points.
func namesOf(name string, events []*syntax.Event) []string {
	list := []string{name, builtin(name)}
	for _, e := range events {
		if e.Name.Text == name && e.OfEntries() {
			return nil
		}
		if e.Name.Text == name {
			for _, a := range e.Aliases {
				list = append(list, a.Func.Text)
			}
		}
	}
	return list
}

// action holds the bodies of one rule for one end of one function: a procedure of the program while it is
// lowered, and then its body at each event.
type action struct {
	rule  *Rule
	fn    *frontend.Function // nil for points of the program
	exit  bool
	entry bool   // at calls by main
	label string // or a label
	point string // or "init", "end", "entrypoint"
	name  string // of the procedure
	// The arguments of the procedure: parameters of fn by number, and last its result.
	params []int
	result bool
	// The arguments that point to the object of the rule.
	objects []objectParam

	proc *core.Proc
	pos  source.Pos // of the first handler
}

// objectParam is an argument of an action that points to the object of the rule; with within it points to a
// member of it, and with part to something of which the object is a member.
type objectParam struct {
	index        int
	within, part bool
}
