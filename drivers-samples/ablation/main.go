// Command ablation measures what each technique of the refinement is worth: it audits programs with all
// techniques, and again with each left out, and prints docs/ablation.md.
//
//	go run ./drivers-samples/ablation > docs/ablation.md
//	go run ./drivers-samples/ablation -pool DIR -n 100 > docs/ablation.md
//	go run ./drivers-samples/ablation -without backward,fuzzing
//
// The programs are the samples, the small programs, some of each family, the archives of package refine
// (a program for each of its strategies), and, with -pool, n programs of a pool that is not in the
// repository (drivers-samples/pool_test.go says how it is laid out), drawn by a seed. Audits are bounded
// by prover queries, refinements and BDD nodes, so that the verdicts are the
// same on every machine, and by a minute for what these do not bound; nothing is compiled or run.
//
// A program that is not decided with all techniques is not audited again, and a technique that an audit
// never came to is not left out there: the audit would be the same.
// SIGTERM ends the measurement, and prints the table of the programs that are done, which are in an order
// that the seed draws.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/tools/txtar"

	samples "c2bp/drivers-samples"
	"c2bp/drivers-samples/families"
	"c2bp/drivers-samples/small"
	"c2bp/frontend"
	"c2bp/refine"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// program is a program with its verdict.
type program struct {
	group, name, text, want string // want is the expected verdict, as it is printed
	narrow                  bool   // pointers have 32 bits
}

// result is the result of an audit.
type result struct {
	right, wrong bool                    // it says what is expected, or the opposite
	refinements  int64                   // abstractions that were checked
	queries      int64                   // of the prover, for abstractions and paths
	seconds      float64                 // elapsed
	asked        map[technique.Name]bool // techniques that the audit came to
}

// kept says why a technique is worth keeping that may lose no program of the table.
var kept = map[technique.Name]string{
	technique.ObservedValues:     "decides 2 programs of `refine/few_test.go`, and some generated ones (`frontend/cgen/wide`)",
	technique.PathRanges:         "decides a program of `refine/ranges_test.go`, and checks of overflow in libraries of fixed-point numbers",
	technique.MoreCores:          "saves refinements in archives: without it and other-targets, fifo takes 18 and not 13",
	technique.OtherTargets:       "as more-cores",
	technique.RoundRobin:         "begins at the table's bound of BDD nodes: for large programs",
	technique.ProverMemo:         "saves 6 % of the time of families.Outside(6, 3)",
	technique.ProverReuse:        "saves 12 % there, and as much of families.Locks(20)",
	technique.VariableOrderReuse: "is for programs whose checks take longer than their abstraction; no gain has been measured",
}

// limits of an audit.
const (
	mostQueries     = 1500        // to the prover
	mostRefinements = 60          // iterations
	mostNodes       = 1_000_000   // of decision diagrams
	hang            = time.Minute // an audit that takes longer ends undecided
)

func main() {
	pool := flag.String("pool", "", "a pool of programs: its directory")
	n := flag.Int("n", 100, "programs that are drawn from the pool")
	seed := flag.Uint64("seed", 1, "draws them")
	without := flag.String("without", "", "the techniques that are left out, with commas; all of them if empty")
	jobs := flag.Int("jobs", runtime.GOMAXPROCS(0), "audits at the same time")
	flag.Parse()
	rows, err := rowsOf(*without)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ablation:", err)
		os.Exit(2)
	}
	list, err := programs(*pool, *n, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "ablation:", err)
		os.Exit(1)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	rng := rand.New(rand.NewPCG(*seed, 1))
	rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] }) // so that some of each are done early
	list, results := measure(ctx, list, rows, *jobs)
	write(os.Stdout, list, rows, results)
}

// rowsOf returns the rows of the table: no technique is left out in the first, and then one of the names
// in without each, or of all techniques if that is empty.
func rowsOf(without string) ([]technique.Name, error) {
	rows := []technique.Name{""}
	if without == "" {
		return append(rows, technique.All()...), nil
	}
	for name := range strings.SplitSeq(without, ",") {
		if !technique.Known(technique.Name(name)) {
			return nil, fmt.Errorf("there is no technique %q", name)
		}
		rows = append(rows, technique.Name(name))
	}
	return rows, nil
}

// programs returns all programs of the table: the small ones, some of each family, safe and unsafe,
// those drawn from pool, if it is not "", and the samples. It reads files relative to the root of
// the module.
func programs(pool string, n int, seed uint64) (list []program, err error) {
	for _, p := range small.Programs() {
		list = append(list, program{group: "small programs", name: p.Name, text: p.Text, want: p.Want})
	}
	for _, unsafe := range []bool{false, true} {
		for _, p := range []families.Program{
			families.Locks(5, unsafe), families.Handshake(4, 12, 1, unsafe), families.Handshake(5, 12, 2, unsafe),
			families.Driver(4, 1, unsafe), families.Driver(6, 2, unsafe), families.Outside(2, 1, unsafe), families.Outside(3, 2, unsafe),
		} {
			list = append(list, program{group: "families", name: p.Name, text: p.Text, want: p.Want})
		}
	}
	if pool != "" {
		drawn, err := draw(pool, n, seed)
		if err != nil {
			return nil, err
		}
		list = append(list, drawn...)
	}
	archives, err := archives("refine/testdata")
	if err != nil {
		return nil, err
	}
	list = append(list, archives...)
	for _, dir := range []string{"drivers-samples", "drivers-samples/outside"} {
		found, err := samples.Find(dir)
		if err != nil {
			return nil, err
		}
		for _, v := range found {
			text, err := os.ReadFile(filepath.Join(v.Dir, v.File))
			if err != nil {
				return nil, err
			}
			list = append(list, program{group: "samples", name: v.Name(), text: string(text), want: v.Want})
		}
	}
	return list, nil
}

// archives returns the programs of the archives in a directory that have a verdict other than UNKNOWN.
func archives(dir string) (list []program, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			return nil, err
		}
		p := program{group: "archives", name: filepath.Base(name), text: string(a.Files[0].Data)}
		for _, f := range a.Files {
			if f.Name == "out/verdict" {
				p.want, _, _ = strings.Cut(strings.TrimSpace(string(f.Data)), " ")
			}
		}
		if p.want == "TRUE" || p.want == "FALSE" {
			list = append(list, p)
		}
	}
	return list, nil
}

// draw draws n programs from a pool, all if it has fewer: a seed always draws the same ones. A line
// of the index has the file, the expected verdict and, in its fifth column, the data model.
func draw(pool string, n int, seed uint64) (list []program, err error) {
	index, err := os.ReadFile(filepath.Join(pool, "INDEX.tsv"))
	if err != nil {
		return nil, err
	}
	// The first line names the columns.
	lines := strings.Split(strings.TrimSpace(string(index)), "\n")[1:]
	rng := rand.New(rand.NewPCG(seed, 0))
	rng.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	for _, line := range lines[:min(n, len(lines))] {
		w := strings.Split(line, "\t")
		text, err := os.ReadFile(filepath.Join(pool, "programs", w[0]))
		if err != nil {
			return nil, err
		}
		list = append(list, program{group: "pool", name: w[0], text: string(text), want: w[1], narrow: w[4] == "ILP32"})
	}
	return list, nil
}

// measure audits each program with all techniques ("") and without each, until ctx ends. It returns the
// programs that were measured, and their results in the same order.
func measure(ctx context.Context, list []program, rows []technique.Name, jobs int) ([]program, map[technique.Name][]result) {
	done := make([]map[technique.Name]result, len(list))
	// Workers take numbers of programs from next, and write to places of done that are their
	// own.
	var wg sync.WaitGroup
	next := make(chan int)
	for range jobs {
		wg.Go(func() {
			for i := range next {
				done[i] = measureOne(ctx, list[i], rows)
				if done[i] != nil {
					fmt.Fprintf(os.Stderr, "%s %s: %v\n", list[i].group, list[i].name, done[i][""].right)
				}
			}
		})
	}
	// Hand out the programs, until ctx ends: those under way are finished or given up by
	// measureOne.
	for i := 0; i < len(list) && ctx.Err() == nil; i++ {
		select {
		case next <- i:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	// Keep the programs with all of their results.
	var measured []program
	out := map[technique.Name][]result{}
	for i, p := range list {
		if done[i] == nil {
			continue
		}
		measured = append(measured, p)
		for _, without := range rows {
			out[without] = append(out[without], done[i][without])
		}
	}
	return measured, out
}

// measureOne audits p for each row of the table. It returns nil if ctx ends before that. A row that
// cannot differ from the first gets its result.
func measureOne(ctx context.Context, p program, rows []technique.Name) map[technique.Name]result {
	all := audit(p, "")
	out := map[technique.Name]result{}
	for _, without := range rows {
		if ctx.Err() != nil {
			return nil
		}
		r := all
		if without != "" && all.right && all.asked[without] {
			r = audit(p, without)
		}
		out[without] = r
	}
	return out
}

// audit audits a program without a technique, or with all if it is "". A program that cannot be
// read, or whose audit fails, has the zero result: neither right nor wrong.
func audit(p program, without technique.Name) (r result) {
	ctx, cancel := context.WithTimeout(context.Background(), hang)
	defer cancel()
	r.asked = map[technique.Name]bool{}
	start := time.Now()
	defer func() { r.seconds = time.Since(start).Seconds() }()
	// A program that cannot be read counts as undecided.
	u, err := frontend.Load(ctx, []*source.File{source.NewFile("in.c", []byte(p.text))}, frontend.Options{Bits32: p.narrow})
	if err != nil {
		return r
	}
	opts := refine.Options{Queries: mostQueries, Iterations: mostRefinements, Without: technique.Of(without).Observed(func(n technique.Name) { r.asked[n] = true })}
	opts.Abstract.Jobs = 1
	opts.Checker.NodeLimit = mostNodes
	o, err := refine.Audit(ctx, u.Program, opts)
	if err != nil {
		return r
	}
	r.refinements = int64(o.Iterations)
	said := o.Result.Verdict
	r.right, r.wrong = said.String() == p.want, said != verdict.Unknown && said.String() != p.want
	for _, s := range o.Result.Stats {
		if strings.HasPrefix(s.Name, "prover queries") {
			r.queries += s.Value
		}
	}
	return r
}

// write prints the document: the numbers of programs by group, and the table, with a row for each
// technique that was left out and a column for each group. A number is that of programs decided as
// expected.
//
//	| without | small programs | families | lost | refinements | queries | seconds |
//	| nothing | 40 | 14 | 0 | 1.00 | 1.00 | 1.00 |
//
// After the table come the names of the programs that are lost without each technique, and why those are
// kept that lose none.
func write(w io.Writer, list []program, rows []technique.Name, results map[technique.Name][]result) {
	// Groups without programs have no column.
	groups := slices.DeleteFunc([]string{"small programs", "samples", "families", "archives", "pool"}, func(g string) bool {
		return !slices.ContainsFunc(list, func(p program) bool { return p.group == g })
	})
	// count returns the number of programs of a group, "" for all, whose result without a
	// technique has some property.
	count := func(name technique.Name, group string, has func(result) bool) (n int) {
		for i, p := range list {
			if (group == "" || p.group == group) && has(results[name][i]) {
				n++
			}
		}
		return n
	}
	right := func(r result) bool { return r.right }
	isWrong := func(r result) bool { return r.wrong }
	fmt.Fprintf(w, `# What each technique is worth

Programs that the audit decides as expected, with all techniques, and with each left out
(`+"`refine/technique`"+` says what they are). Audits are bounded by %d prover queries and %d
refinements, and %d BDD nodes a check (so that round-robin, which begins there, shows nothing), and
end undecided after a minute; nothing is compiled. "Lost" are programs that are decided with all
techniques and not without this one; a program that is not decided with all of them is not audited again.
Effort is that of programs decided both ways, relative to all techniques: 1.10 is ten percent more
without. Made by

    go run ./drivers-samples/ablation -pool DIR -n 1000 > docs/ablation.md

"Archives" are the programs in `+"`refine/testdata`"+`, each written for a strategy.

| programs | |
|---|--:|
`, mostQueries, mostRefinements, mostNodes)
	for _, g := range groups {
		fmt.Fprintf(w, "| %s | %d |\n", g, count("", g, func(result) bool { return true }))
	}
	fmt.Fprint(w, "\n| without |")
	for _, g := range groups {
		fmt.Fprintf(w, " %s |", g)
	}
	fmt.Fprint(w, " lost | refinements | queries | seconds |\n|---|")
	fmt.Fprintln(w, strings.Repeat("--:|", len(groups)+4))
	// One row for each technique: the programs decided in each group, those lost, and the
	// effort of the others.
	opposite := 0
	var lost, none []string
	for _, name := range rows {
		label := string(name)
		if name == "" {
			label = "nothing"
		}
		fmt.Fprintf(w, "| %s |", label)
		for _, g := range groups {
			fmt.Fprintf(w, " %d |", count(name, g, right))
		}
		var names []string
		var refinements, queries, seconds ratio
		for i := range list {
			a, b := results[""][i], results[name][i]
			switch {
			case a.right && !b.right:
				names = append(names, list[i].name)
			// Effort is compared on programs that are decided both ways.
			case a.right:
				refinements.add(float64(b.refinements), float64(a.refinements))
				queries.add(float64(b.queries), float64(a.queries))
				seconds.add(b.seconds, a.seconds)
			}
			if a.right && b.wrong {
				opposite++
			}
		}
		if len(names) > 0 {
			lost = append(lost, fmt.Sprintf("- %s: %s", label, strings.Join(names, ", ")))
		} else if why := kept[name]; why != "" {
			none = append(none, fmt.Sprintf("- %s %s", label, why))
		}
		fmt.Fprintf(w, " %d | %s | %s | %s |\n", len(names), refinements, queries, seconds)
	}
	fmt.Fprintf(w, `
With all techniques %d programs of the pool, and %d others, get the verdict opposite to the expected
one: in a pool the expected verdict is read off names, which may speak of another property or data
model. Of the programs decided as expected with all techniques, %d get the opposite verdict without one.

Lost:

%s

Without these none is lost, and they are kept all the same:

%s
`, count("", "pool", isWrong), count("", "", isWrong)-count("", "pool", isWrong), opposite, strings.Join(lost, "\n"), strings.Join(none, "\n"))
}

// ratio is the quotient of two sums.
type ratio struct{ with, without float64 }

func (r *ratio) add(without, with float64) { r.without, r.with = r.without+without, r.with+with }

func (r ratio) String() string {
	if r.with == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f", r.without/r.with)
}
