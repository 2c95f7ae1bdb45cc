package harness

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file finds the functions for other files that come in pairs: one begins the life of an object, the other ends
// it. Their names differ in one word only, and a row "pair" of lifetimes.txt has the two words:
//
//	struct port *port_get(int number);                    get: returns the object
//	void port_put(struct port *);                         put
//
//	int hub_init(struct config *, struct hub **);         init: leaves it where the argument points to
//	void hub_free(struct hub *);                          free
//
//	int filter_register(struct filter *);                 register: is given it
//	void filter_unregister(struct filter *);              unregister
//
// Other files call the second one for what the first has begun. That they do not call it for anything else is an
// assumption: a function that gives a reference back, say, may do anything with an object that has none.

// pairWords is a row "pair".
type pairWords struct {
	begin string
	ends  []string
}

// role is the part that a function has in a pair.
type role struct {
	of       *object
	ends     bool   // it ends the object, else it begins it
	argument int    // from 0: the object, or, of what begins it, where it is left; -1 if that is the result
	left     bool   // the argument says where the object is left
	member   string // of the object, whose address is the argument; "" for the object itself
}

// role returns the part of m in a pair of functions for other files, which is one; nil if it has none.
func (m *mention) role() *role {
	if len(m.roles) == 0 {
		return nil
	}
	return m.roles[0]
}

// counterparts returns the names of the functions that begin the objects which the function called name ends.
func (t *lifetimes) counterparts(name string) (list []string) {
	words := strings.Split(name, "_")
	for i, w := range words {
		for _, p := range t.pairs {
			if slices.Contains(p.ends, w) {
				list = append(list, withWord(words, i, p.begin))
			}
		}
	}
	return list
}

// withWord returns the name of these words, with another one in the place of word i.
func withWord(words []string, i int, w string) string {
	return strings.Join(slices.Concat(words[:i], []string{w}, words[i+1:]), "_")
}

// findPairs finds the pairs among the functions for other files. One that begins something is an entry, though the
// driver may also call it itself, if the one that ends it is.
func (p *plan) findPairs() {
	for _, end := range slices.Clone(p.entries) {
		if end.how != forOthers || end.sequence != nil {
			continue
		}
		for _, name := range p.table.counterparts(end.fn.name) {
			begin := p.forOther(name)
			if begin == nil || begin.sequence != nil || begin.role() != nil && begin.role().ends {
				continue
			}
			p.join(begin, end)
		}
	}
}

// forOther returns the mention of the function called name as one for other files, which is nil if it is static, or
// called in another way; it need not be an entry yet.
func (p *plan) forOther(name string) *mention {
	for _, u := range p.units {
		fn := u.own[name]
		if fn == nil || fn.static || mentions(p.inits, fn) || mentions(p.exits, fn) {
			continue
		}
		for _, m := range p.entries {
			if m.fn == fn {
				if m.how != forOthers {
					return nil
				}
				return m
			}
		}
		return &mention{fn: fn, how: forOthers, pos: fn.pos}
	}
	return nil
}

// join makes begin and end a pair, if the first parameter of end that can be an object is one that begin begins.
func (p *plan) join(begin, end *mention) {
	for i := range end.fn.parameters() {
		record, t := end.fn.pointee(i)
		if record == "" || end.role() != nil && end.role().argument != i {
			continue
		}
		how, ok := begin.fn.begins(record)
		if !ok {
			continue
		}
		// 1. The object: of each of the two, or a new one.
		switch {
		case begin.role() != nil && end.role() != nil && begin.role().of != end.role().of:
			return
		case begin.role() != nil:
			how = *begin.role()
		case end.role() != nil:
			how.of = end.role().of
		default:
			// Others are not given it.
			how.of = p.newObject(&object{record: record, typ: t, only: []string{}}, "")
		}
		// 2. The roles.
		begin.roles, end.roles = []*role{&how}, []*role{{of: how.of, ends: true, argument: i}}
		if !slices.Contains(p.entries, begin) {
			p.entries = append(p.entries, begin)
		}
		p.assumePair(begin, end)
		return
	}
}

// assumePair notes that the function of end is called only with objects that the function of begin has begun.
func (p *plan) assumePair(begin, end *mention) {
	p.assume("%s is called only with what %s has begun, once for each%s", end.fn.name, begin.fn.name, map[success]string{
		nonzero: "; it has begun something if its result is neither 0 nor an error", zero: "; it has begun something if its result is 0",
	}[begun(begin.fn.typ.Result())])
}

// begins returns how fn, whose name says so, begins an object of the type called record; ok is false if it cannot.
func (fn *function) begins(record string) (how role, ok bool) {
	// 1. It returns the object.
	if to := ctree.Pointee(fn.typ.Result()); recordName(to) == record {
		return role{argument: -1}, true
	}
	// 2. It leaves a pointer to it where an argument points to.
	for i, t := range fn.parameters() {
		if to := ctree.Pointee(t); to != nil && recordName(ctree.Pointee(to)) == record {
			return role{argument: i, left: true}, true
		}
	}
	// 3. It is given the object.
	for i := range fn.parameters() {
		if name, _ := fn.pointee(i); name == record {
			return role{argument: i}, true
		}
	}
	return role{}, false
}

// begun returns which results of a function that begins an object say that it has. Of a number, 0 does, as in the
// kernel's own tables.
func begun(result cc.Type) success {
	switch {
	case ctree.Pointee(result) != nil || result.Kind() == cc.Bool:
		return nonzero
	case cc.IsIntegerType(result):
		return zero
	}
	return anyResult
}
