package predicate

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file gives core expressions to the parsed predicates and to what quotes stand on.

// finish turns the parsed expressions of q into core expressions; blocks has them by file name. q
// is done then, or has an error.
func (r *resolution) finish(q *request, file string, blocks map[string]cc.ExpressionNode) {
	// 1. The quoted expressions: the predicate uses their symbolic constants.
	for j := range q.names {
		if n := &q.names[j]; n.entry != nil {
			if !r.finishEntry(q, n, blocks[entryFile(file, j)]) {
				return
			}
		}
	}
	// 2. The predicate.
	e := blocks[file]
	if e == nil {
		q.fail(0, "a predicate must be one expression")
		return
	}
	x, err := r.Pure(e, r.meaning(q))
	if err != nil {
		q.blameFor(&q.fragment, err)
		return
	}
	// 3. Its name is the text that the parser has read, with the names that the user knows.
	s := speller{q}
	r.out[q.index] = core.ResolvedPredicate{Expr: r.Truth(x), Name: s.spell(ctree.Strip(e))}
	if q.fn != nil {
		r.out[q.index].Proc = q.fn.Proc
	}
	if q.object != nil {
		r.out[q.index].This = r.whole.this(q)
	}
	q.done = true
}

// meaning returns the function that gives identifiers in the code of q their meaning: $-names,
// functions, and variables, which the scanner has left as they are.
func (r *resolution) meaning(q *request) func(*cc.PrimaryExpression) (core.Expr, error) {
	return func(n *cc.PrimaryExpression) (core.Expr, error) {
		s := n.Token.SrcStr()
		for i, name := range q.names {
			if s == dollar(i) {
				return name.v.Ref(), nil
			}
		}
		// Its name would be that of another predicate, about the member.
		if q.hasMember(s) {
			return nil, ctree.Errorf(n, "a macro names %s here, which a member of %s hides", s, q.object.name)
		}
		// A function stands for its address; p == f needs no &.
		if f := r.namedFunction(q, s); f != nil {
			if !r.hasProc(f) {
				return nil, ctree.Errorf(n, "function %s is not used in the program, so no pointer points to it", s)
			}
			return &core.FuncAddr{Proc: f, Typ: core.Ptr{Bits: r.Core().PtrBits}}, nil
		}
		v, msg := r.lookup(q, s)
		if v == nil {
			return nil, ctree.Errorf(n, "%s", msg)
		}
		return v.Ref(), nil
	}
}

// namedFunction returns the procedure of the function that word means in q's scope, or nil: also
// where a variable or type hides the function.
func (r *resolution) namedFunction(q *request, word string) *core.Proc {
	for _, n := range r.scopeNodes(q, word) {
		switch n := n.(type) {
		case *cc.Declarator:
			if n.IsTypename() || n.Type() == nil || n.Type().Kind() != cc.Function {
				return nil
			}
			return r.Procedure(n)
		case *cc.Parameter:
			return nil
		}
	}
	return nil
}

// hasProc reports whether p is part of the core program: of functions that nothing uses there is
// none.
func (r *resolution) hasProc(p *core.Proc) bool {
	for _, q := range r.Core().Procs {
		if q == p {
			return true
		}
	}
	return false
}

// finishEntry finds the symbolic constant for the value of e on entry, and stores it in n. It
// returns false after an error.
func (r *resolution) finishEntry(q *request, n *name, e cc.ExpressionNode) bool {
	if e == nil {
		return q.fail(n.quote, "what is quoted must be one expression")
	}
	init, err := r.Pure(e, r.meaning(q))
	if err == nil && ccfix.IsMisread(e) {
		err = ctree.Errorf(e, ccfix.Misread)
	}
	if err != nil {
		q.blameFor(n.entry, err)
		return false
	}
	n.spelling = entrySpelling(speller{q}.spell(ctree.Strip(e)), init)
	n.v = r.whole.ghost(q.fn.Proc, init, n.spelling)
	return true
}

// entrySpelling returns the spelling of the value on entry of init, which is spelled s: without
// parentheses if it is a variable or the target of one: 'x, '**p, '(p->f).
func entrySpelling(s string, init core.Expr) string {
	for {
		m, ok := init.(*core.Mem)
		if !ok {
			break
		}
		init = m.Addr
	}
	switch init.(type) {
	case *core.VarRef, *core.AddrOf:
		if isVariableName(strings.TrimLeft(s, "*")) {
			return "'" + s
		}
	}
	return "'(" + s + ")"
}

// isVariableName reports whether s is a name by its form: x, x@12 or file.c::x. It is not asked
// whether there is such a variable.
func isVariableName(s string) bool {
	for i := range len(s) {
		if c := s[i]; !ccfix.IsIdentByte(c) && c != '@' && (c != ':' && c != '.' || !strings.Contains(s, "::")) {
			return false
		}
	}
	return true
}
