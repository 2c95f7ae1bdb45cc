package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// This file prints a ledger so that it fits on one screen: by kinds, each with its number of assumptions and
// the first few of them. The ledger of a driver in a kernel has a hundred lines, most of which say the same
// of another function.
//
//	Under these assumptions (64; --format full lists all):
//	  the environment (3)
//	    - callbacks: functions without a body do not call what they are given: probe, remove
//	    …
//	  functions without a body (52)
//	    - extern clk_get, clk_put, devm_add_action and 47 others: its result is arbitrary, …

// mostUngrouped is the number of lines up to which a ledger is printed as it is.
const mostUngrouped = 16

// mostOfAGroup is the number of lines of a group, mostNamed that of the names in one.
const mostOfAGroup, mostNamed = 5, 6

// group is a kind of assumptions.
type group struct {
	title  string
	begins []string // how their lines begin
}

// groups are in the order in which they are printed; the last one has all that begins otherwise.
var groups = []group{
	{"the environment", []string{"environment: ", "pointers from outside: ", "pointers made of numbers: ", "callbacks: ", "calls of ", "entry ", "volatile: ", "external variables: ", "external functions: ", "rule ", "sigaction at ", "signal at "}},
	{"the harness", []string{"harness: "}},
	{"functions without a body", []string{"extern ", "library functions ", "calls through pointers: ", "inline ", "weak definitions: "}},
	{"arithmetic and memory", []string{"integers: ", "floating point: ", "memory: ", "pointers: ", "restrict: ", "values: ", "const: ", "addresses: ", "order of evaluation at "}},
	{"the compiler and assembly", nil},
}

// groupOf returns the number of the group of a line.
func groupOf(line string) int {
	for i, g := range groups {
		for _, b := range g.begins {
			if strings.HasPrefix(line, b) {
				return i
			}
		}
	}
	return len(groups) - 1
}

// writeGroups prints a ledger by groups.
func writeGroups(w io.Writer, title string, ledger []string) {
	fmt.Fprintf(w, "%s (%d; --format full lists all):\n", strings.TrimSuffix(title, ":"), len(ledger))
	// 1. The lines of each group.
	lists := make([][]string, len(groups))
	for _, line := range ledger {
		i := groupOf(line)
		lists[i] = append(lists[i], line)
	}
	for i, list := range lists {
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(w, "  %s (%d)\n", groups[i].title, len(list))
		// 2. Lines that differ in a name or a place only are one; the first few are printed.
		lines := merged(list)
		left := 0
		if len(lines) > mostOfAGroup {
			for _, m := range lines[mostOfAGroup:] {
				left += m.count
			}
			lines = lines[:mostOfAGroup]
		}
		for _, m := range lines {
			fmt.Fprintln(w, "    - "+oneLine(m.String()))
		}
		if left > 0 {
			fmt.Fprintf(w, "    … and %d more\n", left)
		}
	}
	fmt.Fprintln(w)
}

// alike is lines of a ledger that differ in a name or a place only.
type alike struct {
	before, after string
	names         []string // nil for a line without such a part
	count         int
}

// String returns the line that stands for them.
func (a *alike) String() string {
	names := a.names
	rest := ""
	if n := len(names) - mostNamed; n > 1 {
		names, rest = names[:mostNamed], fmt.Sprintf(" and %d others", n)
	}
	return a.before + strings.Join(names, ", ") + rest + a.after
}

// inTheHarness matches the part in which lines about a harness differ: the member or function at their begin.
var inTheHarness = regexp.MustCompile(`^(harness: )([\w.]+)( may be called .*| is not called: .*)$`)

// merged joins lines that differ in a name or a place only, in the order of the first of each.
func merged(list []string) (out []*alike) {
	at := map[string]*alike{}
	for _, line := range list {
		m := inTheHarness.FindStringSubmatch(line)
		if m == nil {
			m = particular.FindStringSubmatch(line)
		}
		if m == nil {
			out = append(out, &alike{before: line, count: 1})
			continue
		}
		key := m[1] + "\x00" + m[3]
		if at[key] == nil {
			at[key] = &alike{before: m[1], after: m[3]}
			out = append(out, at[key])
		}
		at[key].names = append(at[key].names, m[2])
		at[key].count++
	}
	return out
}
