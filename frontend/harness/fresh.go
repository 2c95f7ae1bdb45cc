package harness

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file defines the external functions that return new objects, by the rows "fresh" of lifetimes.txt. A pointer
// from outside may lead to any object, also to one that the driver has been given before, and what it keeps there
// would be lost:
//
//	ndev = alloc_etherdev(size);     for the second device, the object of the first
//	priv = netdev_priv(ndev);
//	priv->base = ioremap(…);         the first mapping is lost
//
// The harness notes the last two results, and those that are freed. A third one may be any but these.
//
// Rows "allocates" find more of them, by the words of their names: alloc_candev makes what free_candev is given. Words
// may mislead, so the types must agree with them. Of these, the driver calls both:
//
//	struct net_device *alloc_candev(int size);           void free_candev(struct net_device *);      a new object
//	struct port *hub_alloc_port(struct port *parent);    void hub_free_port(struct port *);          perhaps its parent
//	struct list *pool_alloc_list(struct pool *);         struct list *pool_free_list(struct pool *); lists of a pool

// live is a variable with a result of functions of a row.
type live struct {
	row  *freshness
	name string
	typ  cc.Type // of the results
}

// findFresh finds the rows whose functions the driver calls, in the file that has main.
func (p *plan) findFresh() {
	u := p.mainUnit()
	calls := u.called()
	for _, row := range slices.Concat(p.table.fresh, p.allocators(u)) {
		l := &live{row: &row}
		for _, name := range row.functions {
			if t := p.external(u, name); calls[name] && t != nil && ctree.Pointee(t.Result()) != nil && (l.typ == nil || mustDeclare(l.typ) == mustDeclare(t.Result())) {
				l.typ = t.Result()
				if row.named {
					p.assume("%s returns no object that it has returned before, unless %s was given that, and none that entries have begun; the last two count", name, strings.Join(row.ends, " or "))
					continue
				}
				p.assume("%s returns no object that it has returned before, unless that was freed, and none that entries have begun; the last two count", name)
			}
		}
		if l.typ != nil {
			l.name = p.unused("c2bp_live" + fmt.Sprint(len(p.live)+1))
			p.live = append(p.live, l)
		}
	}
}

// allocators returns rows like "fresh" for the functions that the driver's own functions in u call, and that rows
// "allocates" are about. Functions of rows "fresh" are left to these.
func (p *plan) allocators(u *finder) (rows []freshness) {
	calls := u.ownCalls()
	for _, name := range slices.Sorted(maps.Keys(calls)) {
		t := p.external(u, name)
		if t == nil || slices.ContainsFunc(p.table.fresh, func(k freshness) bool { return slices.Contains(k.functions, name) }) {
			continue
		}
		// 1. It returns an object, and is given none that it could return.
		made := ctree.Pointee(t.Result())
		if made == nil || recordName(made) == "" || len(givenAs(t, t.Result())) > 0 {
			continue
		}
		// 2. Functions that end the life of such an object, at the same place among their arguments.
		row, agree := freshness{functions: []string{name}, named: true}, true
		for _, end := range p.table.deallocators(name) {
			e := p.external(u, end)
			if !calls[end] || e == nil || ctree.Pointee(e.Result()) != nil {
				continue
			}
			given := givenAs(e, t.Result())
			agree = agree && len(given) == 1 && (len(row.ends) == 0 || given[0] == row.argument)
			if agree && !slices.Contains(row.ends, end) {
				row.ends, row.argument = append(row.ends, end), given[0]
			}
		}
		if agree && len(row.ends) > 0 {
			rows = append(rows, row)
		}
	}
	return rows
}

// deallocators returns the names of the functions that get back the objects of the function called name.
func (t *lifetimes) deallocators(name string) (list []string) {
	words := strings.Split(name, "_")
	for i, w := range words {
		for _, k := range t.allocating {
			if slices.Contains(k.begins, w) {
				for _, end := range k.ends {
					list = append(list, withWord(words, i, end))
				}
			}
		}
	}
	return list
}

// givenAs returns the arguments of t, from 0, that point to the same type as to.
func givenAs(t *cc.FunctionType, to cc.Type) (list []int) {
	for i, q := range t.Parameters() {
		if ctree.Pointee(q.Type()) != nil && plainPointee(q.Type()) == plainPointee(to) {
			list = append(list, i)
		}
	}
	return list
}

// freshNames returns the external functions that the harness has to define for fresh objects.
func (p *plan) freshNames(u *finder) (names []string) {
	if u != p.mainUnit() {
		return nil
	}
	calls := u.called()
	for _, l := range p.live {
		for _, name := range l.row.functions {
			if t := p.external(u, name); calls[name] && t != nil && mustDeclare(l.typ) == mustDeclare(t.Result()) {
				names = append(names, name)
			}
		}
		for _, name := range l.row.ends {
			if calls[name] && p.isFreed(u, l, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// isFreed reports whether the function called name is given an object of l to free it.
func (p *plan) isFreed(u *finder, l *live, name string) bool {
	t := p.external(u, name)
	if t == nil || !slices.Contains(l.row.ends, name) || l.row.argument >= len(t.Parameters()) {
		return false
	}
	to := ctree.Pointee(t.Parameters()[l.row.argument].Type())
	return to != nil && plainPointee(t.Parameters()[l.row.argument].Type()) == plainPointee(l.typ)
}

// freshBefore writes, before a call of the function called name, that an object is freed.
func (p *plan) freshBefore(b *strings.Builder, u *finder, name string) {
	for _, l := range p.live {
		if u == p.mainUnit() && p.isFreed(u, l, name) {
			for _, v := range []string{l.name, other(l.name)} {
				fmt.Fprintf(b, "\tif (p%d == %s)\n\t\t%s = 0;\n", l.row.argument+1, v, v)
			}
		}
	}
}

// begun returns the conditions that the result of a call of a function of l is none of the objects of its type that
// entries have begun.
func (p *plan) begun(l *live) (text string) {
	for _, o := range p.objects {
		if o.typ == nil || o.gone || plainPointee(o.typ.Pointer()) != plainPointee(l.typ) {
			continue
		}
		text += " && result != " + o.name
		if !o.init && !p.opts.OneDevice {
			text += " && result != " + other(o.name)
		}
	}
	return text
}

// freshAfter writes, after a call of the function called name, that its result is new.
func (p *plan) freshAfter(b *strings.Builder, u *finder, name string) {
	for _, l := range p.live {
		switch {
		case u != p.mainUnit() || !slices.Contains(l.row.functions, name):
		case l.row.named:
			// The last 4,095 numbers are errors, which come again.
			fmt.Fprintf(b, "\tif (result && (unsigned long)result < (unsigned long)-4095) {\n\t\t__VERIFIER_assume(result != %s && result != %s%s);\n", l.name, other(l.name), p.begun(l))
			fmt.Fprintf(b, "\t\tif (%s)\n\t\t\t%s = %s;\n\t\t%s = result;\n\t}\n", l.name, other(l.name), l.name, l.name)
		default:
			fmt.Fprintf(b, "\t__VERIFIER_assume(!result || (result != %s && result != %s%s));\n", l.name, other(l.name), p.begun(l))
			// The place of one that is freed is used first.
			fmt.Fprintf(b, "\tif (result && %s)\n\t\t%s = %s;\n\tif (result)\n\t\t%s = result;\n", l.name, other(l.name), l.name, l.name)
		}
	}
}

// declareLive writes the variables.
func (p *plan) declareLive(b *strings.Builder) {
	for _, l := range p.live {
		for _, name := range []string{l.name, other(l.name)} {
			text, _ := declaration(l.typ, name)
			fmt.Fprintf(b, "static %s;\n", text)
		}
	}
}
