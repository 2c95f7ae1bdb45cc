package boolprog

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/source"
)

// parse reads a program that must be free of syntax errors.
func parse(t testing.TB, text string) *Program {
	t.Helper()
	p, _, err := Parse(source.NewFile("test.bp", []byte(text)), ParseOptions{})
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	return p
}

// graph builds the graph of a program that must pass Check.
func graph(t testing.TB, p *Program) *Graph {
	t.Helper()
	if _, err := Check(p); err != nil {
		t.Fatal(err)
	}
	g := BuildGraph(p)
	if err := g.Validate(); err != nil {
		t.Fatalf("%v\n%s", err, p)
	}
	return g
}

// dump prints the structure of p without positions in the .bp text: two programs
// are equal if their dumps are.
func dump(p *Program) string {
	d := &dumper{}
	d.printf("program ledger %q notes %q\n", p.Ledger, p.Notes)
	for _, c := range p.Classes {
		d.printf("class %q\n", c.Name)
		for _, f := range c.Fields {
			d.printf("field %q class %q init %s\n", f.Name, f.Class, d.expr(f.Init))
		}
	}
	d.vars("globals", p.Globals)
	for _, proc := range p.Procs {
		d.printf("proc %s dfs %v results %d\n", proc.Name, proc.Dfs, proc.Results)
		for i := range proc.Results {
			d.printf("result %+v\n", proc.Result(i))
		}
		d.vars("params", proc.Params)
		d.vars("locals", proc.Locals)
		d.printf("enforce %s\n", d.expr(proc.Enforce))
		d.stmts(1, proc.Body)
	}
	return d.b.String()
}

type dumper struct{ b strings.Builder }

func (d *dumper) printf(format string, args ...any) { fmt.Fprintf(&d.b, format, args...) }

func (d *dumper) vars(what string, vars []*Var) {
	for _, v := range vars {
		d.printf("%s %q class %q pred %q\n", what, v.Name, v.Class, v.Pred)
	}
}

func (d *dumper) stmts(level int, list []*Stmt) {
	for _, s := range list {
		d.printf("%d%q", level, s.Labels)
		if s.Annot != nil {
			if c := s.Annot.Check; c != nil {
				d.printf(" check %q %v %q", c.Name, c.Pos, c.Text)
			}
			d.printf(" annot %q %q:%d:%d %q %q", s.Annot.Node, s.Annot.Pos.File, s.Annot.Pos.Line, s.Annot.Pos.Col, s.Annot.Text, s.Annot.Origin)
		}
		switch op := s.Op.(type) {
		case *If:
			d.printf(" if else %v\n", op.Else != nil)
			for i := range op.Conds {
				d.printf("%d case %s\n", level, d.expr(op.Conds[i]))
				d.stmts(level+1, op.Thens[i])
			}
			d.printf("%d else\n", level)
			d.stmts(level+1, op.Else)
		case *While:
			d.printf(" while %s\n", d.expr(op.Cond))
			d.stmts(level+1, op.Body)
		case *Assign:
			d.printf(" %s := %s constrain %s\n", d.targets(op.Lhs), d.exprs(op.Rhs), d.expr(op.Constrain))
		case *Call:
			d.printf(" %s := call %s %s\n", d.targets(op.Lhs), op.Callee.Name, d.exprs(op.Args))
		case *Goto:
			d.printf(" goto %s\n", refs(op.Targets))
		case *Dead:
			d.printf(" dead %s\n", refs(op.Vars))
		case *Return:
			d.printf(" return %s\n", d.exprs(op.Values))
		case *Print:
			d.printf(" print %s\n", d.exprs(op.Args))
		case *Assume:
			d.printf(" assume %s\n", d.expr(op.Cond))
		case *Assert:
			d.printf(" assert %s\n", d.expr(op.Cond))
		case *AbortIf:
			d.printf(" abortif %s\n", d.expr(op.Cond))
		default:
			d.printf(" %T\n", op)
		}
	}
}

func (d *dumper) exprs(list []Expr) string {
	var parts []string
	for _, e := range list {
		parts = append(parts, d.expr(e))
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func (d *dumper) targets(list []*Ref) string {
	var parts []string
	for _, r := range list {
		parts = append(parts, fmt.Sprintf("%q.%q", r.Name, r.Field))
	}
	return strings.Join(parts, " ")
}

// expr prints e in prefix form; Inspect visits operators before operands.
func (d *dumper) expr(e Expr) string {
	var b strings.Builder
	Inspect(e, func(e Expr) {
		switch e := e.(type) {
		case *Const:
			fmt.Fprintf(&b, " %v", e.Val)
		case *Ref:
			fmt.Fprintf(&b, " %q%v", e.Name, e.Next)
		case *Nondet:
			b.WriteString(" *")
		case *Not:
			b.WriteString(" !")
		case *Binary:
			b.WriteString(" " + e.Op.String())
		case *Choose:
			fmt.Fprintf(&b, " choose-%v", e.Strict)
		case *Null:
			b.WriteString(" null")
		case *Select:
			fmt.Fprintf(&b, " .%q", e.Field)
		case *New:
			fmt.Fprintf(&b, " new-%q", e.Class)
		case *Any:
			fmt.Fprintf(&b, " any-%q-%v", e.Class, e.New)
		}
	})
	return "(" + strings.TrimSpace(b.String()) + ")"
}

// roundTrip checks that printing p and parsing it again loses nothing, and that
// the printed form is a fixed point and free of warnings.
func roundTrip(t testing.TB, p *Program, opts ParseOptions) {
	t.Helper()
	text := p.String()
	q, warns, err := Parse(source.NewFile("printed.bp", []byte(text)), opts)
	if err != nil {
		t.Fatalf("printed form does not parse: %v\n%s", err, text)
	}
	if len(warns) > 0 {
		t.Errorf("printed form gives warnings: %v", warns)
	}
	if a, b := dump(p), dump(q); a != b {
		t.Fatalf("round trip changes\n%s\ninto\n%s\nthrough\n%s", a, b, text)
	}
	if again := q.String(); again != text {
		t.Fatalf("printed form is no fixed point:\n%s\nthen\n%s", text, again)
	}
}

func TestSeedExample(t *testing.T) {
	p := parse(t, `
decl g;
void main() begin
  decl h;
  h := !g; A(g,h); skip; A(g,h); skip;
  if (g) then R: skip; fi
end
void A(a1, a2) begin
  if (a1) then A(a2,a1); skip; else g := a2; fi
end`)
	roundTrip(t, p, ParseOptions{})
	g := graph(t, p)
	if n := len(g.Main.Nodes); n != 8 {
		t.Errorf("main has %d nodes, want 8", n)
	}
	t.Log(p)
}
