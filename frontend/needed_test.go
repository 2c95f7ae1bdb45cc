package frontend

import (
	"strings"
	"testing"

	"c2bp/frontend/models"
	"c2bp/source"
)

// TestNeededModels: what is left out of the built-in file makes no difference to what is left.
func TestNeededModels(t *testing.T) {
	names, whole := modelNames(t, false)
	shorter := 0
	for _, name := range names {
		text := models.Needed(models.Library, []string{name})
		if strings.Count(string(text), "\n") != strings.Count(string(models.Library), "\n") {
			t.Fatalf("%s: lines have moved", name)
		}
		if len(text) < len(models.Library)/2 {
			shorter++
		}
		l := newLinker(Options{})
		found, errs := l.modelFile(t.Context(), source.NewFile(models.LibraryName, text), true)
		if errs != nil || found[name] == nil {
			t.Fatalf("%s: %v\n%s", name, errs, text)
		}
		if got, want := found[name].proc.String(), whole[name].proc.String(); got != want {
			t.Errorf("%s: %s\nwant %s", name, got, want)
		}
		if got, want := strings.Join(found[name].assumes, "\n"), strings.Join(whole[name].assumes, "\n"); got != want {
			t.Errorf("%s assumes %s\nwant %s", name, got, want)
		}
	}
	if shorter < len(names)*9/10 {
		t.Errorf("only %d of %d texts are half as long", shorter, len(names))
	}
}

func TestNeededModelsKeepsMacros(t *testing.T) {
	text := "int helper(void) { return 1; }\n\nint other(int a)\n{\n\treturn a;\n}\n#define M helper\nint f(void);\nint f(void)\n{\n\treturn M();\n}\n"
	want := "int helper(void) { return 1; }\n\n\n\n\n\n#define M helper\nint f(void);\nint f(void)\n{\n\treturn M();\n}\n"
	if got := string(models.Needed([]byte(text), []string{"f"})); got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
