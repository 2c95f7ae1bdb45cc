package harness

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file has the options and results of the package, and Build.

// Unit is a C file of the driver.
type Unit struct {
	File *source.File
	AST  *cc.AST
	Own  func(file string) bool // reports whether positions in file are in the C file itself, not in a header
}

// Options say how a harness is made.
type Options struct {
	Entries   []string       // the only functions to call; all that are found if there are none
	OneDevice bool           // one device instead of two
	Lifetimes []*source.File // files like lifetimes.txt, which come before that
}

// Part is the part of a harness that is compiled at the end of one C file.
type Part struct {
	Of   string // the name of the C file
	Text string
}

// Harness is a main function for a driver, and what it calls, in one part for each C file that needs
// one; main is in the first.
type Harness struct {
	Parts   []Part
	Assumed []string // lines for the ledger of an audit
	Note    string   // about the choice of the entries, for people; "" if there is nothing to say
}

// String returns the harness as a C file that [Merge] accepts.
func (h *Harness) String() string {
	var b strings.Builder
	for i, p := range h.Parts {
		fmt.Fprintf(&b, "%s%s\n", marker, p.Of)
		if i == 0 {
			for _, a := range h.Assumed {
				fmt.Fprintf(&b, "%s%s\n", assumption, a)
			}
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// serial is the assumption of every harness.
const serial = "harness: entries run one after another, none interrupts another; each starts in process context"

// Build makes a harness for the C files of a driver. Errors are of type [source.List]: there is
// nothing to call, or nothing of the name that an option gives; the rows of a file of lifetimes are
// wrong.
func Build(units []*Unit, opts Options) (*Harness, error) {
	// 1. Find the ways in which functions leave the driver.
	table, err := readLifetimes(opts.Lifetimes)
	if err != nil {
		return nil, err
	}
	p := &plan{opts: opts, table: table}
	shared := map[string]*function{}
	for _, u := range units {
		p.units = append(p.units, newFinder(u, table, shared))
	}
	for _, u := range p.units {
		u.look()
	}
	// 2. Choose what is called, and with which objects.
	p.boundaries()
	if err := p.choose(); err != nil {
		return nil, err
	}
	p.findMade()
	p.findSequences()
	p.makeObjects()
	p.registrations()
	p.findFresh()
	p.findLookups()
	p.findHanded()
	for _, e := range p.entries {
		p.addSteps(e)
	}
	p.settle()
	// 3. Write it.
	p.unreached()
	return p.print(), nil
}

// unreached notes the functions that the harness does not call, and that nothing names which it calls.
func (p *plan) unreached() {
	seen := map[*function]bool{}
	var work []*function
	for _, m := range slices.Concat(p.inits, p.entries, p.exits) {
		work = append(work, m.fn)
	}
	for len(work) > 0 {
		fn := work[0]
		work = work[1:]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		work = append(work, fn.unit.named(fn.def.CompoundStatement, map[variable]bool{})...)
	}
	var names []string
	for _, u := range p.units {
		for _, fn := range u.functions {
			if !seen[fn] {
				names = append(names, fn.name)
			}
		}
	}
	if len(names) > 0 {
		p.assume("no entries, and not called by one: %s", strings.Join(names, ", "))
	}
}

// named returns the functions that n names, also in the initialisers of variables that it names; seen
// are variables that were looked at.
func (f *finder) named(n cc.Node, seen map[variable]bool) (list []*function) {
	ctree.Walk(n, func(n cc.Node) bool {
		id, ok := n.(*cc.PrimaryExpression)
		if !ok || id.Case != cc.PrimaryExpressionIdent {
			return true
		}
		if g := f.function(id); g != nil {
			list = append(list, g)
		}
		if d, ok := id.ResolvedTo().(*cc.Declarator); ok && !seen[variableOf(d)] {
			seen[variableOf(d)] = true
			if init := f.initial[variableOf(d)]; init != nil {
				list = append(list, f.named(init, seen)...)
			}
		}
		return true
	})
	return list
}

// missing returns the error that the driver has no function called name, with those of similar names.
func (p *plan) missing(name string) *source.Diagnostic {
	var names []string
	for _, u := range p.units {
		for _, f := range u.functions {
			names = append(names, f.name)
		}
	}
	return &source.Diagnostic{Pos: p.file(), Severity: source.Error, Msg: "--entry: the program has no function " + name + Nearest(name, names)}
}

// file is the position of errors about the driver as a whole.
func (p *plan) file() source.Pos {
	if len(p.units) == 0 {
		return source.Pos{}
	}
	return source.Pos{File: p.units[0].File.Name}
}

// Nearest returns a question that names up to three of names that are much like name, the most similar
// first; "" if there is none.
//
//	lamp_prob     "; is it lamp_probe?"
func Nearest(name string, names []string) string {
	type near struct {
		name     string
		distance int
	}
	var list []near
	// A third of the letters may differ.
	for _, n := range names {
		if d := distance(name, n); d <= max(1, len(name)/3) && !slices.ContainsFunc(list, func(o near) bool { return o.name == n }) {
			list = append(list, near{n, d})
		}
	}
	slices.SortStableFunc(list, func(a, b near) int { return a.distance - b.distance })
	if len(list) == 0 {
		return ""
	}
	var found []string
	for _, n := range list[:min(3, len(list))] {
		found = append(found, n.name)
	}
	return "; is it " + strings.Join(found, ", or ") + "?"
}

// distance returns the number of letters that must be inserted, removed or replaced to make b of a
// (Levenshtein), row by row of the table of all prefixes.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
