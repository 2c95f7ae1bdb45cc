package finite

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
)

// This file translates nodes, procedures and programs.

// Program is a translated program.
type Program struct {
	Graph *boolprog.Graph // the translation, which has no references

	from  *boolprog.Graph
	lay   *layout
	procs []procMap
}

// procMap relates the nodes of a procedure to those of its translation.
type procMap struct {
	origin []origin // by node of the translation
	visit  []int    // by node of the program: the node of the translation at which control has reached it
	main   []int    // its statement
	nulls  [][]int  // the assertions that it dereferences no null
}

// origin is the node of the program that a node of the translation is for.
type origin struct {
	node int // or none: the start of the procedure
	role role
}

// role is the role of a node of the translation.
type role int

const (
	prepares  role = iota // before control has reached the node of the program: its enforce clause
	evaluates             // choices and checks that come before the statement
	executes              // the statement
	completes             // what is done with the results of a call
)

// Translate translates a program that passed boolprog.Check. It fails with a *RefusedError.
func Translate(g *boolprog.Graph) (*Program, error) {
	h, err := newHeap(g)
	if err != nil {
		return nil, err
	}
	t := &Program{from: g, lay: newLayout(newPoints(h))}
	// 1. The nodes, which may need more variables.
	nodes := make([][]*boolprog.Node, len(g.Procs))
	for i, p := range g.Procs {
		b := &builder{scope: scope{layout: t.lay, p: p, fresh: map[boolprog.Expr]value{}}, chosenOf: map[string]*cell{}}
		b.procedure()
		nodes[i], t.procs = b.nodes, append(t.procs, b.out)
	}
	// 2. The procedures, with the variables.
	out := &boolprog.Program{File: g.Prog.File, Globals: t.lay.vars}
	for i, p := range g.Procs {
		vars, params := t.lay.proc[i], t.lay.params[i]
		to := &boolprog.Proc{Name: p.Proc.Name, Pos: p.Proc.Pos, Params: vars[:params:params], Locals: vars[params:]}
		for _, c := range t.lay.results[i] {
			to.Results += c.places()
		}
		out.Procs = append(out.Procs, to)
	}
	// 3. Their graphs, with these nodes.
	t.Graph = boolprog.BuildGraph(out)
	for i, p := range t.Graph.Procs {
		p.Nodes, p.Entry, p.Exit = nodes[i], 0, len(nodes[i])-1
		for _, n := range p.Nodes {
			if n.Callee != nil {
				n.Callee = t.Graph.Procs[n.Callee.Index]
			}
		}
	}
	return t, nil
}

// places returns the number of variables for a reference, or for a Boolean, which is nil.
func (c *cell) places() int {
	if c == nil {
		return 1
	}
	return len(c.bits)
}

// builder translates a procedure.
type builder struct {
	scope
	nodes    []*boolprog.Node
	out      procMap
	at       origin
	next     map[int]bool      // nodes that go on at the next one
	chosenOf map[string]*cell  // by class: the variable for choices
	temps    map[string]string // variables between two nodes
	returned []string          // variables for results on the way through the enforce clause
}

// emit adds a node, which goes on at the next one.
func (b *builder) emit(n *boolprog.Node) *boolprog.Node {
	v := len(b.nodes)
	if n.Kind != boolprog.NodeExit && n.Succ == nil {
		n.Succ = []int{v + 1}
		b.next[v] = true
	}
	if n.Stmt == nil && n.Kind != boolprog.NodeExit && n.Kind != boolprog.NodeReturn {
		n.Stmt = &boolprog.Stmt{Pos: b.p.Proc.Pos, Op: &boolprog.Skip{}}
	}
	b.nodes = append(b.nodes, n)
	b.out.origin = append(b.out.origin, b.at)
	return n
}

// procedure translates all nodes.
func (b *builder) procedure() {
	b.next = map[int]bool{}
	count := len(b.p.Nodes)
	b.out.visit, b.out.main, b.out.nulls = make([]int, count), make([]int, count), make([][]int, count)
	// 1. The start: references are null.
	b.at = origin{node: none, role: prepares}
	b.start()
	if b.p.Entry != 0 {
		b.emit(&boolprog.Node{Kind: boolprog.NodeSkip, Succ: []int{b.p.Entry}})
	}
	// 2. Nodes in program order. Those that lead to nodes of the program have the numbers of these at first.
	starts := make([]int, count)
	for v, n := range b.p.Nodes {
		starts[v] = len(b.nodes)
		b.node(v, n)
	}
	for v, n := range b.nodes {
		if b.next[v] {
			continue
		}
		succ := make([]int, len(n.Succ))
		for i, w := range n.Succ {
			succ[i] = starts[w]
		}
		n.Succ = succ
	}
}

// start sets references to null: locals and, in main, parameters and globals. In main, objects that will be
// made have their first values already, but for those that dead may change before.
func (b *builder) start() {
	u := b.newUpdate()
	from := len(b.p.Proc.Params)
	if b.p == b.g.Main {
		from = 0
		for _, c := range b.globals {
			if c != nil {
				u.bits(c, yes, c.constant(null))
			}
		}
		for o := range b.objects {
			if flag := b.objects[o].flag; flag != "" {
				u.set(flag, yes, no)
			}
			for k := range b.objects[o].class.Fields {
				u.first(o, k, yes)
			}
		}
	}
	for _, c := range b.locals[b.p.Index][from:] {
		if c != nil {
			u.bits(c, yes, c.constant(null))
		}
	}
	if len(u.names) > 0 {
		b.emit(&boolprog.Node{Kind: boolprog.NodeAssign, Assign: u.assign(nil)})
	}
}

// node translates a node.
func (b *builder) node(v int, n *boolprog.Node) {
	at := b.places[b.p.Index][v]
	clear(b.fresh)
	// 1. The enforce clause.
	b.at = origin{v, prepares}
	if e := b.p.Proc.Enforce; e != nil {
		b.before(at.clause)
		b.noNull(v, nil, e)
		b.emit(&boolprog.Node{Kind: boolprog.NodeAssume, Cond: b.boolean(e)})
	}
	// 2. The choices of the statement, and its nulls. Here control has reached the node.
	b.at.role = evaluates
	b.out.visit[v] = len(b.nodes)
	b.before(at.stmt)
	targets, exprs := reads(n)
	b.noNull(v, targets, exprs...)
	// 3. The statement.
	b.at.role = executes
	b.out.main[v] = len(b.nodes)
	b.statement(v, n)
}

// reads returns the targets and expressions that a statement evaluates.
func reads(n *boolprog.Node) ([]*boolprog.Ref, []boolprog.Expr) {
	switch n.Kind {
	case boolprog.NodeAssign:
		return n.Assign.Lhs, append(slices.Clone(n.Assign.Rhs), n.Assign.Constrain)
	case boolprog.NodeCall:
		return nil, n.Call.Args
	case boolprog.NodeReturn:
		return nil, n.Values
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		return nil, []boolprog.Expr{n.Cond}
	}
	return nil, nil
}

// noNull asserts that node v of the program dereferences no null.
func (b *builder) noNull(v int, targets []*boolprog.Ref, exprs ...boolprog.Expr) {
	e := b.follows(targets, exprs...)
	if val, is := constantOf(e); is && !val {
		return
	}
	b.out.nulls[v] = append(b.out.nulls[v], len(b.nodes))
	b.emit(&boolprog.Node{Kind: boolprog.NodeAssert, Cond: not(e)})
}

// statement translates the statement of node v.
func (b *builder) statement(v int, n *boolprog.Node) {
	to := &boolprog.Node{Kind: n.Kind, Stmt: n.Stmt, Succ: n.Succ}
	switch n.Kind {
	case boolprog.NodeSkip:
	case boolprog.NodeAssume, boolprog.NodeAssert, boolprog.NodeBranch:
		to.Cond = b.boolean(n.Cond)
	case boolprog.NodeAssign:
		to.Assign = b.assignment(n)
	case boolprog.NodeDead:
		b.dead(n, to)
		return
	case boolprog.NodeCall:
		b.call(v, n, to)
		return
	case boolprog.NodeReturn:
		b.returns(n, to)
		return
	case boolprog.NodeExit:
		if b.returned != nil {
			values := make([]boolprog.Expr, len(b.returned))
			for i, name := range b.returned {
				values[i] = &boolprog.Ref{Name: name}
			}
			b.emit(&boolprog.Node{Kind: boolprog.NodeReturn, Values: values, Succ: nil})
		}
		to.Succ = nil
	default:
		panic(fmt.Sprintf("finite: node of kind %d", n.Kind))
	}
	if len(to.Succ) == 0 && n.Kind != boolprog.NodeExit {
		to.Succ = []int{}
	}
	b.emit(to)
}

// assignment translates an assignment: all is read before anything is written.
func (b *builder) assignment(n *boolprog.Node) *boolprog.Assign {
	u := b.newUpdate()
	for i, e := range n.Assign.Rhs {
		switch e := e.(type) {
		case *boolprog.New:
			u.initialise(e)
		case *boolprog.Any:
			u.exists(e)
		}
		u.store(n.Assign.Lhs[i], b.right(e, b.g.TargetType(b.p, n.Assign.Lhs[i])))
	}
	if n.Assign.Constrain == nil {
		return u.assign(nil)
	}
	return u.assign(b.boolean(n.Assign.Constrain))
}

// dead makes variables and fields arbitrary, the latter in all objects: those that do not exist get their first
// values when they are made.
func (b *builder) dead(n *boolprog.Node, to *boolprog.Node) {
	to.Dead = &boolprog.Dead{Vars: slices.Clone(n.Dead.Vars)}
	u := b.newUpdate()
	for _, r := range n.Dead.Fields {
		for _, o := range b.ofClass[r.Name].list() {
			_, i := b.objects[o].class.Field(r.Field)
			if c := b.fields[o][i]; c != nil {
				u.bits(c, yes, c.constant(c.noNumber()))
			} else {
				to.Dead.Vars = append(to.Dead.Vars, &boolprog.Ref{Name: b.values[o][i]})
			}
		}
	}
	if len(u.names) == 0 {
		b.emit(to)
		return
	}
	to.Succ = nil
	b.emit(to)
	b.at.role = completes
	b.emit(&boolprog.Node{Kind: boolprog.NodeAssign, Assign: u.assign(nil), Succ: n.Succ})
}

// call translates a call. Results go to variables of their own, and from there to the targets, unless these
// are variables with the same bits.
func (b *builder) call(v int, n *boolprog.Node, to *boolprog.Node) {
	to.Callee, to.Call = n.Callee, &boolprog.Call{Callee: n.Call.Callee}
	// 1. Arguments.
	for i, e := range n.Call.Args {
		param := n.Callee.Vars[i].Type()
		to.Call.Args = append(to.Call.Args, b.right(e, param).in(b.locals[n.Callee.Index][i])...)
	}
	// 2. Results.
	results := b.results[n.Callee.Index]
	direct := true
	for i, r := range n.Call.Lhs {
		direct = direct && (r.Name == "_" || r.Field == "" && (results[i] == nil || results[i].copies(b.cell(r.Name))))
	}
	u := b.newUpdate()
	for i, r := range n.Call.Lhs {
		names := make([]string, results[i].places())
		switch {
		case r.Name == "_":
			for k := range names {
				names[k] = "_"
			}
		case direct && results[i] == nil:
			names[0] = r.Name
		case direct:
			copy(names, b.cell(r.Name).bits)
		default:
			temp := right{ref: results[i] != nil}
			for k := range names {
				names[k] = b.temp(fmt.Sprintf("result %d bit %d", i+1, k))
			}
			if temp.ref {
				temp.value = (&cell{objects: results[i].objects, bits: names}).value(false)
			} else {
				temp.e = &boolprog.Ref{Name: names[0]}
			}
			u.store(r, temp)
		}
		for _, name := range names {
			to.Call.Lhs = append(to.Call.Lhs, &boolprog.Ref{Name: name})
		}
	}
	if direct {
		b.emit(to)
		return
	}
	// 3. The targets x.f, read after the callee has returned.
	to.Succ = nil
	b.emit(to)
	b.at.role = completes
	b.noNull(v, n.Call.Lhs)
	b.emit(&boolprog.Node{Kind: boolprog.NodeAssign, Assign: u.assign(nil), Succ: n.Succ})
}

// temp returns a variable that a procedure needs between two nodes.
func (b *builder) temp(text string) string {
	if b.temps == nil {
		b.temps = map[string]string{}
	}
	if b.temps[text] == "" {
		b.temps[text] = b.declare(&b.proc[b.p.Index], text)
	}
	return b.temps[text]
}

// returns translates a return. With an enforce clause, which comes before the exit, the results wait in
// variables.
func (b *builder) returns(n *boolprog.Node, to *boolprog.Node) {
	var values []boolprog.Expr
	for i, e := range n.Values {
		values = append(values, b.right(e, b.p.Proc.Result(i)).in(b.results[b.p.Index][i])...)
	}
	if b.p.Proc.Enforce == nil {
		to.Values = values
		b.emit(to)
		return
	}
	if b.p.Proc.Results == 0 || len(values) == 0 {
		to.Kind = boolprog.NodeSkip
		b.emit(to)
		return
	}
	to.Kind, to.Assign = boolprog.NodeAssign, &boolprog.Assign{Rhs: values}
	b.returned = b.returned[:0]
	for k := range values {
		name := b.temp(fmt.Sprintf("returned %d", k+1))
		b.returned = append(b.returned, name)
		to.Assign.Lhs = append(to.Assign.Lhs, &boolprog.Ref{Name: name})
	}
	b.emit(to)
}
