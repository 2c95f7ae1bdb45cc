package harness

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file says what stands before a call in the loop: a request for the index of a function in its table, and
// calls that the kernel makes first.

// numbered returns s with a variable as the argument that has the index of the function in its table, and the
// begin of a block that declares it; s itself if it needs none.
func (p *plan) numbered(s *step) (*step, []string) {
	for _, x := range p.table.indexes {
		if x.record != s.m.record || x.member != s.m.member || len(s.m.indexes) == 0 || x.argument >= len(s.args) {
			continue
		}
		typ := s.m.fn.parameters()[x.argument]
		decl, ok := declaration(typ, "given")
		if !ok || !leadsThrough(ctree.Pointee(typ), x.path) {
			continue
		}
		var is []string
		for _, i := range s.m.indexes {
			is = append(is, fmt.Sprintf("given->%s == %d", x.path, i))
		}
		with := *s
		with.args = slices.Clone(s.args)
		with.args[x.argument] = "given"
		p.assume("a struct %s that %s is given is one for its index in .%s", recordName(ctree.Pointee(typ)), s.m.fn.name, x.member)
		return &with, []string{"{", "\t" + decl + " = " + s.args[x.argument] + ";", fmt.Sprintf("\t__VERIFIER_assume(given != 0 && (%s));", strings.Join(is, " || "))}
	}
	return s, nil
}

// leadsThrough reports whether the members of path are there, from a structure of type t on.
func leadsThrough(t cc.Type, path string) bool {
	for _, name := range steps(path) {
		if to := ctree.Pointee(t); to != nil {
			t = to
		}
		s, ok := t.(interface{ FieldByName(string) *cc.Field })
		if !ok || s.FieldByName(name) == nil {
			return false
		}
		t = s.FieldByName(name).Type()
	}
	return true
}

// prepares reports whether the step s has a call of b before it: the file knows the function, and the argument is the
// pointer that was registered. Without that function the driver cannot tell; any other pointer is assumed to be
// one of which the kernel has done the same.
func (p *plan) prepares(main *finder, s *step, b preparation) bool {
	if main.declared[b.function] == nil && main.own[b.function] == nil || b.argument >= len(s.args) {
		return false
	}
	if s.handler.data[b.argument] == "" {
		p.assume("%s is called without %s before", s.m.fn.name, b.function)
		return false
	}
	return true
}
