package harness

import (
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file chooses the entries of a driver, and the functions that start and end it.

// boundaries finds the functions with which the driver starts and ends.
func (p *plan) boundaries() {
	p.initSuccess = map[*mention]success{}
	for _, u := range p.units {
		// 1. By name, or by another name of the same function.
		named := func(rows []boundary) (list []*mention) {
			for _, b := range rows {
				name := b.name
				if u.aliases[name] != "" {
					name = u.aliases[name]
				}
				if fn := u.own[name]; fn != nil && (u.aliases[b.name] != "" || !fn.static) {
					m := &mention{fn: fn, how: b.name, pos: fn.pos}
					if p.initSuccess[m] = b.success; name != b.name {
						m.how = "alias " + b.name
					}
					list = append(list, m)
				}
			}
			return list
		}
		p.inits, p.exits = append(p.inits, named(p.table.inits)...), append(p.exits, named(p.table.exits)...)
		// 2. By a section of the linker.
		for _, fn := range u.functions {
			m := &mention{fn: fn, how: "in a section of functions to start", pos: fn.pos}
			switch u.started[fn.name] {
			case "init":
				p.initSuccess[m] = zero
				p.inits = append(p.inits, m)
			case "exit":
				m.how = "in a section of functions to end"
				p.exits = append(p.exits, m)
			}
		}
		// 3. By a member in which it is stored.
		for _, m := range u.mentions {
			if slices.ContainsFunc(p.table.exits, func(b boundary) bool { return m.record != "" && b.name == m.record+"."+m.member }) {
				p.exits = append(p.exits, m)
			}
		}
	}
	p.inits, p.exits = once(p.inits), once(p.exits)
}

// once keeps the first mention of each function.
func once(list []*mention) (kept []*mention) {
	for _, m := range list {
		if !mentions(kept, m.fn) {
			kept = append(kept, m)
		}
	}
	return kept
}

// mentions reports whether fn is in list.
func mentions(list []*mention, fn *function) bool {
	return slices.ContainsFunc(list, func(m *mention) bool { return m.fn == fn })
}

// forOthers says of a mention that other files may call the function.
const forOthers = "for other files"

// choose chooses the entries: those that the user names, or those whose addresses leave the driver and
// those that other files may call. An error says that there are none.
func (p *plan) choose() error {
	var all []*mention
	for _, u := range p.units {
		for _, m := range u.mentions {
			if !mentions(p.inits, m.fn) && !mentions(p.exits, m.fn) {
				all = merged(all, m)
			}
		}
	}
	if len(p.opts.Entries) > 0 {
		return p.chooseNamed(all)
	}
	p.entries = all
	// Functions for other files: nothing in these calls them.
	fallback := len(all) == 0 && len(p.inits) == 0
	called := map[string]bool{}
	for _, u := range p.units {
		for name := range u.called() {
			called[name] = true
		}
	}
	for _, u := range p.units {
		for _, fn := range u.functions {
			if !fn.static && (fallback || !called[fn.name]) && !mentions(all, fn) && !mentions(p.inits, fn) && !mentions(p.exits, fn) {
				p.entries = append(p.entries, &mention{fn: fn, how: forOthers, pos: fn.pos})
			}
		}
	}
	p.findLocks()
	p.findPairs()
	if fallback && len(p.entries) > 0 {
		p.note = "no function main, and no address of a function that leaves the file: every function that is not static is called in any order; --entry names others"
	}
	if len(p.entries)+len(p.inits) == 0 {
		return source.List{{Pos: p.file(), Severity: source.Error, Msg: "there is nothing to start at: no function main; no function whose address is in a table, stored in memory or passed to another file; no init_module or DriverEntry; no function that is not static. --entry names functions to call"}}
	}
	return nil
}

// chooseNamed chooses the functions that the user names, with all mentions of them in all.
func (p *plan) chooseNamed(all []*mention) error {
	var errs source.List
	inits, exits := p.inits, p.exits
	p.inits, p.exits = nil, nil
	for _, name := range p.opts.Entries {
		// 1. The function.
		var fn *function
		for _, u := range p.units {
			if f := u.own[name]; f != nil && (fn == nil || fn.static && !f.static) {
				fn = f
			}
		}
		if fn == nil {
			errs.Add(p.missing(name))
			continue
		}
		// 2. The ways in which it is called; in any order if there are none.
		keep := func(to *[]*mention, from []*mention) (found bool) {
			for _, m := range from {
				if m.fn == fn && !slices.Contains(*to, m) {
					*to, found = append(*to, m), true
				}
			}
			return found
		}
		a, b, c := keep(&p.inits, inits), keep(&p.exits, exits), keep(&p.entries, all)
		if !a && !b && !c && !mentions(p.entries, fn) {
			p.entries = append(p.entries, &mention{fn: fn, how: "--entry", pos: fn.pos})
		}
	}
	return errs.Err()
}

// called returns the names of the functions that a function of f or its headers calls, also where a variable with the
// attribute cleanup ends.
func (f *finder) called() map[string]bool { return f.calledIn(func(cc.Node) bool { return true }) }

// ownCalls is called without the functions of headers.
func (f *finder) ownCalls() map[string]bool { return f.calledIn(f.isOwn) }

// calledIn is called for the functions that ok holds for.
func (f *finder) calledIn(ok func(cc.Node) bool) map[string]bool {
	names := map[string]bool{}
	f.each(func(d *cc.ExternalDeclaration) {
		if !ok(d) {
			return
		}
		ctree.Walk(d, func(n cc.Node) bool {
			switch n := n.(type) {
			case *cc.PostfixExpression:
				if name := ctree.CalleeName(n); n.Case == cc.PostfixExpressionCall && name != "" {
					names[name] = true
				}
			case *cc.AttributeValue:
				if ctree.AttributeName(n.Token.SrcStr()) == "cleanup" {
					for _, name := range identifiers(n) {
						names[name] = true
					}
				}
			}
			return true
		})
	})
	return names
}

// merged adds m to list, unless it is there: a function may be in one place of a table for several
// reasons, and is passed to all external functions together.
func merged(list []*mention, m *mention) []*mention {
	for _, o := range list {
		if o.fn != m.fn || o.record != m.record || o.member != m.member || o.variable != m.variable {
			continue
		}
		if o.indexes == nil || m.indexes == nil {
			o.indexes = nil
		} else {
			o.indexes = append(o.indexes, m.indexes...)
		}
		if len(o.passed) == 0 || len(m.passed) == 0 {
			o.passed = nil
		} else {
			o.passed = append(o.passed, m.passed...)
		}
		return list
	}
	return append(list, m)
}
