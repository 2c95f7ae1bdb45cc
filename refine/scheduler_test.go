package refine

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/refine/cex"
	"c2bp/refine/technique"
	"c2bp/source"
	"c2bp/verdict"
)

// load reads a C program.
func load(t *testing.T, text string) *core.Program {
	t.Helper()
	unit, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return unit.Program
}

// severalParts has properties that take predicates of their own.
const severalParts = `extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assert(int);
int locked, mapped, users;
void take(void) { __VERIFIER_assert(!locked); locked = 1; }
void touch(void) { __VERIFIER_assert(mapped); }
void release(void) { __VERIFIER_assert(locked); locked = 0; }
int main(void)
{
	locked = 0;
	mapped = 1;
	users = 0;
	while (__VERIFIER_nondet_int()) {
		take();
		touch();
		release();
		users = users + 1;
		if (users > 1)
			users = 1;
	}
	__VERIFIER_assert(users <= 1);
}
`

// certified is the proof of an outcome, written down and read again.
func certified(t *testing.T, o *Outcome, prog *core.Program) certificate.Proof {
	t.Helper()
	var parts []extract.Part
	for _, p := range o.Proof {
		parts = append(parts, extract.Part{Analysis: p.Analysis, Predicates: p.Predicates})
	}
	proof, err := extract.Proof(t.Context(), prog, parts)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := proof.Write(&b); err != nil {
		t.Fatal(err)
	}
	if proof, err = certificate.Read(source.NewFile("in.cert", b.Bytes()), prog); err != nil {
		t.Fatal(err)
	}
	return proof
}

// Properties that are looked at one by one are proved by a certificate each, with few
// predicates, and all are needed.
func TestTurnsCertify(t *testing.T) {
	prog := load(t, severalParts)
	o, err := Audit(t.Context(), prog, Options{Without: technique.Of(technique.Fuzzing, technique.OtherProperties), large: 1})
	if err != nil || o.Result.Verdict != verdict.True {
		t.Fatal(o.Result.Summary(), err)
	}
	proof := certified(t, o, prog)
	if len(proof) < 3 {
		t.Errorf("%d certificates", len(proof))
	}
	validate := func(p certificate.Proof) certificate.Verdict {
		r, err := certificate.Validate(t.Context(), prog, p, certificate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		return r.Verdict
	}
	if v := validate(proof); v != certificate.Valid {
		t.Errorf("the proof is %v", v)
	}
	for i := range proof {
		if v := validate(slices.Delete(slices.Clone(proof), i, i+1)); v != certificate.Rejected {
			t.Errorf("without part %d, the proof is %v", i, v)
		}
		for _, p := range proof[i].Procedures {
			for j, at := range p.Invariants {
				if !slices.Contains(proof[i].Proves, p.Proc.NodeID(j)) {
					continue
				}
				p.Invariants[j] = certificate.True()
				if v := validate(proof); v != certificate.Rejected {
					t.Errorf("with part %d weaker at %s, the proof is %v", i, p.Proc.NodeID(j), v)
				}
				p.Invariants[j] = at
			}
		}
	}
}

// The verdict does not depend on whether properties are looked at one by one, nor does the way
// there on the number of workers.
func TestTurnsAgree(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	several, tried := 0, 0
	for _, name := range files {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		last := a.Files[len(a.Files)-1]
		if last.Name != "out/properties" {
			continue
		}
		if several++; several%testkit.Count(4, 1) != 0 {
			continue
		}
		opts := Options{Refs: RefsNever, All: strings.HasPrefix(filepath.Base(name), "all-"), Without: technique.Of(technique.Fuzzing), large: 1}
		opts.Abstract.Jobs = 1
		o, log := auditText(t, string(a.Files[0].Data), opts)
		want, _, _ := strings.Cut(string(a.Files[len(a.Files)-2].Data), " ")
		if got := o.Result.Verdict.String(); got != strings.TrimSpace(want) {
			t.Errorf("%s: one by one, %s, not %s%s", name, got, want, log)
		}
		if got := properties(o.Result); o.Result.Verdict != verdict.False && got != string(last.Data) {
			t.Errorf("%s: one by one\n%snot\n%s%s", name, got, last.Data, log)
		}
		if !strings.Contains(log, "one by one") {
			continue
		}
		tried++
		opts.Abstract.Jobs = 4
		if _, again := auditText(t, string(a.Files[0].Data), opts); again != log {
			t.Errorf("%s: with four workers\n%snot\n%s", name, again, log)
		}
	}
	if tried < 3 {
		t.Errorf("only %d programs had turns", tried)
	}
}

// A property begins its turns with the predicates that were found for it before.
func TestTurnsKeepTheirPredicates(t *testing.T) {
	prog := load(t, severalParts)
	a := newAudit(prog, Options{All: true})
	defer a.close()
	sites := sitesOf("fff")
	a.status.record(proving(sites))
	for i, name := range []string{"locked", "mapped", "locked"} {
		at := slices.IndexFunc(prog.Globals, func(v *core.Var) bool { return v.Name == name })
		a.search.preds.Site = i
		a.search.preds.Add(nil, prog.Globals[at].Ref())
	}
	a.part()
	for i, want := range []string{"locked", "mapped", "locked"} {
		if list := a.scheduler.queue[i].search.preds.List; len(list) != 1 || list[0].Name != want {
			t.Errorf("property %d begins with %v", i, list)
		}
	}
}

// Turns go round, each twice as long as that before, without what has been decided.
func TestTurnsGoRound(t *testing.T) {
	sites := sitesOf("hfff")
	a := &audit{Facts: &cex.Facts{}, search: newSearch(64)}
	a.status.record(proving(sites))
	a.opts.large = 10
	order := ""
	took := func(nodes int64) {
		a.schedule(nodes)
		if a.scheduler == nil {
			order += "-"
			return
		}
		order += string(rune('0' + a.scheduler.queue[0].site))
	}
	took(10)                            // no more than may be
	took(11)                            // 1 begins
	took(0)                             // it takes one iteration of its turn
	took((firstTurn - 1) * nodesMore)   // and all others
	a.status.list[3].holds = true       // in the turn of 2
	took(firstTurn * nodesMore)         // then 1 is next
	took((2*firstTurn - 2) * nodesMore) // whose turn is longer now
	took(0)                             // and over
	a.status.list[2].holds = true       // 2 is decided
	if !a.scheduler.next(a) || a.aside(1) || !a.aside(2) {
		t.Error("1 is not next")
	}
	took(1000 * firstTurn * nodesMore) // it is the only one left
	if order != "-1121121" {
		t.Error(order)
	}
	a.status.list[1].holds = true
	if a.scheduler.next(a) {
		t.Error("there are turns when all is decided")
	}
}
