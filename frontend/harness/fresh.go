package harness

import (
	"fmt"
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
	for i := range p.table.fresh {
		row := &p.table.fresh[i]
		l := &live{row: row}
		for _, name := range row.functions {
			if t := p.external(u, name); calls[name] && t != nil && ctree.Pointee(t.Result()) != nil && (l.typ == nil || mustDeclare(l.typ) == mustDeclare(t.Result())) {
				l.typ = t.Result()
				p.assume("%s returns no object that it has returned before, unless that was freed; the last two count", name)
			}
		}
		if l.typ != nil {
			l.name = p.unused("c2bp_live" + fmt.Sprint(len(p.live)+1))
			p.live = append(p.live, l)
		}
	}
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

// freshAfter writes, after a call of the function called name, that its result is new.
func (p *plan) freshAfter(b *strings.Builder, u *finder, name string) {
	for _, l := range p.live {
		if u == p.mainUnit() && slices.Contains(l.row.functions, name) {
			fmt.Fprintf(b, "\t__VERIFIER_assume(!result || (result != %s && result != %s));\n", l.name, other(l.name))
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
