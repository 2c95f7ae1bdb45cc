package boolprog

import (
	"fmt"
	"strings"

	"c2bp/source"
)

// This file defines the statements about threads: their syntax, their nodes, and the rules for atomic
// sections.
//
// The words are no keywords: a program may have a variable async. They begin a statement where no
// assignment, call or label does.

// threadOp reads a statement about threads; it returns nil and reads nothing if there is none.
func (p *parser) threadOp() Op {
	word := p.tok.text
	switch word {
	case "start_thread", "async", "end_thread", "atomic_begin", "atomic_end":
	default:
		return nil
	}
	// A variable or procedure of that name.
	for _, next := range []string{":=", ",", "(", "."} {
		if p.ahead.is(next) {
			return nil
		}
	}
	p.advance()
	switch word {
	case "end_thread":
		return &EndThread{}
	case "atomic_begin":
		return &AtomicBegin{}
	case "atomic_end":
		return &AtomicEnd{}
	}
	// A start, at a label or in a procedure.
	if word == "start_thread" && p.accept("goto") {
		return &StartThread{Target: p.name("a label")}
	}
	if p.tok.kind != tokName && word == "start_thread" {
		p.expected(`"goto" or a procedure`)
	}
	callee := p.name("a procedure")
	p.expect("(")
	return &StartCall{Callee: callee, Args: p.args()}
}

// Labels that begin with asyncLabel make a thread of their statement in the dialect of Boppo. Printed programs
// have no such labels, so that they can be read again: the label begins with threadLabel instead.
const (
	asyncLabel  = "ASYNC_"
	threadLabel = "THREAD_"
)

// asThread returns the statements that a labelled statement stands for. In the dialect of Boppo
//
//	ASYNC_1: f();    is    start_thread goto THREAD_1; if (0) then THREAD_1: f(); end_thread; fi;
func (p *parser) asThread(s *Stmt) []*Stmt {
	for i, l := range s.Labels {
		rest, is := strings.CutPrefix(l, asyncLabel)
		if !is || !p.lex.boppo {
			continue
		}
		name := threadLabel + rest
		// The other labels belong to the start.
		start := &Stmt{Pos: s.Pos, Op: &StartThread{Target: &Ref{Name: name, Pos: s.Pos}}}
		start.Labels = append(append(start.Labels, s.Labels[:i]...), s.Labels[i+1:]...)
		s.Labels = []string{name}
		body := []*Stmt{s, {Pos: s.Pos, Op: &EndThread{}}}
		return []*Stmt{start, {Pos: s.Pos, Op: &If{Conds: []Expr{&Const{}}, Thens: [][]*Stmt{body}}}}
	}
	return []*Stmt{s}
}

// threads makes v the node of a statement about threads.
func (b *builder) threads(s *Stmt, v int) {
	n := b.backward[v]
	switch op := s.Op.(type) {
	case *StartThread:
		n.Kind, n.Succ = NodeStart, append(n.Succ[:1:1], exit)
		b.gotos = append(b.gotos, v) // the second successor is set at the end of the procedure
	case *StartCall:
		n.Kind, n.Callee = NodeStart, b.procs[op.Callee.Name]
		n.Call = &Call{Callee: op.Callee, Args: op.Args}
	case *EndThread:
		n.Kind, n.Succ = NodeEnd, nil
	case *AtomicBegin, *AtomicEnd:
		b.atomic = true
	default:
		panic(fmt.Sprintf("boolprog: statement of type %T", s.Op))
	}
	// Statements are built from the last to the first.
	b.thread = s
}

// WithoutThreads returns an input error at a statement about threads, for engines and translations that
// cannot treat these. who names the engine.
func (g *Graph) WithoutThreads(who string) error {
	if g.Threads == nil {
		return nil
	}
	q := quoter{file: g.Prog.File}
	word, _, _ := strings.Cut(StmtString(g.Threads.Op), " ")
	return source.List{q.diagnostic(source.Error, g.Threads.Pos, fmt.Sprintf(`"%s": %s cannot treat programs with threads`, word, who))}
}

// sections checks the atomic sections of all procedures.
func (c *checker) sections(p *Program) {
	if len(c.atomic) == 0 {
		return
	}
	g, b := outline(p)
	for _, pg := range g.Procs {
		if !c.atomic[pg.Proc] {
			continue
		}
		b.build(pg)
		pg.sections(func(n *Node, msg string) {
			pos := pg.Proc.Pos
			if n.Stmt != nil {
				pos = n.Stmt.Pos
			}
			c.errorf(pos, "%s", msg)
		})
	}
}

// region says where a node is.
type region uint8

const (
	unreached region = iota
	outside
	within // an atomic section
)

// sections finds the nodes inside atomic sections and marks them. It reports, with a node, each violation of
// the rule that a section begins and ends in the same procedure, and is told from the outside by the place of
// control alone.
func (p *ProcGraph) sections(report func(n *Node, msg string)) {
	at := make([]region, len(p.Nodes))
	var work []int
	arrive := func(v int, r region) {
		switch n := p.Nodes[v]; at[v] {
		case unreached:
			at[v] = r
			n.Inside = r == within
			work = append(work, v)
		case r:
		default:
			report(n, fmt.Sprintf(`control comes to "%s" both inside and outside of an atomic section`, n.spelled()))
		}
	}
	arrive(p.Entry, outside)
	for len(work) > 0 {
		v := work[len(work)-1]
		work = work[:len(work)-1]
		n, r := p.Nodes[v], at[v]
		// 1. The end of a procedure, or of the thread.
		ends := n.Kind == NodeReturn || n.Kind == NodeExit || n.Kind == NodeEnd
		switch {
		case ends && r == within && n.Stmt == nil:
			report(n, fmt.Sprintf(`procedure "%s" can reach its "end" inside an atomic section`, p.Proc.Name))
		case ends && r == within:
			report(n, fmt.Sprintf(`"%s" inside an atomic section: expected "atomic_end" before it`, n.spelled()))
		}
		if ends {
			continue
		}
		// 2. Where the statement leads, and in which region.
		next := r
		switch n.Stmt.Op.(type) {
		case *AtomicBegin:
			if next = within; r == within {
				report(n, `"atomic_begin" inside an atomic section: sections do not nest`)
			}
		case *AtomicEnd:
			if next = outside; r == outside {
				report(n, `"atomic_end" outside of an atomic section`)
			}
		}
		for i, s := range n.Succ {
			// A thread begins outside.
			if n.Kind == NodeStart && i == 1 {
				arrive(s, outside)
				continue
			}
			arrive(s, next)
		}
	}
}

// spelled returns the statement of a node, or "end".
func (n *Node) spelled() string {
	if n.Stmt == nil {
		return "end"
	}
	return n.Spell()
}
