package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// reasonCalls are the functions and types whose first text is a reason of UNKNOWN; "add" is one below
// refine alone.
var reasonCalls = map[string]bool{"undecidedAs": true, "doubtful": true, "stopped": true, "add": true}

// verb is what fmt replaces in a format.
var verb = regexp.MustCompile(`%[-+#0-9.]*[a-zA-Z]`)

// TestUnknownReasons holds docs/unknown.md against the reasons that the code gives for UNKNOWN: the
// fixed words of each must stand there.
func TestUnknownReasons(t *testing.T) {
	text, err := os.ReadFile("../../docs/unknown.md")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.Join(strings.Fields(strings.NewReplacer("`", "", "|", "").Replace(string(text))), " ")
	reasons := map[string]string{} // each with a place where it is given
	for _, dir := range []string{"../../refine", "../../checker", "../../verdict", "../../cmd/c2bp"} {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			if strings.Contains(filepath.ToSlash(path), "/certificate/") || strings.Contains(filepath.ToSlash(path), "/harness/") {
				return nil // what they say is part of other reasons, or no reason of a verdict
			}
			return reasonsOf(path, reasons)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d reasons", len(reasons))
	if len(reasons) < 15 {
		t.Errorf("only %d reasons were found: %q", len(reasons), reasons)
	}
	for reason, at := range reasons {
		for _, part := range verb.Split(reason, -1) {
			part = strings.Trim(part, " :;,()")
			if len(part) > 5 && !strings.Contains(doc, part) {
				t.Errorf("%s: docs/unknown.md does not say %q (of the reason %q)", at, part, reason)
			}
		}
	}
}

// reasonsOf adds the reasons of UNKNOWN in a file: the texts of reasonCalls and what is assigned to
// the fields Reason and Open, of formatted texts their formats.
func reasonsOf(path string, reasons map[string]string) error {
	fset := token.NewFileSet()
	f, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		return err
	}
	note := func(e ast.Expr) {
		ast.Inspect(e, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					reasons[s] = fset.Position(lit.Pos()).String()
				}
			}
			return !ok
		})
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := ""
			switch fun := n.Fun.(type) {
			case *ast.Ident:
				name = fun.Name
			case *ast.SelectorExpr:
				name = fun.Sel.Name
			}
			if reasonCalls[name] && (name != "add" || strings.Contains(filepath.ToSlash(path), "/refine/")) {
				for _, arg := range n.Args {
					if !isText(arg) {
						continue
					}
					note(arg)
					break
				}
			}
		case *ast.AssignStmt:
			for i, lhs := range n.Lhs {
				if sel, ok := lhs.(*ast.SelectorExpr); ok && (sel.Sel.Name == "Reason" || sel.Sel.Name == "Open") && i < len(n.Rhs) {
					note(n.Rhs[i])
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && (key.Name == "Reason" || key.Name == "What" || key.Name == "why") && isText(n.Value) {
				note(n.Value)
			}
		}
		return true
	})
	return nil
}

// isText reports whether e is a text, one that is formatted, or one to which something is added.
func isText(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return e.Kind == token.STRING
	case *ast.CallExpr:
		sel, ok := e.Fun.(*ast.SelectorExpr)
		return ok && sel.Sel.Name == "Sprintf"
	case *ast.BinaryExpr:
		return e.Op == token.ADD && isText(e.X)
	}
	return false
}
