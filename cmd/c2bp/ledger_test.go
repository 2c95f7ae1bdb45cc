package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// This file holds the documentation of the ledger against the code: each line that some
// package can print is in the table of docs/soundness.md, and the other way round. A line is
// printed by
//
//	….ledger.add("format", …)          or of a constant
//	….Ledger = append(…, line)         or ledger, or in a method Assumptions lines
//
// and what docs/assumptions.md refers to exists.

// ledgerFormats finds the formats of all lines that the sources, texts by name, can print.
// What is only handed on is named so: line, or a list followed by dots.
func ledgerFormats(t *testing.T, sources map[string]string) (formats []string) {
	t.Helper()
	files, constants := token.NewFileSet(), map[string]string{}
	var all []*ast.File
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		f, err := parser.ParseFile(files, name, sources[name], 0)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, f)
		ast.Inspect(f, func(n ast.Node) bool {
			if v, ok := n.(*ast.ValueSpec); ok {
				for i, x := range v.Values {
					if text, ok := literalText(x, nil); ok && i < len(v.Names) {
						constants[v.Names[i].Name] = text
					}
				}
			}
			return true
		})
	}
	take := func(e ast.Expr) {
		text, ok := literalText(e, constants)
		if id, isName := e.(*ast.Ident); !ok && isName && (id.Name == "line" || id.Name == "rest") || text == "%s" {
			return
		}
		if !ok {
			t.Errorf("%s: which line this adds to the ledger is not seen", files.Position(e.Pos()))
		}
		formats = append(formats, text)
	}
	for _, f := range all {
		for _, d := range f.Decls {
			fn, _ := d.(*ast.FuncDecl)
			ast.Inspect(d, func(n ast.Node) bool {
				c, ok := n.(*ast.CallExpr)
				if !ok || len(c.Args) == 0 {
					return true
				}
				switch fun := c.Fun.(type) {
				case *ast.SelectorExpr:
					if x, ok := fun.X.(*ast.SelectorExpr); ok && fun.Sel.Name == "add" && x.Sel.Name == "ledger" {
						take(c.Args[0])
					}
				case *ast.Ident:
					if to := lastName(c.Args[0]); fun.Name == "append" && (to == "Ledger" || to == "ledger" || to == "lines" && fn != nil && strings.EqualFold(fn.Name.Name, "assumptions")) && c.Ellipsis == 0 {
						for _, e := range c.Args[1:] {
							take(e)
						}
					}
				}
				return true
			})
		}
	}
	return formats
}

// literalText is the string that e is, with %s for what is not constant.
func literalText(e ast.Expr, constants map[string]string) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, ok := constants[e.Name]
		return text, ok
	case *ast.SelectorExpr: // of another package
		text, ok := constants[e.Sel.Name]
		return text, ok
	case *ast.BinaryExpr:
		text, ok := literalText(e.X, constants)
		return text + "%s", ok && e.Op == token.ADD
	case *ast.CallExpr:
		if lastName(e.Fun) == "Sprintf" && len(e.Args) > 0 {
			return literalText(e.Args[0], constants)
		}
	}
	return "", false
}

// lastName is the name that e is or ends with.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return ""
}

// matches returns a regular expression for the texts that the format prints.
func matches(format string) *regexp.Regexp {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] == '%' && i+1 < len(format) {
			i++
			b.WriteString(map[byte]string{'s': ".*", 'd': "[0-9]+"}[format[i]])
			continue
		}
		b.WriteString(regexp.QuoteMeta(format[i : i+1]))
	}
	return regexp.MustCompile("^" + b.String() + "$")
}

// undocumented compares formats with the lines that are documented.
func undocumented(formats, lines []string) (problems []string) {
	printed := map[string]bool{}
	for _, f := range formats {
		found := false
		for _, l := range lines {
			if matches(f).MatchString(l) {
				found, printed[l] = true, true
			}
		}
		if !found {
			problems = append(problems, fmt.Sprintf("docs/soundness.md does not explain the line %q", f))
		}
	}
	for _, l := range lines {
		if !printed[l] {
			problems = append(problems, fmt.Sprintf("docs/soundness.md explains the line %q, which nothing prints", l))
		}
	}
	return problems
}

// sourcesBelow reads the Go files of the module but tests.
func sourcesBelow(t *testing.T, root string) map[string]string {
	t.Helper()
	sources := map[string]string{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		sources[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

var ledgerRow = regexp.MustCompile("(?m)^\\| `([^`]+)` \\|")

func TestLedgerIsExplained(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/soundness.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## The ledger\n")
	table, _, found := strings.Cut(table, "\nNo line is printed")
	if !found {
		t.Fatal("docs/soundness.md has no table of the ledger")
	}
	var lines []string
	for _, m := range ledgerRow.FindAllStringSubmatch(table, -1) {
		lines = append(lines, m[1])
	}
	formats := ledgerFormats(t, sourcesBelow(t, "../.."))
	if len(formats) < 30 {
		t.Errorf("only %d lines found in the sources", len(formats))
	}
	for _, p := range undocumented(formats, lines) {
		t.Error(p)
	}
	// A line that is new in the code, or gone, is noticed.
	const added = `package p
const assumeLate = "late: nothing is"
func (l *linker) f() { l.ledger.add("early %s: %d", "x", 1); l.ledger.add(assumeLate) }
func (r *result) assumptions() (lines []string) { return append(lines, "callbacks: " + x) }
func g(p *program) { p.Ledger = append(p.Ledger, fmt.Sprintf("calls at %s", x)) }`
	got := ledgerFormats(t, map[string]string{"p.go": added})
	if want := []string{"early %s: %d", "late: nothing is", "callbacks: %s", "calls at %s"}; !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if n := len(undocumented(got, []string{"early x: 12", "never: printed"})); n != 4 {
		t.Errorf("%d of 4 differences were noticed", n)
	}
}

var referred = regexp.MustCompile("`([^`]+)`")

// What docs/assumptions.md names of the code, in its column "where" and its column "test",
// exists: files, tests, and cases of archives, as corners/names/weakref.
func TestAssumptionsExist(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/assumptions.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			text, _ := os.ReadFile(path)
			tests.Write(text)
		}
		return nil
	})
	rows := 0
	for i, line := range strings.Split(string(text), "\n") {
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| ") || len(cells) != 4 || strings.HasPrefix(line, "|--") {
			continue
		}
		rows++
		for _, m := range referred.FindAllStringSubmatch(cells[1]+cells[3], -1) {
			if problem := missing(m[1], tests.String()); problem != "" {
				t.Errorf("docs/assumptions.md:%d: %s", i+1, problem)
			}
		}
	}
	if rows < 40 {
		t.Errorf("only %d rows", rows)
	}
	for _, name := range []string{"frontend/none.go", "TestThatIsNot", "corners/names/none", "corners/none/weakref", "lower/none"} {
		if missing(name, tests.String()) == "" {
			t.Errorf("it is not noticed that %s does not exist", name)
		}
	}
}

// missing says that what name refers to does not exist, or nothing.
func missing(name, tests string) string {
	kind, rest, _ := strings.Cut(name, "/")
	switch {
	case strings.HasPrefix(name, "Test"):
		if !strings.Contains(tests, "\nfunc "+name+"(t ") {
			return "there is no test " + name
		}
	case kind == "corners":
		file, part, _ := strings.Cut(rest, "/")
		archive, _ := os.ReadFile("testdata/corners/" + file + ".txtar")
		if !strings.Contains(string(archive), "\n-- "+part+"/claim --\n") {
			return "there is no case " + name
		}
	case kind == "lower":
		if _, err := os.Stat("../../frontend/testdata/lower/" + rest + ".txtar"); err != nil {
			return "there is no archive " + name
		}
	default:
		if _, err := os.Stat("../../" + name); err != nil {
			return "there is no file " + name
		}
	}
	return ""
}
