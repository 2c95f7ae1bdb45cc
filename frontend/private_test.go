package frontend

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"c2bp/frontend/core"
	"c2bp/source"
)

// TestPrivateHeader: a struct of a header beside the driver, with its name, is private if no other file there names the header.
func TestPrivateHeader(t *testing.T) {
	const driver = "int main(void) { struct dev d; d.n = 1; return d.n; }\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		want  bool
	}{
		{"the driver alone", nil, true},
		{"a header of another name", map[string]string{"dev.h": "", "kernel.h": "struct bus; struct dev { int n; struct bus *bus; };\n"}, false},
		{"another that does not include it", map[string]string{"other.c": "#include \"devs.h\"\n", "notes.txt": "dev.h\n"}, true},
		{"another that does", map[string]string{"other.c": "#include \"dev.h\"\n"}, false},
		{"a header that does", map[string]string{"all.h": "#include <x/dev.h>\n"}, false},
	} {
		dir := t.TempDir()
		files := map[string]string{"dev.h": "struct bus; struct dev { int n; struct bus *bus; };\n", "dev.c": driver}
		maps.Copy(files, c.files)
		include := "#include \"dev.h\"\n"
		if files["kernel.h"] != "" {
			include = "#include \"kernel.h\"\n"
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		u, err := Load(t.Context(), []*source.File{source.NewFile(filepath.Join(dir, "dev.c"), []byte(include+driver))}, Options{Assume: Assumptions{Members: MembersPrivate}})
		if err != nil {
			t.Fatal(c.name, err)
		}
		is := slices.ContainsFunc(u.Program.Records(), func(r *core.Record) bool { return r.Name == "struct dev" && r.Private })
		if is != c.want {
			t.Errorf("%s: private is %v", c.name, is)
		}
	}
}
