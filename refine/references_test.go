package refine

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"c2bp/abstract"
	"c2bp/frontend/core"
)

// TestNothingKept: where no pointers can be kept, the audit with references is the one without: paths are
// excluded by constraints, too.
func TestNothingKept(t *testing.T) {
	a, err := txtar.ParseFile("testdata/polymorphic.txtar")
	if err != nil {
		t.Fatal(err)
	}
	text := string(a.Files[0].Data)
	_, never := auditText(t, text, Options{Refs: RefsNever})
	_, always := auditText(t, text, Options{Refs: RefsAlways})
	if never != always {
		t.Errorf("with references:\n%s\nwithout:\n%s", always, never)
	}
	if !strings.Contains(never, "constraint ") {
		t.Errorf("no constraints:\n%s", never)
	}
}

// TestRestore: an attempt with references that failed leaves the predicates that it found, and nothing else.
func TestRestore(t *testing.T) {
	s := newSearch(64)
	x := &core.VarRef{Var: &core.Var{Name: "x", Type: core.Int32}}
	atom := func(n int64) core.Expr { return &core.Binary{Op: core.Eq, X: x, Y: core.NewConst(n, core.Int32)} }
	s.preds.Add(nil, atom(1))
	s.before = s.clone()
	s.preds.Add(nil, atom(2))
	s.insist(7)
	s.constraints = append(s.constraints, abstract.Constraint{})
	s.restore()
	if len(s.preds.List) != 2 || len(s.constraints) != 0 || s.insisting.times != 0 {
		t.Errorf("%d predicates, %d constraints, %d times", len(s.preds.List), len(s.constraints), s.insisting.times)
	}
}
