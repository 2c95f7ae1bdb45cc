package refine

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/cgen/wide"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds the audit of what the entry reaches against that of everything.

// generatedName matches the names of functions and variables in programs of package wide.
var generatedName = regexp.MustCompile(`\b[a-z]+[0-9]+\b|\bmain\b`)

// slicingQueries bounds an audit: the few programs that take more take very long.
const slicingQueries = 2800

// TestSlicing: a program beside another one, which nothing reaches, has the verdict that it has
// alone, whether all functions are looked at or only those that main reaches.
func TestSlicing(t *testing.T) {
	t.Parallel()
	n := testkit.Count(4, 1000)
	m := wideManner{compiler: wide.Compiler{Dir: t.TempDir()}}
	trials := make([]*wideTrial, n)
	for i := range trials {
		trials[i] = &wideTrial{program: wide.Generate(7000+uint64(i), m.options)}
	}
	usable := m.choose(t, &m.compiler, trials)
	compared, refused, exhausted := 0, 0, 0
	for i, x := range usable {
		files := sourcesOf(x.files, nil)
		for k, f := range sourcesOf(usable[(i+1)%len(usable)].files, generatedName) {
			files = append(files, source.NewFile(fmt.Sprintf("beside%d.c", k), f.Text))
		}
		var alike []string
		enough := true // prover queries, which what is not reached may need some of
		for _, whole := range []bool{false, true} {
			o := wideOptions(x.program)
			o.Whole = whole
			u, err := frontend.Load(t.Context(), files, o)
			if err != nil {
				refused++
				break
			}
			beside := slices.ContainsFunc(u.Program.Procs, func(p *core.Proc) bool { return p.HasBody() && strings.HasPrefix(p.Pos.File, "beside") })
			if beside != whole {
				t.Errorf("seed %d: whole is %v, and the other program is part of it: %v", x.program.Seed, whole, beside)
			}
			out, err := Audit(t.Context(), u.Program, Options{Iterations: wideRefinements, TraceSteps: wideSteps, Queries: slicingQueries})
			if err != nil {
				t.Fatal(err)
			}
			alike = append(alike, out.Result.Verdict.String())
			enough = enough && !strings.HasSuffix(out.Result.Reason, "prover queries were not enough")
		}
		if len(alike) == 2 && !enough && slices.Contains(alike, verdict.Unknown.String()) {
			exhausted++
			continue
		}
		if len(alike) == 2 {
			compared++
			if alike[0] != alike[1] {
				t.Errorf("seed %d: %s with what is reached, %s with all", x.program.Seed, alike[0], alike[1])
			}
		}
	}
	t.Logf("%d compared, %d refused, %d not decided in time", compared, refused, exhausted)
	if 10*refused > len(usable) || 10*exhausted > len(usable) || compared == 0 {
		t.Errorf("of %d programs %d are refused, and %d are not decided in time", len(usable), refused, exhausted)
	}
}

// sourcesOf are the files of a program; names that match renamed are others.
func sourcesOf(list []wide.File, renamed *regexp.Regexp) (files []*source.File) {
	for _, f := range list {
		text := f.Text
		if renamed != nil {
			text = renamed.ReplaceAllString(text, "beside_$0")
		}
		files = append(files, source.NewFile(f.Name, []byte(text)))
	}
	return files
}
