package zing

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"c2bp/internal/testkit"
	"c2bp/source"

	"github.com/rogpeppe/go-internal/txtar"
)

// The tests share this: models from testdata, and trees as text.

// model is a model of testdata.
type model struct {
	name string
	file *source.File
}

// archive returns the models of an archive in testdata.
func archive(t testing.TB, name string) (list []model) {
	t.Helper()
	a, err := txtar.ParseFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if strings.HasSuffix(f.Name, ".zing") && f.Name != "out.zing" {
			list = append(list, model{name, source.NewFile(f.Name, f.Data)})
		}
	}
	return list
}

// goldenFiles returns the archives of testdata/golden.
func goldenFiles(t testing.TB) []string {
	t.Helper()
	list, err := filepath.Glob("testdata/golden/*.txtar")
	if err != nil || len(list) == 0 {
		t.Fatalf("no golden files (%v)", err)
	}
	return list
}

// models returns all models of testdata that parse and check.
func models(t testing.TB) (list []model) {
	list = archive(t, "micro.txtar")
	for _, name := range goldenFiles(t) {
		list = append(list, archive(t, filepath.Join("golden", filepath.Base(name)))...)
	}
	return list
}

// parseText parses one file that is given as text.
func parseText(text string) (*Program, error) {
	return Parse([]*source.File{source.NewFile("t.zing", []byte(text))})
}

// loadText parses and checks one file that is given as text.
func loadText(text string) (*Program, source.List, error) {
	return Load([]*source.File{source.NewFile("t.zing", []byte(text))})
}

// treeString returns a tree, one node a line, without places and without zero fields.
func treeString(p *Program) string {
	var b strings.Builder
	for _, d := range p.Decls {
		tree(&b, reflect.ValueOf(d), "", "")
	}
	return b.String()
}

// tree prints a value after its label.
func tree(b *strings.Builder, v reflect.Value, indent, label string) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if t, ok := v.Interface().(*Type); ok {
			fmt.Fprintf(b, "%s%s%s\n", indent, label, t)
			return
		}
		tree(b, v.Elem(), indent, label)
	case reflect.Slice:
		for i := range v.Len() {
			tree(b, v.Index(i), indent, label)
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[Ident]() {
			fmt.Fprintf(b, "%s%s%s\n", indent, label, v.FieldByName("Name"))
			return
		}
		fmt.Fprintf(b, "%s%s%s\n", indent, label, v.Type().Name())
		fields(b, v, indent+"  ")
	default:
		fmt.Fprintf(b, "%s%s%#v\n", indent, label, v.Interface())
	}
}

// fields prints the fields of a struct; those of embedded structs are its own.
func fields(b *strings.Builder, v reflect.Value, indent string) {
	for i := range v.NumField() {
		f := v.Type().Field(i)
		switch {
		case f.Type == reflect.TypeFor[Span](), f.Type == reflect.TypeFor[source.Pos](), v.Field(i).IsZero():
		case f.Anonymous && f.Type.Kind() == reflect.Struct && f.Type != reflect.TypeFor[Ident]():
			fields(b, v.Field(i), indent)
		default:
			tree(b, v.Field(i), indent, f.Name+": ")
		}
	}
}

// roundTrip checks that the printed form of a parsed program parses to the same tree, and prints
// alike.
func roundTrip(t *testing.T, p *Program) {
	t.Helper()
	text := p.String()
	again, err := parseText(text)
	if err != nil {
		t.Fatalf("printed text does not parse: %v\n%s", err, text)
	}
	if got, want := treeString(again), treeString(p); got != want {
		t.Fatalf("the printed text has another tree\n%s\nit is\n%s\nand was\n%s", text, got, want)
	}
	if got := again.String(); got != text {
		t.Fatalf("the printed text prints differently\n%s\nfirst it was\n%s", got, text)
	}
}

// TestRoundTrip prints and parses all models of testdata, those with errors in their names and types
// included. The check does not change the text.
func TestRoundTrip(t *testing.T) {
	parsed := 0
	for _, m := range append(models(t), archive(t, "errors.txtar")...) {
		p, err := Parse([]*source.File{m.file})
		if err != nil {
			continue
		}
		parsed++
		roundTrip(t, p)
		before := p.String()
		if _, err := Check(p); err == nil && p.String() != before {
			t.Errorf("the check changes the text of %s to\n%s", m.file.Name, p)
		}
	}
	if parsed < len(models(t)) {
		t.Errorf("only %d models parse", parsed)
	}
}

// TestMicro loads small models.
func TestMicro(t *testing.T) {
	list := archive(t, "micro.txtar")
	if len(list) != 18 {
		t.Errorf("%d models", len(list))
	}
	for _, m := range list {
		if _, warnings, err := Load([]*source.File{m.file}); err != nil || len(warnings) > 0 {
			t.Errorf("%v, warnings %v", err, warnings)
		}
	}
}

// TestGolden holds the tree of each archive, its text, its warnings and its meaning against the
// sections of the archive.
func TestGolden(t *testing.T) {
	for _, name := range goldenFiles(t) {
		t.Run(filepath.Base(name), func(t *testing.T) { golden(t, name) })
	}
}

func golden(t *testing.T, name string) {
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	in := a.Files[0]
	p, err := Parse([]*source.File{source.NewFile(in.Name, in.Data)})
	if err != nil {
		t.Fatal(err)
	}
	treeText := treeString(p)
	warnings, err := Check(p)
	if err != nil {
		t.Fatal(err)
	}
	got := []txtar.File{in, {Name: "out.zing", Data: []byte(p.String())}, {Name: "tree", Data: []byte(treeText)}, {Name: "meaning", Data: []byte(meaning(p))}}
	if len(warnings) > 0 {
		got = append(got, txtar.File{Name: "warnings", Data: []byte(warnings.Error() + "\n")})
	}
	if *testkit.Update {
		a.Files = got
		if err := os.WriteFile(name, txtar.Format(a), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(a.Files) != len(got) {
		t.Errorf("%d sections, now it is %d", len(a.Files), len(got))
	}
	for i, f := range got {
		if i < len(a.Files) && (a.Files[i].Name != f.Name || string(a.Files[i].Data) != string(f.Data)) {
			t.Errorf("%s differs; now it is (go test -update writes it)\n%s", f.Name, f.Data)
		}
	}
}

// meaning returns all that Check found out about a program: types, globals, methods with their
// variables, and each expression with its type and symbol.
func meaning(p *Program) string {
	var b strings.Builder
	for _, t := range p.Types {
		fmt.Fprintf(&b, "type %d %s%s\n", t.Index, t, details(t))
	}
	for _, g := range p.Globals {
		fmt.Fprintf(&b, "global %d %s.%s %s\n", g.Index, g.Owner, g.Name.Name, g.Type)
	}
	for _, d := range p.Decls {
		Inspect(d, func(n Node) bool {
			if s := nodeMeaning(n); s != "" {
				fmt.Fprintf(&b, "%d:%d %s\n", n.Pos().Line, n.Pos().Col, s)
			}
			return true
		})
	}
	for _, m := range p.Activate {
		fmt.Fprintf(&b, "process %s.%s\n", m.Owner, m.Name.Name)
	}
	return b.String()
}

func details(t *Type) string {
	switch t.Kind {
	case KindArray:
		return fmt.Sprintf(" of %s, fixed %t, size %d", t.Elem, t.Fixed, t.Size)
	case KindSet, KindChan:
		return fmt.Sprintf(" of %s", t.Elem)
	case KindRange:
		return fmt.Sprintf(" from %d to %d", t.Lo, t.Hi)
	case KindEnum:
		return fmt.Sprintf(" of %d", len(t.Enum))
	}
	s := ""
	for _, f := range t.Fields {
		s += fmt.Sprintf(" %d.%s", f.Index, f.Name.Name)
	}
	for _, i := range t.Implements {
		for _, m := range i.Methods {
			s += fmt.Sprintf(" %s.%s by method %d", i, m.Name.Name, t.Implementation(m).Index)
		}
	}
	return s
}

// nodeMeaning returns the results of Check for one node.
func nodeMeaning(n Node) string {
	switch n := n.(type) {
	case *Method:
		s := fmt.Sprintf("method %d %s.%s %s", n.Index, n.Owner, n.Name.Name, n.Result)
		for _, v := range n.Locals {
			s += fmt.Sprintf(" %d.%q(depth %d)", v.Index, v.Name.Name, depth(v.Scope))
		}
		return s
	case *AssignStmt:
		if n.Set != nil {
			return fmt.Sprintf("set update: remove %t, whole %t, %s", n.Set.Remove, n.Set.Whole, ExprString(n.Set.X))
		}
	case *CallStmt:
		return fmt.Sprintf("call, convert %t", n.Convert)
	case *ChooseStmt:
		return fmt.Sprintf("choice, convert %t", n.Convert)
	case *Labeled:
		return fmt.Sprintf("label %s, used %t", n.Label.Name, n.Used)
	case *Goto:
		return fmt.Sprintf("goto line %d", n.Target.Pos().Line)
	case *Select:
		s := fmt.Sprintf("select, deterministic %t:", n.Deterministic())
		for _, j := range n.Ordered() {
			s += fmt.Sprintf(" line %d", j.Pos().Line)
		}
		return s
	case Expr:
		return exprMeaning(n)
	}
	return ""
}

func depth(s *Scope) (n int) {
	for ; s.Parent != nil; s = s.Parent {
		if !s.Parent.Encloses(s) || s.Encloses(s.Parent) || s.Encloses(s) {
			panic("scopes do not nest")
		}
		n++
	}
	return n
}

func exprMeaning(e Expr) string {
	s := fmt.Sprintf("%s: %v", ExprString(e), e.TypeOf())
	switch e := e.(type) {
	case *Name:
		return s + symbol(e.Symbol)
	case *Selector:
		return s + symbol(e.Symbol)
	case *Convert:
		return fmt.Sprintf("convert %s to %s", e.X.TypeOf(), e.Type)
	case *Call:
		s += fmt.Sprintf(" = %s of method %d of %s", [...]string{"static call", "call", "virtual call"}[e.Kind], e.Method.Index, e.Method.Owner)
		if e.Receiver != nil {
			s += " with this = " + ExprString(e.Receiver)
		}
	case *Sizeof:
		if e.Of != nil {
			s += fmt.Sprintf(" = %d", e.Of.Size)
		}
	case *Choose:
		if e.Of != nil {
			s += " from all values"
		}
	}
	return s
}

func symbol(s Symbol) string {
	switch s := s.(type) {
	case *Local:
		return fmt.Sprintf(" = local %d", s.Index)
	case *Param:
		return fmt.Sprintf(" = parameter %d", s.Index)
	case *Field:
		return fmt.Sprintf(" = field %d of %s, static %t", s.Index, s.Owner, s.Static)
	case *EnumMember:
		return fmt.Sprintf(" = %d", s.Value)
	case *Type:
		return " = type"
	}
	return ""
}
