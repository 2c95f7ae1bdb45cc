package samples

import (
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/refine"
	"c2bp/source"
	"c2bp/verdict"
)

// TestBits32: neither the behaviour of a sample nor its verdict depends on the width of pointers.
// A program that is not decided within the limit with one of them is not compared.
func TestBits32(t *testing.T) {
	t.Parallel()
	list := allTexts(t)
	compared := map[string]int{}
	for _, s := range list {
		var verdicts []string
		enough := true
		for _, narrow := range []bool{false, true} {
			u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("in.c", []byte(s.text))}, frontend.Options{Bits32: narrow})
			if err != nil {
				t.Fatalf("%s, 32 bits: %v: %v", s.name, narrow, err)
			}
			o, err := refine.Audit(t.Context(), u.Program, refine.Options{Queries: 4000})
			if err != nil {
				t.Fatalf("%s, 32 bits: %v: %v", s.name, narrow, err)
			}
			enough = enough && !strings.HasSuffix(o.Result.Reason, "prover queries were not enough")
			text := o.Result.Verdict.String()
			if o.Result.Verdict == verdict.False {
				text = o.Result.Summary()
			}
			verdicts = append(verdicts, text)
		}
		switch {
		case verdicts[0] == verdicts[1]:
			compared[strings.Fields(verdicts[0])[0]]++
		case !enough:
			compared["not decided in time"]++
		default:
			t.Errorf("%s: %s with pointers of 64 bits, %s with 32", s.name, verdicts[0], verdicts[1])
		}
	}
	t.Logf("%d samples: %v", len(list), compared)
	if 4*compared[verdict.True.String()] < len(list) || 4*compared[verdict.False.String()] < len(list) {
		t.Errorf("of %d samples too few are decided alike: %v", len(list), compared)
	}
}
