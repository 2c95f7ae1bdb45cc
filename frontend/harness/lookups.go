package harness

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file defines the external functions that look something up, by rows of lifetimes.txt. A pointer from outside
// may lead anywhere, and each time elsewhere:
//
//	clk_enable(video_drvdata(file)->clk);     rows "same": video_devdata returns one device for one file
//	clk_disable(video_drvdata(file)->clk);
//
//	edac_mc_add_mc(mci);                      rows "finds": edac_mc_del_mc returns the mci whose pdev is dev
//	mci = edac_mc_del_mc(dev);
//
//	if (pcmcia_request_window(p, r, 0) == 0)  rows "sets": then r->end is not 0
//
// The harness notes the last two answers, and the first two pointers that are given away. When a third one is, anything
// may be found from then on; a run that fails because of that shows nothing ([core.NotNoted]).

// asked is the variables of a function in a row "same".
type asked struct {
	function         string
	question, answer string
	of, result       cc.Type
}

// keptPointers is the variables of a row "finds".
type keptPointers struct {
	row        *finding
	name, lost string
	typ        cc.Type // of the pointers
}

// findLookups finds the rows about functions that the driver calls, in the file that has main.
func (p *plan) findLookups() {
	u := p.mainUnit()
	calls := u.called()
	// 1. The same answer to the same question.
	for _, name := range p.table.same {
		t := p.external(u, name)
		if t == nil || !calls[name] || len(t.Parameters()) != 1 || ctree.Pointee(t.Parameters()[0].Type()) == nil || ctree.Pointee(t.Result()) == nil {
			continue
		}
		n := fmt.Sprint(len(p.asked) + 1)
		p.asked = append(p.asked, &asked{name, p.unused("c2bp_question" + n), p.unused("c2bp_answer" + n), t.Parameters()[0].Type(), t.Result()})
		p.assume("%s returns the same for the same pointer, which is not null; the last two that it was given count", name)
	}
	// 2. What was given away. The member must be one of the struct to which the pointers lead.
	for i := range p.table.findings {
		row := &p.table.findings[i]
		find, call := p.external(u, row.function), p.external(u, row.call)
		if find == nil || call == nil || !calls[row.function] || !calls[row.call] || row.by >= len(find.Parameters()) || row.given >= len(call.Parameters()) {
			continue
		}
		typ := call.Parameters()[row.given].Type()
		if ctree.Pointee(typ) == nil || ctree.Pointee(find.Result()) == nil || plainPointee(typ) != plainPointee(find.Result()) || !leadsThrough(typ, row.member) {
			continue
		}
		n := fmt.Sprint(len(p.kept) + 1)
		p.kept = append(p.kept, &keptPointers{row, p.unused("c2bp_given" + n), p.unused("c2bp_given_more" + n), typ})
		p.assume("%s returns what %s was given whose %s is its argument %d, once for each; null if there is none", row.function, row.call, row.member, row.by+1)
	}
}

// settingsOf returns the rows "sets" about the function called name, in the file that has main.
func (p *plan) settingsOf(u *finder, name string) (list []setting) {
	t := p.external(u, name)
	for _, s := range p.table.settings {
		if s.function == name && t != nil && s.argument < len(t.Parameters()) && leadsThrough(t.Parameters()[s.argument].Type(), s.member) &&
			(s.success == anyResult || t.Result().Kind() != cc.Void) {
			list = append(list, s)
		}
	}
	return list
}

// lookupNames returns the external functions that the harness has to define for lookups.
func (p *plan) lookupNames(u *finder) (names []string) {
	if u != p.mainUnit() {
		return nil
	}
	for _, a := range p.asked {
		names = append(names, a.function)
	}
	for _, k := range p.kept {
		names = append(names, k.row.function, k.row.call)
	}
	calls := u.called()
	for _, s := range p.table.settings {
		if calls[s.function] && len(p.settingsOf(u, s.function)) > 0 && !slices.Contains(names, s.function) {
			names = append(names, s.function)
		}
	}
	return names
}

// lookupBefore writes, before a call of the function called name, the answer that it will give.
func (p *plan) lookupBefore(b *strings.Builder, u *finder, name string) {
	for i, k := range p.kept {
		if u != p.mainUnit() || k.row.function != name {
			continue
		}
		found, _ := declaration(k.typ, fmt.Sprintf("found%d", i+1))
		is := func(v string) string {
			return fmt.Sprintf("%s && %s->%s == p%d ? %s : ", v, v, k.row.member, k.row.by+1, v)
		}
		fmt.Fprintf(b, "\t%s = %s%s0;\n", found, is(k.name), is(other(k.name)))
	}
}

// lookupAfter writes, after a call of the function called name, that its result is the one that is known, or notes it.
func (p *plan) lookupAfter(b *strings.Builder, u *finder, name string) {
	if u != p.mainUnit() {
		return
	}
	// 0. What the function has found out.
	for _, s := range p.settingsOf(u, name) {
		began := ""
		if s.success != anyResult {
			began = "if (" + s.success.began("result") + ")\n\t\t"
		}
		fmt.Fprintf(b, "\t%s__VERIFIER_assume(p%d->%s != 0);\n", began, s.argument+1, s.member)
		p.assume("%s leaves another number than 0 in %s of its argument %d", name, s.member, s.argument+1)
	}
	// 1. The same answer: the function reads what its argument leads to, so that this is not null. The question becomes
	// the last one, and takes the place of the older one.
	for _, a := range p.asked {
		if a.function != name {
			continue
		}
		q, r := a.question, a.answer
		fmt.Fprintf(b, "\t__VERIFIER_assume(p1 != 0);\n\tif (p1 == %s)\n\t\t__VERIFIER_assume(result == %s);\n", q, r)
		fmt.Fprintf(b, "\telse {\n\t\tif (p1 == %s)\n\t\t\t__VERIFIER_assume(result == %s);\n", other(q), other(r))
		fmt.Fprintf(b, "\t\t%s = %s;\n\t\t%s = %s;\n\t\t%s = p1;\n\t\t%s = result;\n\t}\n", other(q), q, other(r), r, q, r)
	}
	for i, k := range p.kept {
		// 2. A pointer is found once.
		if v := k.name; k.row.function == name {
			fmt.Fprintf(b, "\t__VERIFIER_assume(result == found%d || (%s && %s()));\n", i+1, k.lost, core.NotNoted)
			fmt.Fprintf(b, "\tif (result == %s)\n\t\t%s = 0;\n\telse if (result == %s)\n\t\t%s = 0;\n", v, v, other(v), other(v))
		}
		// 3. A pointer is given away.
		if k.row.call != name {
			continue
		}
		began := ""
		if p.external(u, name).Result().Kind() != cc.Void && k.row.success != anyResult {
			began = "if (" + k.row.success.began("result") + ") "
		}
		v, given := k.name, fmt.Sprintf("p%d", k.row.given+1)
		fmt.Fprintf(b, "\t%s{\n\t\tif (!%s)\n\t\t\t%s = %s;\n\t\telse if (!%s)\n\t\t\t%s = %s;\n\t\telse\n\t\t\t%s = 1;\n\t}\n", began, v, v, given, other(v), other(v), given, k.lost)
	}
}

// declareLookups writes the variables.
func (p *plan) declareLookups(b *strings.Builder) {
	both := func(t cc.Type, name string) {
		for _, n := range []string{name, other(name)} {
			text, _ := declaration(t, n)
			fmt.Fprintf(b, "static %s;\n", text)
		}
	}
	if len(p.kept) > 0 {
		fmt.Fprintf(b, "extern int %s(void);\n", core.NotNoted)
	}
	for _, a := range p.asked {
		both(a.of, a.question)
		both(a.result, a.answer)
	}
	for _, k := range p.kept {
		both(k.typ, k.name)
		fmt.Fprintf(b, "static int %s;\n", k.lost)
	}
}
