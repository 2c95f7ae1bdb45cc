package zing

import (
	"go/ast"
	goparser "go/parser"
	gotoken "go/token"
	"reflect"
	"slices"
	"testing"

	"c2bp/source"
)

// nodeTypes returns the names of the types of this package that embed one of bases, which the source
// text lists.
func nodeTypes(t *testing.T, bases ...string) (list []string) {
	for _, name := range []string{"ast.go", "ast_expr.go", "ast_stmt.go"} {
		f, err := goparser.ParseFile(gotoken.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			spec, ok := n.(*ast.TypeSpec)
			if !ok {
				return true
			}
			if s, ok := spec.Type.(*ast.StructType); ok && embeds(s, bases) {
				list = append(list, spec.Name.Name)
			}
			return false
		})
	}
	return list
}

func embeds(s *ast.StructType, bases []string) bool {
	for _, f := range s.Fields.List {
		if id, ok := f.Type.(*ast.Ident); ok && len(f.Names) == 0 && slices.Contains(bases, id.Name) {
			return true
		}
	}
	return false
}

// TestCoverage checks that the models of testdata have every kind of node, operator, keyword and
// punctuation mark of the language.
func TestCoverage(t *testing.T) {
	seen := map[any]bool{}
	for _, m := range models(t) {
		p, _, err := Load([]*source.File{m.file})
		if err != nil {
			t.Fatal(err)
		}
		InspectProgram(p, func(n Node) bool {
			seen[reflect.TypeOf(n).Elem().Name()] = true
			switch n := n.(type) {
			case *Unary:
				seen[n.Op] = true
			case *Binary:
				seen[n.Op] = true
			case *Call:
				seen[n.Kind] = true
			}
			return true
		})
		tokens(m, seen)
	}
	wanted := nodeTypes(t, "DeclBase", "StmtBase", "ExprBase", "Span")
	if len(wanted) < 50 {
		t.Fatalf("only %d types of nodes", len(wanted))
	}
	// These are parts of other nodes, which Inspect does not visit.
	parts := []string{"Ident", "DeclBase", "ExprBase", "StmtBase", "TypeRef", "Param"}
	for _, name := range wanted {
		if !seen[name] && !slices.Contains(parts, name) {
			t.Errorf("no model has a %s", name)
		}
	}
	for op := range binaryText {
		if !seen[BinaryOp(op)] {
			t.Errorf("no model has the operator %s", BinaryOp(op))
		}
	}
	for op := range unaryText {
		if !seen[UnaryOp(op)] {
			t.Errorf("no model has the operator %s", UnaryOp(op))
		}
	}
	for _, kind := range []CallKind{StaticCall, InstanceCall, VirtualCall} {
		if !seen[kind] {
			t.Errorf("no model has a call of kind %d", kind)
		}
	}
	words := append([]string{}, operators...)
	for word := range keywords {
		words = append(words, word)
	}
	for _, c := range single {
		words = append(words, string(c))
	}
	for _, word := range words {
		if !seen["token "+word] {
			t.Errorf("no model has the word %s", word)
		}
	}
}

// tokens adds the words and marks of a model to seen.
func tokens(m model, seen map[any]bool) {
	p := newParser(m.file)
	for p.advance(); p.tok.kind != tokEOF; p.advance() {
		if p.tok.kind == tokOp || p.tok.kind == tokKeyword {
			seen["token "+p.tok.text] = true
		}
	}
}
