package samples

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"c2bp/drivers-samples/families"
	"c2bp/drivers-samples/small"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/internal/testkit"
	"c2bp/refine"
	"c2bp/source"
	"c2bp/verdict"
)

// sampleText is a program of this folder.
type sampleText struct{ name, text string }

// allTexts are the small programs, the samples and members of the families; in a short test a
// few small ones.
func allTexts(t *testing.T) (list []sampleText) {
	t.Helper()
	long := testkit.Long()
	for i, p := range small.Programs() {
		if long || i%24 < 2 {
			list = append(list, sampleText{p.Name, p.Text})
		}
	}
	if !long {
		return list
	}
	variants, err := Find(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range variants {
		text, err := os.ReadFile(filepath.Join(v.Dir, v.File))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, sampleText{v.Name(), string(text)})
	}
	for _, unsafe := range []bool{false, true} {
		for _, p := range []families.Program{families.Locks(2, unsafe), families.Handshake(4, 12, 1, unsafe), families.Driver(4, 1, unsafe)} {
			list = append(list, sampleText{p.Name, p.Text})
		}
	}
	return list
}

// beside is the program with other names for all that it declares, but for external functions
// that state properties, so that another one can be read with it.
func beside(t *testing.T, s sampleText) *source.File {
	t.Helper()
	u, err := frontend.Load(t.Context(), []*source.File{source.NewFile("beside.c", []byte(s.text))}, frontend.Options{Whole: true})
	if err != nil {
		t.Fatalf("%s: %v", s.name, err)
	}
	var names []string
	for _, p := range u.Program.Procs {
		states := strings.HasPrefix(p.CName, "__") || p.CName == "reach_error"
		if p.Pos.File == "beside.c" && (p.HasBody() || !states) {
			names = append(names, regexp.QuoteMeta(p.CName))
		}
	}
	for _, g := range u.Program.Globals {
		names = append(names, regexp.QuoteMeta(g.Name))
	}
	text := regexp.MustCompile(`\b(`+strings.Join(names, "|")+`)\b`).ReplaceAllString(s.text, "beside_$1")
	return source.NewFile("beside.c", []byte(text))
}

// TestWhole: a sample has one verdict, alone or beside another one that nothing reaches,
// whether all functions are looked at or only those that main reaches.
func TestWhole(t *testing.T) {
	const queries = 4000
	list := allTexts(t)
	compared := map[string]int{}
	for i, s := range list {
		own := source.NewFile("own.c", []byte(s.text))
		other := beside(t, list[(i+2)%len(list)])
		var verdicts []string
		enough := true
		for _, c := range []struct {
			files []*source.File
			whole bool
		}{
			{[]*source.File{own}, false}, {[]*source.File{own}, true}, {[]*source.File{own, other}, false}, {[]*source.File{own, other}, true},
		} {
			u, err := frontend.Load(t.Context(), c.files, frontend.Options{Whole: c.whole})
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			looked := slices.ContainsFunc(u.Program.Procs, func(p *core.Proc) bool { return p.HasBody() && p.Pos.File == "beside.c" })
			if looked != (len(c.files) == 2 && c.whole) {
				t.Errorf("%s: what nothing reaches is part of the program: %v, with whole: %v", s.name, looked, c.whole)
			}
			o, err := refine.Audit(t.Context(), u.Program, refine.Options{Queries: queries})
			if err != nil {
				t.Fatalf("%s: %v", s.name, err)
			}
			enough = enough && !strings.HasSuffix(o.Result.Reason, "prover queries were not enough")
			text := o.Result.Verdict.String()
			if o.Result.Verdict == verdict.False {
				text = o.Result.Summary()
			}
			verdicts = append(verdicts, text)
		}
		if !enough && slices.Contains(verdicts, verdict.Unknown.String()) {
			compared["not decided in time"]++
			continue
		}
		compared[strings.Fields(verdicts[0])[0]]++
		if slices.ContainsFunc(verdicts, func(v string) bool { return v != verdicts[0] }) {
			t.Errorf("%s: alone, all of it, beside another, with that: %q", s.name, verdicts)
		}
	}
	t.Logf("%d samples: %v", len(list), compared)
	if 4*compared[verdict.True.String()] < len(list) || 4*compared[verdict.False.String()] < len(list) {
		t.Errorf("of %d samples too few are decided: %v", len(list), compared)
	}
}
