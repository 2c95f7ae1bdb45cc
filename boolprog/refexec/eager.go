package refexec

import "c2bp/boolprog"

// This file decides fields before they are read, as a report tells them.

// decide gives undecided fields the values that m tells: a choice that the first read might make as well. A name
// that no variable leads to is that of a new object, whose fields are undecided, too.
func (s *state) decide(p *boolprog.Program, m Moment) {
	// 1. The objects that names stand for, as far as variables and decided fields tell. Contradictions are left to
	// like.
	named := map[string]*object{}
	bind := func(text string, v value) (isNew bool) {
		o, is := v.(*object)
		if !is || o == nil || text == "*" || text == "null" || named[text] != nil {
			return false
		}
		named[text] = o
		return true
	}
	for _, v := range m.Values {
		bind(v.Val, *s.variable(v.Name))
	}
	for grew := true; grew; {
		grew = false
		for _, o := range m.Heap {
			at := named[o.Name]
			if at == nil || len(at.fields) != len(o.Fields) {
				continue
			}
			for i, f := range o.Fields {
				grew = bind(f.Val, at.fields[i]) || grew
			}
		}
	}
	// 2. The undecided ones. An object is told after one that leads to it, so that it is met in time.
	for _, o := range m.Heap {
		at := named[o.Name]
		if at == nil || len(at.fields) != len(o.Fields) {
			continue
		}
		for i, f := range o.Fields {
			if _, open := at.fields[i].(undecided); open && f.Val != "*" {
				at.fields[i] = told(p, f.Val, at.class.Fields[i], named)
			}
		}
	}
}

// told returns the value of a field that a report tells.
func told(p *boolprog.Program, text string, f *boolprog.Field, named map[string]*object) value {
	switch {
	case f.Class == "":
		return text == "1"
	case text == "null":
		return null
	case named[text] == nil:
		o := &object{class: p.Class(f.Class)}
		for range o.class.Fields {
			o.fields = append(o.fields, undecided{})
		}
		named[text] = o
	}
	return named[text]
}
