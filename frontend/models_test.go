package frontend

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/frontend/core"
	"c2bp/frontend/models"
	"c2bp/source"
)

// modelNames lists the functions that the built-in file defines.
func modelNames(t *testing.T, bits32 bool) (names []string, found map[string]*model) {
	t.Helper()
	l := newLinker(Options{Bits32: bits32})
	found, errs := l.modelFile(t.Context(), source.NewFile(models.LibraryName, models.Library), true)
	if errs != nil || len(l.diags) != 0 {
		t.Fatalf("%v %v", errs, l.diags)
	}
	return sortedKeys(found), found
}

// TestBuiltinModels: the file is accepted for both data models, each model has a body of
// its own, and a program can call it.
func TestBuiltinModels(t *testing.T) {
	for _, bits32 := range []bool{false, true} {
		names, found := modelNames(t, bits32)
		if len(names) < 150 {
			t.Errorf("only %d models", len(names))
		}
		for _, name := range names {
			for _, n := range found[name].proc.Nodes {
				if c, ok := n.Stmt.(*core.Call); ok {
					t.Errorf("%s calls %v", name, c.Callee)
				}
			}
		}
	}
}

// TestModelsAreCallable: each model stands for a function that is declared as in the file,
// called directly and through a pointer.
func TestModelsAreCallable(t *testing.T) {
	names, found := modelNames(t, false)
	var text strings.Builder
	text.WriteString("typedef void (*fn)(void);\nextern fn p; int sink;\n")
	var calls []string
	for _, name := range names {
		m := found[name]
		var params, args []string
		for i, f := range m.proc.Formals {
			params, args = append(params, cType(f.Type)), append(args, "0")
			if i == m.format {
				args[i] = `"x"`
			}
		}
		list := strings.Join(params, ", ")
		if list == "" {
			list = "void"
		}
		if m.variadic {
			list += ", ..."
		}
		fmt.Fprintf(&text, "%s %s(%s);\n", cType(m.proc.RetType), name, list)
		call := fmt.Sprintf("%s(%s);", name, strings.Join(args, ", "))
		if m.proc.RetType != core.Type(core.Void{}) {
			call = "sink = (int)(long)" + call
		}
		calls = append(calls, fmt.Sprintf("if (sink) { p = (fn)%s; %s }", name, call))
	}
	fmt.Fprintf(&text, "int main(void) { %s return 0; }\n", strings.Join(calls, "\n"))
	u := mustLoad(t, text.String(), Options{})
	for _, p := range u.Program.Procs {
		if m := found[p.Name]; m != nil && !p.HasBody() && m.format < 0 {
			t.Errorf("%s has no body", p.Name)
		}
		for _, n := range p.Nodes {
			if c, ok := n.Stmt.(*core.Call); ok {
				t.Errorf("%s calls %s", p.Name, c.Callee.Name)
			}
		}
	}
	if len(u.Diags) != 0 {
		t.Errorf("%v", u.Diags)
	}
	if ledger := strings.Join(u.Program.Ledger, "\n"); !strings.Contains(ledger, strings.Join(names, ", ")) {
		t.Errorf("the models are not in the ledger:\n%s", ledger)
	}
}

// cType is a C type that becomes t.
func cType(t core.Type) string {
	switch t := t.(type) {
	case core.Ptr:
		return "void *"
	case core.Int:
		if t.Float {
			return map[int]string{32: "float", 64: "double"}[t.Bits]
		}
		sign := "unsigned "
		if t.Signed {
			sign = ""
		}
		return sign + map[int]string{8: "char", 16: "short", 32: "int", 64: "long"}[t.Bits]
	}
	return "void"
}

// TestWhichModel: when a model is used, and what it becomes.
func TestWhichModel(t *testing.T) {
	for _, test := range []struct {
		name, text, models string
		want, not          string // in the program or its diagnostics
	}{
		{name: "built-in", text: "void *kmalloc(unsigned long, int); int main(void) { char *p = kmalloc(8, 0); return 0; }",
			want: "p := alloc 8", not: "kmalloc("},
		{name: "a site for each call", text: "void *vmalloc(unsigned long); void *p, *q; int main(void) { p = vmalloc(8); q = vmalloc(9); return 0; }",
			want: "q := alloc 9"},
		{name: "own body", text: "void *kmalloc(unsigned long n, int f) { return 0; } int main(void) { kmalloc(8, 0); return 0; }",
			want: "kmalloc(8, 0)", not: "models"},
		{name: "parameters", text: "void *kmalloc(unsigned long n); int main(void) { kmalloc(8); return 0; }",
			want: "in.c:1:7: note: kmalloc is taken for an external function: its model has other parameters"},
		{name: "kinds", text: "void *kmalloc(char *, int); int main(void) { kmalloc(0, 0); return 0; }",
			want: "kmalloc is taken for an external function: its model takes an integer, not a pointer"},
		{name: "result", text: "int strchr(char *, int); int main(void) { return strchr(0, 0); }",
			want: "strchr is taken for an external function: its model returns a pointer, not an integer"},
		{name: "wider result", text: "long strcmp(char *, char *); int main(void) { return strcmp(0, 0); }",
			want: "strcmp is taken for an external function: its model returns a smaller integer"},
		{name: "narrower", text: "int strlen(char *); int x; int main(void) { x = strlen(0); return 0; }",
			want: "x := (int32)$1", not: "external"},
		{name: "result dropped", text: "void memset(void *, int, int); char c[4]; int main(void) { memset(c, 0, 4); return 0; }",
			want: "fill &c, 4, 0", not: "external"},
		{name: "too few arguments", text: "void *kmalloc(); int main(void) { kmalloc(8); return 0; }", want: "extern proc kmalloc"},
		{name: "undeclared", text: "int main(void) { char *p = (char *)__builtin_malloc(3); return 0; }", want: "$1 := alloc 3"},
		{name: "format", text: "int printk(const char *, ...); int x; int main(void) { printk(\"a\" \"%d%%n\", &x); return 0; }", not: "extern proc"},
		{name: "%n", text: "int printk(const char *, ...); int x; int main(void) { printk(\"a\" \"%5n\", &x); return 0; }", want: "extern proc printk"},
		{name: "unknown format", text: "int printk(const char *, ...); int x; char *f; int main(void) { printk(f, x, 1.0); return 0; }", not: "extern proc"},
		{name: "unknown format, pointer", text: "int printk(const char *, ...); int x; char *f; int main(void) { printk(f, &x); return 0; }", want: "extern proc printk"},
		{name: "file", text: "void *kmalloc(unsigned long, int); void *p; int main(void) { p = kmalloc(8, 0); return 0; }",
			models: "void *kmalloc(long n, int f) { return (void *)7; }", want: "p := (ptr)7", not: "alloc 8"},
		{name: "file and built-in", text: "void *pool(int); void *p; int main(void) { p = pool(8); return 0; }",
			models: "void *kmalloc(unsigned long, unsigned); static int twice(int n) { return n + n; } void *pool(int n) { return kmalloc(twice(n), 0); }",
			want:   "p := alloc (uint64)$1"},
		{name: "file in the ledger", text: "void *pool(int); int main(void) { pool(8); return 0; }",
			models: "void *pool(int n) { return 0; }", want: "than their models in m.c: pool"},
		{name: "callback", text: "void each(void (*f)(int)); int g; void h(int x) { g = x; } int main(void) { each(h); return 0; }",
			models: "void each(void (*f)(int)) { f(3); }", want: "(&h)(3)"},
		{name: "noreturn", text: "void stop(int) __attribute__((noreturn)); int g; int main(void) { stop(1); g = 1; return 0; }",
			models: "void stop(int n) { }", want: "assume 0"},
	} {
		opts := Options{}
		if test.models != "" {
			opts.Models = []*source.File{source.NewFile("m.c", []byte(test.models))}
		}
		u, err := load(t, test.text, opts)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		got := u.Program.String()
		for _, d := range u.Diags {
			got += d.Error() + "\n"
		}
		if !strings.Contains(got, test.want) || test.not != "" && strings.Contains(got, test.not) {
			t.Errorf("%s: want %q, not %q:\n%s", test.name, test.want, test.not, got)
		}
	}
}

// TestWithoutBuiltinModels: Options.NoModels.
func TestWithoutBuiltinModels(t *testing.T) {
	text := "void *kmalloc(unsigned long, int); void *pool(int); int main(void) { kmalloc(8, 0); pool(1); return 0; }"
	own := source.NewFile("m.c", []byte("void *pool(int n) { return 0; }"))
	u := mustLoad(t, text, Options{NoModels: true, Models: []*source.File{own}})
	if s := u.Program.String(); !strings.Contains(s, "extern proc kmalloc") || strings.Contains(s, "extern proc pool") {
		t.Errorf("got\n%s", s)
	}
}

// TestWrongModels: what a file of models may not have.
func TestWrongModels(t *testing.T) {
	for _, test := range []struct{ models, want string }{
		{"int x; int f(void) { return x; }", "m.c:1:5: error: a file of models has no variables: x"},
		{"int f(void) { static int n; return n; }", "has no variables"},
		{"char *f(void) { return \"x\"; }", "no string literals"},
		{"int f(void) { return f(); }", "the model of f calls itself"},
		{"int g(void); int f(void) { return g(); } int g(void) { return f(); }", "calls itself"},
		{"int g(void); int f(void) { return g(); }", "g is neither"},
		{"int g(void); int f(void) { int (*p)(void) = g; return p(); }", "takes no address of a function"},
		{"int f(void) { char *p = __builtin_alloca(3); return *p; }", "an object whose life ends with it"},
		{"int f(void) { return 1 }", "m.c:1"},
	} {
		_, err := load(t, "int f(void); int main(void) { return f(); }", Options{Models: []*source.File{source.NewFile("m.c", []byte(test.models))}})
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s\ngot %v, want %q", test.models, err, test.want)
		}
	}
}
