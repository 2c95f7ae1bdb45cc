package refine

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/cgen/wide"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/refine/harness"
	"c2bp/source"
	"c2bp/verdict"
)

// This file holds the audit against programs whose truth is known exactly: package wide
// generates them, gcc runs them on all inputs.

// wideTrial is what came of one program.
type wideTrial struct {
	program     *wide.Program
	goal        wide.Goal
	files       []wide.File
	failing     map[int]bool // checks whose assertion is the first that fails, in some run
	doubtful    []int        // checks whose assertion fails in some run, or may fail
	discarded   string
	verdict     verdict.Verdict
	reason      string   // of Unknown
	certificate string   // of True: what became of it
	rejected    string   // why that is not valid
	wrong       []string // what must not be
	panicked    bool
	refused     bool // the front end does not accept the program
	time        time.Duration
}

// wideManner is how programs are audited.
type wideManner struct {
	options  wide.Options
	compiler wide.Compiler
	confirm  func(seed uint64) bool // whether failing runs are confirmed by the compiled program
	certify  bool
	jobs     int // workers of an audit, Options.Abstract.Jobs
	broken   wideMutant
}

// wideLimits are what an audit may take: work, and not time.
const (
	wideRefinements = 20
	wideSteps       = 300
	wideHang        = 5 * time.Minute // nobody comes near that
)

// wideQueries is how many prover queries an audit may ask: what takes more is decided in the
// long test only.
func wideQueries() int64 { return int64(testkit.Count(700, 20_000)) }

// wideGoals are what programs are to be, in turn.
var wideGoals = []wide.Goal{wide.Safe, wide.Unsafe, wide.Safe, wide.Unsafe, wide.Safe, wide.Unsafe, wide.Grey}

// wideTrials audits the programs of n seeds, by a few workers.
func wideTrials(t *testing.T, from uint64, n int, m wideManner) []*wideTrial {
	t.Helper()
	trials := make([]*wideTrial, n)
	for i := range trials {
		trials[i] = &wideTrial{program: wide.Generate(from+uint64(i), m.options)}
	}
	var wg sync.WaitGroup
	batches := make(chan []*wideTrial)
	for range runtime.GOMAXPROCS(0) {
		c := m.compiler
		c.Dir = t.TempDir()
		wg.Add(1)
		go func() {
			defer wg.Done()
			for list := range batches {
				m.tryAll(t, &c, list)
			}
		}()
	}
	const batch = 40
	for list := range slices.Chunk(trials, batch) {
		batches <- list
	}
	close(batches)
	wg.Wait()
	return trials
}

// tryAll compiles programs together, and audits each.
func (m wideManner) tryAll(t *testing.T, c *wide.Compiler, list []*wideTrial) {
	for _, x := range m.choose(t, c, list) {
		start := time.Now()
		m.try(t.Context(), x)
		x.time = time.Since(start)
	}
}

// choose compiles programs together, chooses their assertions, and returns those that are of
// use.
func (m wideManner) choose(t *testing.T, c *wide.Compiler, list []*wideTrial) (usable []*wideTrial) {
	var programs []*wide.Program
	for _, x := range list {
		programs = append(programs, x.program)
	}
	runs, err := c.All(t.Context(), programs)
	if err != nil {
		t.Error(err)
		return nil
	}
	for i, x := range list {
		if x.discarded = runs[i].Discarded; x.discarded != "" {
			continue
		}
		var assertions []*wide.Assertion
		assertions, x.goal = x.program.Choose(runs[i], wideGoals[x.program.Seed%uint64(len(wideGoals))])
		if !slices.ContainsFunc(assertions, func(a *wide.Assertion) bool { return a != nil }) {
			x.discarded = "no value is known to check"
			continue
		}
		x.files, x.failing, x.doubtful = x.program.Render(assertions), runs[i].Fails(assertions), x.program.Doubtful(runs[i], assertions)
		usable = append(usable, x)
	}
	return usable
}

// try audits a program, and looks for what must not be.
func (m wideManner) try(ctx context.Context, x *wideTrial) {
	defer func() {
		if e := recover(); e != nil {
			x.panicked = true
			x.complain("panic: %v", e)
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, wideHang)
	defer cancel()
	u, files, err := wideLoad(ctx, x, wideOptions(x.program))
	if err != nil {
		x.refused, x.reason = true, err.Error()
		return
	}
	if m.broken.program != nil {
		m.broken.program(u.Program)
	}
	opts := Options{Checker: checker.Options{ErrorLabels: checker.DefaultErrorLabels()}, Iterations: wideRefinements, TraceSteps: wideSteps, Queries: wideQueries()}
	opts.Abstract.Jobs = m.jobs
	if m.confirm != nil && m.confirm(x.program.Seed) {
		opts.Files, opts.Harness = files, &harness.Options{Frontend: wideOptions(x.program)}
	}
	o, err := Audit(ctx, u.Program, opts)
	if err != nil {
		x.complain("an error: %v", err)
		return
	}
	x.verdict, x.reason = o.Result.Verdict, o.Result.Reason
	x.judge(o.Result)
	if m.certify && x.verdict == verdict.True {
		if x.certificate, err = wideCertify(ctx, x, u.Program, o); err != nil {
			x.rejected = err.Error()
		}
	}
}

func wideOptions(p *wide.Program) frontend.Options {
	return frontend.Options{Entry: p.Flags.Entry, Open: p.Flags.Open, Bits32: p.Flags.Bits32}
}

// wideLoad reads the program as it is audited.
func wideLoad(ctx context.Context, x *wideTrial, o frontend.Options) (*frontend.Unit, []*source.File, error) {
	var files []*source.File
	for _, f := range x.files {
		files = append(files, source.NewFile(f.Name, []byte(f.Text)))
	}
	u, err := frontend.Load(ctx, files, o)
	return u, files, err
}

// wideCertify writes down why the program is safe, and validates that against the program
// read anew.
func wideCertify(ctx context.Context, x *wideTrial, prog *core.Program, o *Outcome) (string, error) {
	var parts []extract.Part
	for _, p := range o.Proof {
		parts = append(parts, extract.Part{Analysis: p.Analysis, Predicates: p.Predicates})
	}
	proof, err := extract.Proof(ctx, prog, parts)
	if err != nil {
		return "none", err
	}
	var text strings.Builder
	if err := proof.Write(&text); err != nil {
		return "none", err
	}
	u, _, err := wideLoad(ctx, x, wideOptions(x.program))
	if err != nil {
		return "none", err
	}
	r, err := certificate.ValidateFile(ctx, source.NewFile("cert", []byte(text.String())), u.Program, certificate.Options{ErrorLabels: checker.DefaultErrorLabels()})
	if err != nil {
		return "none", err
	}
	if r.Verdict != certificate.Valid {
		err = fmt.Errorf("%s", r.Summary())
	}
	return r.Verdict.String(), err
}

func (x *wideTrial) complain(format string, args ...any) {
	x.wrong = append(x.wrong, fmt.Sprintf(format, args...))
}

// judge looks for what the result says that is not so.
func (x *wideTrial) judge(r *verdict.Result) {
	switch {
	case x.goal != wide.Safe && r.Verdict == verdict.True && x.assumed(r.Ledger):
		x.goal = wide.Grey
	case x.goal != wide.Safe && r.Verdict == verdict.True:
		x.complain("TRUE, but checks %v fail; assumptions: %q", slices.Sorted(maps.Keys(x.failing)), r.Ledger)
	case x.goal == wide.Safe && r.Verdict == verdict.False:
		x.complain("FALSE, but nothing fails")
	}
	if x.program.Lines || r.Verdict == verdict.True {
		return // lines do not tell which check it is
	}
	for _, s := range r.Sites {
		for _, f := range x.files {
			k, ok := f.Checks[s.Pos.Line]
			if f.Name == s.Pos.File && ok && !s.Failed && !s.Open && x.failing[k] && !x.printed(k, r.Ledger) {
				x.complain("line %d holds, but can fail", s.Pos.Line)
			}
		}
	}
}

// assumed reports whether all that can fail does so only against an assumption that is
// printed.
func (x *wideTrial) assumed(ledger []string) bool {
	for _, k := range x.doubtful {
		if !x.printed(k, ledger) {
			return false
		}
	}
	return true
}

// printed reports whether the assumption that check k depends on is printed.
func (x *wideTrial) printed(k int, ledger []string) bool {
	under := x.program.Checks[k].Under
	return under != "" && slices.ContainsFunc(ledger, func(l string) bool { return strings.HasPrefix(l, under) })
}

// complainWide reports what must not be. A program that is refused and a certificate that is
// not valid are told, and must be few.
func complainWide(t *testing.T, trials []*wideTrial) {
	t.Helper()
	refused, proved, rejected := 0, 0, 0
	for _, x := range trials {
		switch {
		case x.refused:
			refused++
			t.Logf("seed %d, %v is refused: %s", x.program.Seed, x.program.Forms, x.reason)
		case x.rejected != "":
			rejected++
			t.Logf("seed %d, %v: the certificate is not valid: %s", x.program.Seed, x.program.Forms, firstLineOf(x.rejected))
		}
		if x.verdict == verdict.True {
			proved++
		}
	}
	if refused*10 > len(trials)+10 || rejected*20 > proved+20 {
		t.Errorf("of %d programs %d are refused; of %d TRUE %d have no valid certificate", len(trials), refused, proved, rejected)
	}
	for _, x := range trials {
		for _, w := range x.wrong {
			var text strings.Builder
			for _, f := range x.files {
				fmt.Fprintf(&text, "// %s\n%s", f.Name, f.Text)
			}
			t.Errorf("seed %d, %s %v %+v: %s\n%s", x.program.Seed, x.outcome(), x.program.Forms, x.program.Flags, w, text.String())
		}
	}
}

// No TRUE of a program that fails in a run, no FALSE of one that does not, no certificate that is
// refused; and most programs are decided. Ordinarily there are a few of the programs; most
// have one construct, and their proofs and failing runs are not looked at again.
func TestWide(t *testing.T) {
	testkit.NeedGCC(t)
	confirm := func(seed uint64) bool { return seed%uint64(testkit.Count(8, 2)) == 0 }
	trials := wideTrials(t, 1, testkit.Count(10, 5000), wideManner{certify: true, confirm: confirm})
	m := wideManner{options: wide.Options{Parts: 1}, jobs: 1} // of many workers each has a context of Z3
	if long := testkit.Count(0, 1) > 0; long {
		m.certify, m.confirm = true, confirm
	}
	trials = append(trials, wideTrials(t, 1_000_000, testkit.Count(16, 5000), m)...)
	logWide(t, trials)
	complainWide(t, trials)
}
