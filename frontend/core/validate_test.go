package core

import (
	"errors"
	"math/big"
	"strings"
	"testing"
)

func TestValidateAccepts(t *testing.T) {
	for _, p := range []*Program{incProgram(), wideProgram()} {
		if err := Validate(p); err != nil {
			t.Error(err)
		}
	}
}

// parts are the pieces of wideProgram that the tests below break.
type parts struct {
	prog             *Program
	ext, main        *Proc
	g, port          *Var
	r, c, q, tmp, g0 *Var
}

func widePieces() parts {
	p := wideProgram()
	main := p.Procs[1]
	l := main.Locals
	return parts{p, p.Procs[0], main, p.Globals[0], p.Globals[1], l[0], l[1], l[2], l[3], l[4]}
}

// TestValidateRejects breaks one rule at a time; every breach must be reported
// in the words given, at the place given.
func TestValidateRejects(t *testing.T) {
	node := func(p parts, i int, s Stmt) { p.main.Nodes[i].Stmt = s }
	bin := func(op BinaryOp, a, b Expr) Expr { return &Binary{Op: op, X: a, Y: b} }
	one := NewConst(1, Int32)
	u16 := Uint16
	for _, test := range []struct {
		name  string
		spoil func(parts)
		want  string
	}{
		{"no entry", func(p parts) { p.prog.Entry = nil }, "no entry procedure"},
		{"entry name", func(p parts) { p.main.Name = "start" }, "the entry is named start, not main"},
		{"entry elsewhere", func(p parts) { p.prog.Entry = &Proc{Name: "main"} }, "the entry main is not among the procedures"},
		{"entry body", func(p parts) { p.ext.Name, p.main.Name, p.prog.Entry = "main", "x", p.ext }, "the entry has no body"},
		{"same procedures", func(p parts) { p.ext.Name = "main" }, "two procedures are named main"},
		{"same globals", func(p parts) { p.port.Name = "g" }, "two variables are named g"},
		{"local like global", func(p parts) { p.r.Name = "g" }, "main: two variables are named g"},
		{"local like formal", func(p parts) { p.r.Name = "c" }, "main: two variables are named c"},
		{"no name", func(p parts) { p.r.Name = "" }, "a local without a name"},
		{"global of a procedure", func(p parts) { p.g.Proc = p.main }, "global g belongs to procedure main"},
		{"foreign local", func(p parts) { p.r.Proc = p.ext }, "main: r belongs to another procedure"},
		{"kind", func(p parts) { p.r.Kind = Formal }, "r is declared among the locals but its kind is formal"},
		{"global kind", func(p parts) { p.g.Kind = Local }, "g is declared among the globals but its kind is local"},
		{"void variable", func(p parts) { p.q.Type = Void{} }, "q has no type of values: void"},
		{"no type", func(p parts) { p.q.Type = nil }, "q has no type of values: <nil>"},
		{"bits", func(p parts) { p.c.Type = Int{Bits: 65} }, "c has no proper integer type"},
		{"bool bits", func(p parts) { p.c.Type = Int{Bits: 1, Bool: true} }, "c has no proper integer type"},
		{"address of temp", func(p parts) { p.tmp.AddrTaken = true }, "the address of the temp $1 is taken"},
		{"address of ghost", func(p parts) { p.g0.AddrTaken = true }, "the address of the ghost 'g is taken"},
		{"logical local", func(p parts) { p.r.Logical = true }, "r is logical but no temp"},
		{"init", func(p parts) { p.r.Init = one }, "r: a ghost, and nothing else, has an Init"},
		{"no init", func(p parts) { p.g0.Init = nil }, "'g: a ghost, and nothing else, has an Init"},
		{"return type", func(p parts) { p.ext.RetType = nil }, "read: no return type"},
		{"external locals", func(p parts) { p.ext.Result = p.ext.Formals[0] }, "an external procedure has locals or a result variable"},
		{"no result", func(p parts) { p.main.Result = nil }, "no result variable, but the return type is int32"},
		{"global result", func(p parts) { p.main.Result = p.g }, "the result variable g is no formal or local"},
		{"result type", func(p parts) { p.main.RetType = Uint32 }, "the result variable r has type int32, not the return type uint32"},
		{"temp result", func(p parts) { p.main.Result = p.tmp }, "the result variable $1 is a temp"},
		{"result address", func(p parts) { p.r.AddrTaken = true }, "the address of the result variable r is taken"},
		{"result volatile", func(p parts) { p.r.Volatile = true }, "the result variable r is volatile"},

		{"successor range", func(p parts) { p.main.Nodes[4].Succ = []int{14} }, "main:4: successor 14 is out of range"},
		{"negative successor", func(p parts) { p.main.Nodes[4].Succ = []int{-1} }, "main:4: successor -1 is out of range"},
		{"no successor", func(p parts) { p.main.Nodes[4].Succ = nil }, "main:4: 0 successors"},
		{"two successors", func(p parts) { p.main.Nodes[4].Succ = []int{5, 6} }, "main:4: 2 successors"},
		{"branch to nowhere", func(p parts) { p.main.Nodes[7].Succ = nil }, "main:7: no successor"},
		{"two returns", func(p parts) { node(p, 12, &Return{}) }, "main:12: a return that is not the last node"},
		{"return goes on", func(p parts) { p.main.Nodes[13].Succ = []int{0} }, "main:13: a return with successors"},
		{"no return", func(p parts) { node(p, 13, &Branch{}) }, "main:13: the last node is not a return"},
		{"no statement", func(p parts) { node(p, 12, nil) }, "main:12: no statement"},

		{"assign count", func(p parts) { node(p, 1, &Assign{Lhs: []Loc{p.r.Ref()}}) }, "main:1: 1 left sides, 0 right sides"},
		{"assign nothing", func(p parts) { node(p, 1, &Assign{}) }, "main:1: 0 left sides, 0 right sides"},
		{"assign nil", func(p parts) { node(p, 1, set(p.r, nil)) }, "main:1: no right side for r"},
		{"assign type", func(p parts) { node(p, 1, set(p.r, p.c.Ref())) }, "main:1: r has type int32, but c has type uint8"},
		{"assign opaque", func(p parts) { node(p, 1, set(p.q, p.q.Ref())) }, "main:1: q of type opaque{char *} is read"},
		{"assign twice", func(p parts) { node(p, 1, &Assign{Lhs: []Loc{p.r.Ref(), p.r.Ref()}, Rhs: []Expr{one, one}}) }, "main:1: r is written twice"},
		{"havoc twice", func(p parts) { node(p, 1, &Havoc{Locs: []Loc{p.r.Ref(), p.r.Ref()}}) }, "main:1: r is written twice"},
		{"havoc nil", func(p parts) { node(p, 1, &Havoc{Locs: []Loc{nil}}) }, "main:1: a location that is no variable"},
		{"out of scope", func(p parts) { node(p, 1, set(p.ext.Formals[0], one)) }, "main:1: formal fd is not in scope"},
		{"read out of scope", func(p parts) { node(p, 1, set(p.r, p.ext.Formals[0].Ref())) }, "main:1: formal fd is not in scope"},
		{"ghost unlisted", func(p parts) { p.main.Locals = p.main.Locals[:4] }, "main:0: ghost 'g is not in scope"},
		{"volatile read", func(p parts) { node(p, 2, set(p.c, p.port.Ref())) }, "main:2: the volatile variable port is read"},
		{"no condition", func(p parts) { node(p, 1, &Assume{}) }, "main:1: no condition"},
		{"no assertion", func(p parts) { node(p, 1, &Assert{}) }, "main:1: no condition"},
		{"opaque condition", func(p parts) { node(p, 1, &Assume{Cond: p.q.Ref()}) }, "main:1: q of type opaque{char *} is read"},

		{"foreign callee", func(p parts) { node(p, 4, &Call{Callee: &Proc{Name: "f"}}) }, "main:4: the callee is not a procedure of the program"},
		{"arity", func(p parts) { node(p, 4, &Call{Callee: p.ext, Args: []Expr{one}}) }, "main:4: 1 arguments, read has 2 formals"},
		{"argument type", func(p parts) { node(p, 4, &Call{Callee: p.ext, Args: []Expr{p.c.Ref(), nil}}) }, "main:4: the argument c has type uint8, the formal fd has int32"},
		{"no argument", func(p parts) { node(p, 4, &Call{Callee: p.ext, Args: []Expr{nil, nil}}) }, "main:4: no argument for fd, which is not opaque"},
		{"opaque argument", func(p parts) { node(p, 4, &Call{Callee: p.ext, Args: []Expr{one, one}}) }, "main:4: an argument for the opaque formal buf"},
		{"conversion of nothing", func(p parts) { node(p, 4, &Call{Callee: p.ext, ResultConv: &u16, Args: []Expr{one, nil}}) }, "main:4: a ResultConv without a destination"},
		{"destination type", func(p parts) { node(p, 4, &Call{Lhs: p.c.Ref(), Callee: p.ext, Args: []Expr{one, nil}}) }, "main:4: the destination c has type uint8, the result int32"},
		{"conversion type", func(p parts) {
			node(p, 4, &Call{Lhs: p.c.Ref(), ResultConv: &u16, Callee: p.ext, Args: []Expr{one, nil}})
		}, "main:4: the destination c has type uint8, the result uint16"},
		{"void result", func(p parts) { p.ext.RetType = Void{} }, "main:3: a ResultConv of the result type void"},

		{"operand types", func(p parts) { node(p, 1, set(p.r, bin(Add, p.r.Ref(), p.c.Ref()))) }, "main:1: operands of types int32 and uint8: r + c"},
		{"comparison types", func(p parts) { node(p, 1, &Assume{Cond: bin(Lt, p.r.Ref(), p.c.Ref())}) }, "main:1: operands of types int32 and uint8: r < c"},
		{"bool arithmetic", func(p parts) { p.c.Type = Bool; node(p, 1, &Assume{Cond: bin(Add, p.c.Ref(), p.c.Ref())}) }, "main:1: arithmetic on bool: c + c"},
		{"bool complement", func(p parts) { p.c.Type = Bool; node(p, 1, &Assume{Cond: &Unary{Op: BitNot, X: p.c.Ref()}}) }, "main:1: arithmetic on bool: ~c"},
		{"constant", func(p parts) { node(p, 1, set(p.c, NewConst(256, Uint8))) }, "main:1: the constant 256 is no value of uint8"},
		{"constant nil", func(p parts) { node(p, 1, set(p.c, &Const{Typ: Uint8})) }, "main:1: the constant <nil> is no value of uint8"},
		{"constant bool", func(p parts) { node(p, 1, &Assume{Cond: &Const{Val: big.NewInt(2), Typ: Bool}}) }, "main:1: the constant 2 is no value of bool"},
		{"conversion bits", func(p parts) { node(p, 1, &Assume{Cond: &Conv{X: one, To: Int{}}}) }, "main:1: a conversion has no proper integer type"},
		{"empty conversion", func(p parts) { node(p, 1, &Assume{Cond: &Conv{To: Int8}}) }, "main:1: a conversion of nothing"},
		{"conditional", func(p parts) { node(p, 1, &Assume{Cond: &Cond{C: one, X: one, Y: one}}) }, "main:1: ?: outside a predicate"},
		{"partial and", func(p parts) { node(p, 1, &Assume{Cond: bin(LAnd, one, bin(Eq, bin(Add, p.r.Ref(), one), one))}) }, "main:1: r + 1, which may be undefined, inside &&"},
		{"partial or", func(p parts) {
			node(p, 1, &Assume{Cond: bin(LOr, &Unary{Op: Not, X: &Conv{X: bin(Div, p.c.Ref(), p.c.Ref()), To: Int32}}, one)})
		}, "main:1: c / c, which may be undefined, inside ||"},
		{"logical assign", func(p parts) { node(p, 1, set(p.tmp, p.r.Ref())) }, "main:1: r is assigned to the logical $1"},
		{"logical havoc", func(p parts) { node(p, 1, &Havoc{Locs: []Loc{p.tmp.Ref()}}) }, "main:1: the logical $1 may get a value other than 0 and 1"},
		{"logical result", func(p parts) { node(p, 4, &Call{Lhs: p.tmp.Ref(), Callee: p.ext, Args: []Expr{one, nil}}) }, "main:4: the logical $1 may get a value"},
		{"nil operand", func(p parts) { node(p, 1, &Assume{Cond: bin(Add, one, nil)}) }, "main:1: no expression: <nil>"},
		{"nil variable", func(p parts) { node(p, 1, &Assume{Cond: &VarRef{}}) }, "main:1: a reference to no variable"},
	} {
		p := widePieces()
		test.spoil(p)
		err := Validate(p.prog)
		var invalid *InvalidError
		if !errors.As(err, &invalid) {
			t.Errorf("%s: accepted", test.name)
			continue
		}
		if !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got\n%v\nwant %s", test.name, err, test.want)
		}
	}
}

// TestValidateListsAll pins the whole message: every violation, then the bad
// procedure, and nothing of the good ones.
func TestValidateListsAll(t *testing.T) {
	p := widePieces()
	p.port.Name = "g"
	p.main.Nodes[1].Stmt = set(p.r, p.c.Ref())
	p.main.Nodes[4].Succ = []int{99}
	golden(t, "invalid.golden", Validate(p.prog).Error()+"\n")
}

func TestValidatePredicate(t *testing.T) {
	p := widePieces()
	hidden := &Var{Name: "'r", Type: Int32, Kind: Ghost, Proc: p.main, Init: p.r.Ref()}
	foreign := &Var{Name: "'fd", Type: Int32, Kind: Ghost, Proc: p.ext, Init: p.ext.Formals[0].Ref()}
	one := NewConst(1, Int32)
	eq := func(x *Var) Expr { return &Binary{Op: Eq, X: x.Ref(), Y: one} }
	for _, test := range []struct {
		proc *Proc
		e    Expr
		want string // "" if it is to be accepted
	}{
		{p.main, eq(p.r), ""},
		{p.main, eq(p.g), ""},
		{p.main, eq(hidden), ""},
		{p.main, &Cond{C: eq(p.r), X: one, Y: p.g.Ref()}, ""},
		{p.main, &Binary{Op: LAnd, X: one, Y: &Binary{Op: Div, X: one, Y: p.r.Ref()}}, ""},
		{nil, eq(p.g), ""},
		{nil, eq(p.r), "local r is not in scope"},
		{nil, eq(hidden), "ghost 'r is not in scope"},
		{p.main, eq(foreign), "ghost 'fd is not in scope"},
		{p.main, p.q.Ref(), "q of type opaque{char *} is read"},
		{p.main, p.port.Ref(), "the volatile variable port is read"},
		{p.main, eq(p.c), "operands of types uint8 and int32"},
		{p.main, &Cond{C: one, X: one, Y: p.c.Ref()}, "operands of types int32 and uint8"},
		{p.main, nil, "no condition"},
	} {
		err := ValidatePredicate(p.prog, test.proc, test.e)
		switch {
		case test.want == "" && err != nil:
			t.Errorf("%s: %v", ExprString(test.e), err)
		case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
			t.Errorf("%s: got %v, want %s", ExprString(test.e), err, test.want)
		}
	}
}
