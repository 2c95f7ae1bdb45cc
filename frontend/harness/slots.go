package harness

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
)

// This file looks after functions that the driver hands over several times for one device, each to be called
// before it ends:
//
//	ret = devm_add_action(dev, clock_off, isfr);
//	…
//	ret = devm_add_action(dev, clock_off, iahb);
//
// Were one forgotten for another, the driver would seem to end with a clock that is on. So the harness has a place
// for each, as many as there are ways to the call from functions that nothing in the files calls. A call in a loop
// counts once.
//
// And it is no other way to forget one that such a function fails and is called again, over and over: rows
// "settles" name members, such as the probe of a driver. The kernel calls them for a device again only when all is done
// that their last call has handed over.

// maxSlots bounds the places of a handler for a device.
const maxSlots = 4

// slot is a place for one registration of a handler: as on and data of handler.
type slot struct {
	on   string
	data []string
}

// slots returns the places of h.
func (h *handler) slots() []slot { return append([]slot{{h.on, h.data}}, h.further...) }

// addSlots gives h the places beside the first.
func (p *plan) addSlots(h *handler) {
	if !h.owed || h.late {
		return
	}
	// 1. The ways to all calls that are given the function.
	n := 0
	for _, u := range p.units {
		for _, m := range u.mentions {
			if m.fn == h.m.fn && slices.ContainsFunc(m.passed, func(a passed) bool { return slices.Contains(p.table.owed, a.external) }) {
				n += p.ways(m.in, map[*function]bool{})
			}
		}
	}
	// 2. The variables of each.
	for i := 2; i <= min(n, maxSlots); i++ {
		s := slot{on: fmt.Sprintf("%s%d", h.on, i)}
		for _, d := range h.data {
			if d != "" {
				d = fmt.Sprintf("%s_of%d", d, i)
			}
			s.data = append(s.data, d)
		}
		h.further = append(h.further, s)
	}
}

// settle adds to the steps, of which all are there, that a function is called again only when all is done that only it
// hands over, and that this is done only when the object has ended that it has begun.
func (p *plan) settle() {
	for _, s := range p.steps {
		if !p.isSettling(s.m.fn) {
			continue
		}
		for _, h := range p.handlers {
			if !h.owed || h.late || !p.isMadeOnlyBy(h, s.m.fn) {
				continue
			}
			// 1. It waits for all registrations for its device.
			for _, place := range h.slots() {
				s.needs = append(s.needs, "!"+place.on)
			}
			p.assume("%s is called again for a device only when %s has been called for each call that was given it", s.m.fn.name, h.m.fn.name)
			// 2. They wait for the end of the device, or for the failure of the function.
			if s.begins == nil || !p.hasEnd(s.begins) {
				continue
			}
			for _, other := range p.steps {
				if other.handler == h {
					other.needs = append(other.needs, "!"+s.begins.name)
				}
			}
			p.assume("%s is called for a device that %s was called for only when that has ended", h.m.fn.name, s.m.fn.name)
		}
	}
}

// isMadeOnlyBy reports whether each registration of h is made by root, or by functions that only root calls.
func (p *plan) isMadeOnlyBy(h *handler, root *function) bool {
	for _, u := range p.units {
		for _, m := range u.mentions {
			// A call that takes a registration back makes none.
			back := len(m.passed) > 0 && !slices.ContainsFunc(m.passed, func(a passed) bool { return !p.isEnd(a.external) })
			if m.fn == h.m.fn && !back && (m.in == nil || !p.isOnlyReachedFrom(m.in, root, map[*function]bool{})) {
				return false
			}
		}
	}
	return true
}

// isSettling reports whether fn is static, nothing in the files calls it, and all that is done with its address is to store
// it in members that rows "settles" name.
func (p *plan) isSettling(fn *function) bool {
	any := false
	named := func(m *mention) bool {
		return slices.ContainsFunc(p.table.settling, func(r settling) bool {
			return r.record == m.record && slices.Contains(r.members, m.member) && !slices.ContainsFunc(r.unless, p.calls)
		})
	}
	for _, u := range p.units {
		for _, m := range u.mentions {
			if m.fn != fn {
				continue
			}
			if !named(m) {
				return false
			}
			any = true
		}
	}
	return any && fn.static && len(p.callers(fn)) == 0
}

// calls reports whether a function of the files calls the one called name.
func (p *plan) calls(name string) bool {
	return slices.ContainsFunc(p.units, func(u *finder) bool { return u.ownCalls()[name] })
}

// isOnlyReachedFrom reports whether each call of fn is made by root, or by functions of which this is so.
func (p *plan) isOnlyReachedFrom(fn, root *function, entered map[*function]bool) bool {
	if fn == root || entered[fn] {
		return true
	}
	entered[fn] = true
	// 1. Neither other files nor the kernel call it.
	for _, u := range p.units {
		if mentions(u.mentions, fn) {
			return false
		}
	}
	if !fn.static {
		return false
	}
	// 2. Nor do other functions.
	return !slices.ContainsFunc(p.callers(fn), func(c *function) bool { return !p.isOnlyReachedFrom(c, root, entered) })
}

// ways returns by how many ways of calls fn is reached from functions that nothing calls, maxSlots if there are
// more. Of functions that call themselves each is entered once.
func (p *plan) ways(fn *function, entered map[*function]bool) (n int) {
	if fn == nil || entered[fn] {
		return 1
	}
	entered[fn] = true
	defer delete(entered, fn)
	for _, c := range p.callers(fn) {
		if n < maxSlots {
			n += p.ways(c, entered)
		}
	}
	return min(max(n, 1), maxSlots)
}

// callers returns the functions that call fn, once for each call.
func (p *plan) callers(fn *function) (list []*function) {
	for _, u := range p.units {
		for _, caller := range u.functions {
			ctree.Walk(caller.def.CompoundStatement, func(n cc.Node) bool {
				if call, ok := n.(*cc.PostfixExpression); ok && call.Case == cc.PostfixExpressionCall && slices.Contains(u.given(call.PostfixExpression), fn) {
					list = append(list, caller)
				}
				return true
			})
		}
	}
	return list
}

// count says how many registrations of h are known.
func (h *handler) count() string {
	if len(h.further) == 0 {
		return "the last two that have count"
	}
	return fmt.Sprintf("the last %d that have count for each device", 1+len(h.further))
}

// makeRoom writes that the first place of h is left for another registration: the one that is there goes to a place
// that is free, else to the other device.
//
//	if (on) {
//		if (!on2) {
//			on2 = on;
//			data_of2 = data;
//		}
//		else {
//			other_on = on;
//			other_data = data;
//		}
//	}
func (p *plan) makeRoom(b *strings.Builder, h *handler) {
	from := h.slots()[0]
	// One that waits for its start may be there although it is not on.
	condition := "if (" + h.on
	if h.late {
		condition += " || __VERIFIER_nondet_int()"
	}
	condition += ")"
	if len(h.further) == 0 {
		if !p.opts.OneDevice {
			move(b, "\t\t", condition, from, from.elsewhere())
		}
		return
	}
	fmt.Fprintf(b, "\t\t%s {\n", condition)
	for i, to := range h.further {
		condition := fmt.Sprintf("if (!%s)", to.on)
		if i > 0 {
			condition = "else " + condition
		}
		move(b, "\t\t\t", condition, from, to)
	}
	if !p.opts.OneDevice {
		move(b, "\t\t\t", "else", from, from.elsewhere())
	}
	b.WriteString("\t\t}\n")
}

// chooseSlot writes that any of the places of h may become the first.
func (h *handler) chooseSlot(b *strings.Builder, indent string) {
	for _, s := range h.further {
		fmt.Fprintf(b, "%sif (__VERIFIER_nondet_int()) {\n", indent)
		exchange(b, indent+"\t", h.on, s.on)
		for i, d := range s.data {
			if d != "" {
				exchange(b, indent+"\t", h.data[i], d)
			}
		}
		fmt.Fprintf(b, "%s}\n", indent)
	}
}

// exchange writes that two variables exchange their values.
func exchange(b *strings.Builder, indent, v, w string) {
	fmt.Fprintf(b, "%s{ __typeof__(%s) x = %s; %s = %s; %s = x; }\n", indent, v, v, v, w, w)
}

// move writes that a registration goes from one place to another.
func move(b *strings.Builder, indent, condition string, from, to slot) {
	fmt.Fprintf(b, "%s%s {\n%s\t%s = %s;\n", indent, condition, indent, to.on, from.on)
	for i, d := range from.data {
		if d != "" {
			fmt.Fprintf(b, "%s\t%s = %s;\n", indent, to.data[i], d)
		}
	}
	fmt.Fprintf(b, "%s}\n", indent)
}

// places returns the places of h for all devices.
func (p *plan) places(h *handler) (list []slot) {
	for _, s := range h.slots() {
		list = append(list, s)
		if !p.opts.OneDevice {
			list = append(list, s.elsewhere())
		}
	}
	return list
}

// elsewhere returns the place for the other device.
func (s slot) elsewhere() slot {
	o := slot{on: other(s.on)}
	for _, d := range s.data {
		if d != "" {
			d = other(d)
		}
		o.data = append(o.data, d)
	}
	return o
}
