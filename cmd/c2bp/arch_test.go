package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// floors is the house from the ground up: a package imports only packages above
// its own line.
var floors = []string{
	"source",
	"internal/testkit",
	"internal/mutants",
	"internal/quickxplain",
	"internal/graph",
	"internal/collector",
	"verdict", "report/triage",
	"boolprog",
	"boolprog/bpexec",
	"boolprog/refexec",
	"boolprog/threadexec",
	"boolprog/bpgen",
	"boolprog/bptest",
	"boolprog/chc",
	"ieee",
	"frontend/core",
	"frontend/core/interp",
	"frontend/core/inline",
	"frontend/core/unset",
	"frontend/core/splice",
	"frontend/core/coregen",
	"frontend/core/coretest",
	"frontend/cgen",
	"frontend/cgen/wide",
	"frontend/stubs",
	"frontend/ctree",
	"frontend/ccfix",
	"frontend/layout",
	"frontend/predicate",
	"frontend/models",
	"frontend/harness",
	"frontend/checks",
	"frontend/assigned",
	"frontend",
	"frontend/ccflags",
	"frontend/slic/syntax",
	"frontend/slic/library",
	"alias",
	"alias/devirt",
	"frontend/extents",
	"frontend/heap",
	"frontend/slic",
	"refine/fuzz",
	"logic",
	"logic/logicgen",
	"prover",
	"prover/cubes",
	"wp",
	"wp/memory",
	"refine/certificate",
	"abstract/refs",
	"abstract",
	"checker/bdd",
	"checker/symbolic/flow",
	"checker/symbolic/varorder",
	"checker/symbolic",
	"checker/symbolic/trace",
	"checker/zom",
	"checker/lower",
	"checker/temporal/rite",
	"checker/temporal",
	"checker/pushdown",
	"checker/ltlcheck",
	"frontend/zing",
	"frontend/zing/zingtest",
	"checker/lowerzing",
	"checker/movers",
	"checker/summaries",
	"checker/interleave",
	"checker/conform",
	"checker/zingcheck",
	"frontend/shylock",
	"frontend/shylock/shytest",
	"checker/shylockcheck",
	"checker/explicit",
	"checker/threads",
	"checker/finite",
	"checker",
	"sandbox",
	"refine/harness",
	"refine/certificate/extract",
	"refine/technique",
	"refine/event",
	"refine/algebra",
	"refine/preds",
	"refine/cex",
	"refine/spurious",
	"refine/backward",
	"refine/invgen",
	"refine/concretise",
	"refine",
	"refine/rules",
	"report",
	"report/sarif",
	"cmd/c2bp",
	"drivers-samples/concrete",
	"drivers-samples/small",
	"drivers-samples/families",
	"drivers-samples/linux",
	"drivers-samples",
	"drivers-samples/ablation",
}

// doors are the packages that alone may import a module.
var doors = map[string][]string{
	"github.com/aclements/go-z3":      {"prover"},
	"modernc.org/cc":                  {"frontend/ctree", "frontend/ccfix", "frontend/layout", "frontend/predicate", "frontend/harness", "frontend"},
	"mvdan.cc/sh":                     {"frontend/ccflags"},
	"github.com/spf13":                {"cmd/c2bp"},
	"github.com/rogpeppe/go-internal": {}, // tests only
	"github.com/landlock-lsm":         {"sandbox"},
	"github.com/elastic":              {"sandbox"},
	"golang.org/x/net":                {"sandbox"},
	"github.com/owenrumney/go-sarif":  {"report/sarif"},
}

// testOnly are packages that serve the tests of others: no other code imports them.
var testOnly = []string{
	"internal/testkit",
	"internal/mutants",
	"boolprog/bpgen", "boolprog/bptest", "boolprog/refexec", "boolprog/threadexec", "frontend/core/coregen", "frontend/core/coretest", "frontend/cgen", "frontend/cgen/wide", "frontend/zing/zingtest", "frontend/shylock/shytest", "logic/logicgen",
	"drivers-samples/concrete", "drivers-samples/small", "drivers-samples/families",
}

// measuring are commands that measure the tool, and may use what serves its tests.
var measuring = []string{"drivers-samples/ablation", "drivers-samples/linux"}

// walls are packages that a part of the house must not see although they lie on a
// lower floor: the checker never learns that a Boolean variable was a C predicate, the
// object model knows no surface language, and the explicit engine no decision diagrams.
var walls = map[string][]string{
	"checker/zom":        {"boolprog", "checker"},
	"checker/lower":      {"checker/bdd", "checker/symbolic"},
	"checker/lowerzing":  {"boolprog"},
	"checker/movers":     {"boolprog", "frontend"},
	"checker/temporal":   {"boolprog", "frontend"},
	"checker/ltlcheck":   {"checker/bdd", "checker/symbolic", "frontend"},
	"checker/pushdown":   {"checker/bdd", "checker/symbolic", "frontend"},
	"checker/summaries":  {"boolprog", "frontend", "checker/movers"},
	"checker/interleave": {"boolprog", "frontend"},
	"checker/explicit":   {"checker/bdd", "checker/symbolic"},
	"checker/threads":    {"checker/bdd", "checker/symbolic"},
	"checker/finite":     {"checker/bdd", "checker/symbolic", "checker/zom"},
	"checker":            {"frontend", "alias", "logic", "prover", "wp", "abstract"},
	"report":             {"boolprog", "frontend", "alias", "logic", "prover", "wp", "abstract", "checker", "refine"},
}

// passages are packages that some of those outside of a wall may see all the same: models of processes and
// Shylock programs have a front end of their own.
var passages = map[string][]string{
	"frontend/zing":    {"checker/lowerzing", "checker/zingcheck"},
	"frontend/shylock": {"checker/shylockcheck"},
}

type pkg struct {
	ImportPath string
	Imports    []string
}

// violations lists the imports that the house does not allow.
func violations(pkgs []pkg) []string {
	level := map[string]int{}
	for i, f := range floors {
		level[f] = i + 1
	}
	var out []string
	for _, p := range pkgs {
		from := strings.TrimPrefix(p.ImportPath, "c2bp/")
		if level[from] == 0 {
			out = append(out, from+" has no place in the order of packages")
			continue
		}
		for _, imp := range p.Imports {
			out = append(out, badImport(level, from, imp)...)
		}
	}
	return out
}

func badImport(level map[string]int, from, imp string) []string {
	for module, allowed := range doors {
		if under(imp, module) && !slices.Contains(allowed, from) {
			return []string{fmt.Sprintf("%s imports %s, which only %s may", from, imp, strings.Join(allowed, ", "))}
		}
	}
	to, ours := strings.CutPrefix(imp, "c2bp/")
	if !ours {
		return nil
	}
	if level[to] >= level[from] {
		return []string{fmt.Sprintf("%s imports %s, which is not above it", from, to)}
	}
	if slices.Contains(testOnly, to) && !slices.Contains(measuring, from) {
		return []string{fmt.Sprintf("%s imports %s, which is for tests only", from, to)}
	}
	for part, hidden := range walls {
		for _, h := range hidden {
			if under(from, part) && under(to, h) && !slices.Contains(passages[to], from) {
				return []string{fmt.Sprintf("%s imports %s, which %s must not see", from, to, part)}
			}
		}
	}
	return nil
}

// under reports whether the package path is dir or lies in it.
func under(path, dir string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

func TestArchitecture(t *testing.T) {
	cmd := exec.Command("go", "list", "-json=ImportPath,Imports", "c2bp/...")
	text, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var pkgs []pkg
	for dec := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		pkgs = append(pkgs, p)
	}
	if len(pkgs) < 5 {
		t.Fatalf("go list found only %v", pkgs)
	}
	for _, v := range violations(pkgs) {
		t.Error(v)
	}
}

// The rules refuse violations of each kind.
func TestArchitectureRefuses(t *testing.T) {
	for _, c := range []struct {
		pkg  pkg
		want string
	}{
		{pkg{"c2bp/abstract", []string{"fmt", "c2bp/source", "c2bp/wp"}}, ""},
		{pkg{"c2bp/wp", []string{"c2bp/abstract"}}, "not above"},
		{pkg{"c2bp/source", []string{"c2bp/source"}}, "not above"},
		{pkg{"c2bp/abstract", []string{"c2bp/checker"}}, "not above"},
		{pkg{"c2bp/checker/symbolic", []string{"c2bp/frontend/core"}}, "must not see"},
		{pkg{"c2bp/checker", []string{"c2bp/boolprog", "c2bp/checker/bdd"}}, ""},
		{pkg{"c2bp/checker/lowerzing", []string{"c2bp/frontend/zing"}}, ""},
		{pkg{"c2bp/checker/interleave", []string{"c2bp/frontend/zing"}}, "must not see"},
		{pkg{"c2bp/logic", []string{"github.com/aclements/go-z3/z3"}}, "only prover"},
		{pkg{"c2bp/prover", []string{"github.com/aclements/go-z3/z3"}}, ""},
		{pkg{"c2bp/report", []string{"c2bp/checker"}}, "must not see"},
		{pkg{"c2bp/checker", []string{"c2bp/boolprog/bpgen"}}, "tests only"},
		{pkg{"c2bp/checker/zom", []string{"c2bp/boolprog"}}, "checker/zom must not see"},
		{pkg{"c2bp/checker/lower", []string{"c2bp/boolprog", "c2bp/checker/zom"}}, ""},
		{pkg{"c2bp/checker/lower", []string{"c2bp/checker/explicit"}}, "not above"},
		{pkg{"c2bp/checker/explicit", []string{"c2bp/checker/lower", "c2bp/checker/zom"}}, ""},
		{pkg{"c2bp/checker/explicit", []string{"c2bp/checker/bdd"}}, "checker/explicit must not see"},
		{pkg{"c2bp/util", nil}, "no place"},
	} {
		got := strings.Join(violations([]pkg{c.pkg}), "; ")
		if (c.want == "") != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%v: %q, want %q", c.pkg, got, c.want)
		}
	}
}
