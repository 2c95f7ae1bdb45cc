package refine

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"c2bp/frontend/cgen/wide"
	"c2bp/verdict"
)

// This file counts what became of the programs of package wide, by construct.

// outcome is a column of the table.
func (x *wideTrial) outcome() string {
	switch {
	case x.discarded != "":
		return "discarded"
	case x.panicked:
		return "panics"
	case x.refused:
		return "refused"
	}
	return map[wide.Goal]string{wide.Safe: "safe ", wide.Unsafe: "unsafe ", wide.Grey: "grey "}[x.goal] + x.verdict.String()
}

var wideColumns = []string{
	"safe TRUE", "safe UNKNOWN", "safe FALSE", "unsafe FALSE", "unsafe UNKNOWN", "unsafe TRUE",
	"grey FALSE", "grey UNKNOWN", "grey TRUE", "discarded", "refused", "panics",
}

// wideRow is a line of the table: what became of the programs with a construct.
type wideRow struct {
	counts   map[string]int
	valid    int // certificates
	programs int
}

// decided is the share of safe and unsafe programs of which the truth is said, in percent.
func (r *wideRow) decided(goal string) int {
	all := r.counts[goal+" TRUE"] + r.counts[goal+" FALSE"] + r.counts[goal+" UNKNOWN"]
	right := r.counts[goal+" "+map[string]string{"safe": "TRUE", "unsafe": "FALSE"}[goal]]
	if all == 0 {
		return 100
	}
	return 100 * right / all
}

// wideTable counts trials by the construct that keys gives.
func wideTable(trials []*wideTrial, keys func(*wideTrial) []string) map[string]*wideRow {
	rows := map[string]*wideRow{}
	for _, x := range trials {
		list := slices.Clone(keys(x))
		slices.Sort(list)
		for _, k := range slices.Compact(list) {
			if rows[k] == nil {
				rows[k] = &wideRow{counts: map[string]int{}}
			}
			rows[k].programs++
			rows[k].counts[x.outcome()]++
			if x.certificate == "VALID" {
				rows[k].valid++
			}
		}
	}
	return rows
}

// logWide writes the table, and names constructs that decide under half of their programs.
func logWide(t *testing.T, trials []*wideTrial) {
	t.Helper()
	rows := wideTable(trials, func(x *wideTrial) []string { return append([]string{" all"}, x.program.Classes...) })
	var b strings.Builder
	fmt.Fprintf(&b, "%-14s %6s %5s | %5s %5s %5s | %5s %5s %5s | %5s %5s %5s | %5s %5s %5s | %5s %5s\n", "class", "progr.", "cert.",
		"TRUE", "UNKN.", "FALSE", "FALSE", "UNKN.", "TRUE", "FALSE", "UNKN.", "TRUE", "disc.", "ref.", "panic", "safe%", "uns.%")
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		r := rows[name]
		fmt.Fprintf(&b, "%-14s %6d %5d", name, r.programs, r.valid)
		for i, c := range wideColumns {
			if i%3 == 0 {
				b.WriteString(" |")
			}
			fmt.Fprintf(&b, " %5d", r.counts[c])
		}
		fmt.Fprintf(&b, " | %4d%% %4d%%\n", r.decided("safe"), r.decided("unsafe"))
	}
	t.Logf("safe, unsafe, grey programs:\n%s", b.String())
	forms := wideTable(trials, func(x *wideTrial) []string {
		if len(x.program.Forms) == 1 {
			return x.program.Forms // what became of it is due to the form
		}
		return nil
	})
	for _, name := range slices.Sorted(maps.Keys(forms)) {
		if r := forms[name]; r.decided("safe") < 50 || r.decided("unsafe") < 50 {
			t.Logf("%s alone: %d%% of the safe programs are decided, %d%% of the unsafe ones", name, r.decided("safe"), r.decided("unsafe"))
		}
	}
	reasons, discarded := map[string]int{}, map[string]int{}
	for _, x := range trials {
		switch {
		case x.discarded != "":
			discarded[kindOf(firstLineOf(x.discarded))]++
		case x.verdict == verdict.Unknown && len(x.wrong) == 0:
			reasons[kindOf(x.reason)]++
		}
	}
	logTable(t, reasons)
	logTable(t, discarded)
	all := time.Duration(0)
	for _, x := range trials {
		all += x.time
	}
	t.Logf("audits took %v", all)
}

func firstLineOf(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
