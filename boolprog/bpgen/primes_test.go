package bpgen

import (
	"testing"

	"c2bp/boolprog"
	"c2bp/source"
)

// TestPrimesOfOthers: in a constrain clause 'x is x where x is not assigned. Programs with all
// such primes are, once checked, the programs without them, in text and for every engine.
func TestPrimesOfOthers(t *testing.T) {
	added := 0
	for seed := range uint64(300) {
		p := Generate(seed, Config{})
		want := p.String()
		for _, proc := range p.Procs {
			boolprog.InspectStmts(proc.Body, func(s *boolprog.Stmt) {
				if a, ok := s.Op.(*boolprog.Assign); ok && a.Constrain != nil {
					boolprog.InspectRefs(a.Constrain, func(r *boolprog.Ref) {
						if !r.Next {
							r.Next = !targets(a)[r.Name]
							if r.Next {
								added++
							}
						}
					})
				}
			})
		}
		q, _, err := boolprog.Parse(source.NewFile("t.bp", []byte(p.String())), boolprog.ParseOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if q.String() != p.String() {
			t.Fatalf("seed %d: the primes are lost in reading", seed)
		}
		if _, err := boolprog.Check(q); err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, p)
		}
		if got := q.String(); got != want {
			t.Fatalf("seed %d: got\n%s\nwant\n%s", seed, got, want)
		}
	}
	if added < 100 {
		t.Errorf("only %d primes were added", added)
	}
}

// targets are the variables that a assigns.
func targets(a *boolprog.Assign) map[string]bool {
	names := map[string]bool{}
	for _, r := range a.Lhs {
		names[r.Name] = true
	}
	return names
}
