package samples

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"
	"time"
)

// This file runs c2bp audit on a pool of programs that are not ours and not in the
// repository, and says in how many it agrees with their known verdicts.
//
//	C2BP_POOL=/where/they/are go test -run Pool -v -timeout 12h ./drivers-samples
//
// The pool is a directory with the programs below programs/ and a table INDEX.tsv,
// with a header line and one line for each program: file, expected verdict (TRUE or
// FALSE), lines, group, data model (ILP32 for --32), and columns that are not read.
//
// Also read are C2BP_POOL_ONLY, a regular expression that the line of a program must
// match (a group, a folder, a name), C2BP_POOL_TIME, the limit for each (60s), and
// C2BP_POOL_BINARY, a c2bp to run instead of the one built from this tree.

// poolProgram is a line of INDEX.tsv.
type poolProgram struct {
	file, want, lines, group string
	flags                    []string
}

// parsePool reads the text of an INDEX.tsv: the programs whose line only matches.
func parsePool(text string, only *regexp.Regexp) ([]poolProgram, error) {
	var out []poolProgram
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for _, line := range lines[1:] {
		w := strings.Split(line, "\t")
		if len(w) < 5 || w[1] != "TRUE" && w[1] != "FALSE" {
			return nil, fmt.Errorf("INDEX.tsv: %q has no file, verdict, lines, group and model", line)
		}
		if !only.MatchString(line) {
			continue
		}
		p := poolProgram{file: w[0], want: w[1], lines: w[2], group: w[3]}
		if w[4] == "ILP32" {
			p.flags = []string{"--32"}
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return nil, errors.New("INDEX.tsv: no program is chosen")
	}
	return out, nil
}

// outcomes of a program, in the order of the columns of the table.
var outcomes = []string{"right", "unknown", "wrong", "refused", "broken"}

// poolResult is the outcome of a program.
type poolResult struct {
	poolProgram
	outcome string
	detail  string // the verdict, or why there is none
	time    time.Duration
}

const verdictLine = "Verification result: "

// judge tells from the exit code and what was printed how a run ended: refused is
// an input that c2bp says it cannot read, broken is any end that is not allowed.
func judge(p poolProgram, exit int, stdout, stderr string) poolResult {
	last := stdout
	if i := strings.LastIndex(strings.TrimSpace(stdout), "\n"); i >= 0 {
		last = stdout[i+1:]
	}
	text, ok := strings.CutPrefix(strings.TrimSpace(last), verdictLine)
	said, _, _ := strings.Cut(text, " ")
	r := poolResult{poolProgram: p, outcome: "broken", detail: text}
	switch {
	case exit == 2 && !ok:
		r.outcome = "refused"
		r.detail, _, _ = strings.Cut(strings.TrimSpace(stderr), "\n")
	case !ok:
		r.detail = fmt.Sprintf("exit %d and no verdict: %.200s", exit, strings.TrimSpace(stderr))
	case map[string]int{"TRUE": 0, "FALSE": 10, "UNKNOWN": 5}[said] != exit:
		r.detail = fmt.Sprintf("exit %d with %s", exit, text)
	case said == p.want:
		r.outcome = "right"
	case said == "UNKNOWN":
		r.outcome = "unknown"
	case said == "TRUE" || said == "FALSE":
		r.outcome = "wrong"
	}
	return r
}

// runPool runs the binary on p. A run that does not heed its limit is killed a little later.
func runPool(binary, dir string, p poolProgram, limit time.Duration) poolResult {
	ctx, cancel := context.WithTimeout(context.Background(), limit+limit/4+5*time.Second)
	defer cancel()
	args := append([]string{"audit", "--timeout", limit.String()}, p.flags...)
	cmd := exec.CommandContext(ctx, binary, append(args, filepath.Join(dir, "programs", p.file))...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	start := time.Now()
	err := cmd.Run()
	exit := -1
	if cmd.ProcessState != nil {
		exit = cmd.ProcessState.ExitCode()
	}
	r := judge(p, exit, stdout.String(), stderr.String())
	r.time = time.Since(start)
	switch {
	case ctx.Err() != nil:
		r.outcome, r.detail = "broken", "the limit of time was not heeded"
	case exit == -1:
		r.detail = err.Error()
	}
	return r
}

func TestPool(t *testing.T) {
	dir := os.Getenv("C2BP_POOL")
	if dir == "" {
		t.Skip("C2BP_POOL names no directory of programs")
	}
	only, err := regexp.Compile(os.Getenv("C2BP_POOL_ONLY"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "INDEX.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	programs, err := parsePool(string(text), only)
	if err != nil {
		t.Fatal(err)
	}
	limit, err := time.ParseDuration(cmp.Or(os.Getenv("C2BP_POOL_TIME"), "60s"))
	if err != nil {
		t.Fatal(err)
	}
	var results []poolResult
	binary := poolBinary(t)
	for _, p := range programs {
		r := runPool(binary, dir, p, limit)
		fmt.Printf("%-8s %7.1fs %5s lines  %-9s %-5s  %s  %.160s\n",
			r.outcome, r.time.Seconds(), r.lines, r.group, r.want, r.file, r.detail)
		if r.outcome == "wrong" || r.outcome == "broken" {
			t.Errorf("%s: want %s: %s: %s", r.file, r.want, r.outcome, r.detail)
		}
		results = append(results, r)
	}
	fmt.Print(poolTable(results), poolReasons(results))
}

// poolBinary is the c2bp to run.
func poolBinary(t *testing.T) string {
	t.Helper()
	if b := os.Getenv("C2BP_POOL_BINARY"); b != "" {
		return b
	}
	b := filepath.Join(t.TempDir(), "c2bp")
	if out, err := exec.Command("go", "build", "-o", b, "c2bp/cmd/c2bp").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return b
}

// poolTable has a line for each group and verdict, and one for all.
func poolTable(results []poolResult) string {
	counts := map[string]map[string]int{}
	times := map[string]time.Duration{}
	for _, r := range results {
		for _, row := range []string{r.group + "\t" + r.want, "~all\t"} {
			if counts[row] == nil {
				counts[row] = map[string]int{}
			}
			counts[row][r.outcome]++
			counts[row]["programs"]++
			times[row] += r.time
		}
	}
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "\ngroup\texpected\tprograms\t%s\ttime\n", strings.Join(outcomes, "\t"))
	for _, row := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(w, "%s\t%d", strings.TrimPrefix(row, "~"), counts[row]["programs"])
		for _, o := range outcomes {
			fmt.Fprintf(w, "\t%d", counts[row][o])
		}
		fmt.Fprintf(w, "\t%.1fs\n", times[row].Seconds())
	}
	w.Flush()
	return b.String()
}

var inPlace = regexp.MustCompile(`[^\s:]*\.[ci](:[0-9]+)*|[0-9.]+(ms|m|s|µs)\b`)

// poolReasons counts why programs were not decided, the most frequent reason first.
func poolReasons(results []poolResult) string {
	count := map[string]int{}
	for _, r := range results {
		if r.outcome != "right" {
			count[r.outcome+": "+inPlace.ReplaceAllString(r.detail, "…")]++
		}
	}
	reasons := slices.SortedFunc(maps.Keys(count), func(a, b string) int {
		return cmp.Or(count[b]-count[a], strings.Compare(a, b))
	})
	var b strings.Builder
	for _, reason := range reasons {
		fmt.Fprintf(&b, "%5d  %.160s\n", count[reason], reason)
	}
	return b.String()
}

func TestJudge(t *testing.T) {
	safe, unsafe := poolProgram{want: "TRUE"}, poolProgram{want: "FALSE"}
	for _, c := range []struct {
		program poolProgram
		exit    int
		stdout  string
		want    string
	}{
		{safe, 0, "Properties:\n\nVerification result: TRUE\n", "right"},
		{unsafe, 10, "Verification result: FALSE (assertion, a.c:3)\n", "right"},
		{unsafe, 0, "Verification result: TRUE\n", "wrong"},
		{safe, 10, "Verification result: FALSE (label ERROR, a.c:3)\n", "wrong"},
		{safe, 5, "Verification result: UNKNOWN (time limit of 60s)\n", "unknown"},
		{safe, 10, "Verification result: TRUE\n", "broken"},
		{safe, 0, "Verification result: TRUE\nand more\n", "broken"},
		{safe, 0, "", "broken"},
		{safe, 2, "", "refused"},
		{safe, 6, "", "broken"},
		{safe, -1, "Verification result: TRUE\n", "broken"},
		{safe, 0, "Verification result: MAYBE\n", "broken"},
	} {
		if got := judge(c.program, c.exit, c.stdout, "a.c:1:2: error"); got.outcome != c.want {
			t.Errorf("exit %d, %q: %s (%s), want %s", c.exit, c.stdout, got.outcome, got.detail, c.want)
		}
	}
}
