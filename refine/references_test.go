package refine

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"
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
