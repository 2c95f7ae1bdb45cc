package frontend

import (
	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
	"c2bp/frontend/models"
)

// This file counts the properties in the text of the program: assertions, calls of failure functions,
// and labels. A property counts if its text is in a function that the text of the entry reaches, even
// if it is decided while the program is lowered, so that no node is left of it:
//
//	assert(sizeof(int) == 4);
//	if (sizeof(int) != 4) goto ERROR;
//
// Such a program is not vacuous. If no assertion is left, the first one is put at the start of the
// entry as one that holds, and each label as one that is not reached.

// stated holds the properties in the text of a function.
type stated struct {
	properties []cc.Node // calls; the body of a failure function
	labels     []*cc.LabeledStatement
}

// statedBy returns the properties in the text of f, which has a body. Nothing is lowered for it:
// all of the text counts, also code that no execution reaches.
func (l *program) statedBy(f *function) (s stated) {
	if isMuteFailure(f) {
		s.properties = append(s.properties, f.def.CompoundStatement)
	}
	ctree.Walk(f.def.CompoundStatement, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.LabeledStatement:
			if n.Case == cc.LabeledStatementLabel {
				s.labels = append(s.labels, n)
			}
		case *cc.PostfixExpression:
			// A call of an assertion or failure function without a body.
			if g := l.callee(n); g != nil && g.def == nil {
				if k := kindOf(g.name); k == assertion || k == failure {
					s.properties = append(s.properties, n)
				}
			}
		}
		return true
	})
	return s
}

// callee returns the function that the call n names, or nil.
func (l *program) callee(n *cc.PostfixExpression) *function {
	if n.Case != cc.PostfixExpressionCall {
		return nil
	}
	id := identifier(n.PostfixExpression)
	if id == nil {
		return nil
	}
	d, _ := id.ResolvedTo().(*cc.Declarator)
	return l.funcs[d]
}

// fromText returns the functions that the text of roots reaches: through the bodies of functions
// and the initialisers of variables that it mentions. reach may find fewer, because text that is
// never executed counts here as well.
func (l *program) fromText(roots []*function) map[*function]bool {
	initialisers := map[*core.Var]*cc.Initializer{}
	for _, o := range l.ordered {
		initialisers[o.v] = o.init
	}
	functions, variables := map[*function]bool{}, map[*core.Var]bool{}
	var reach func(m mentioned)
	// Depth-first, each function and initialiser once.
	reach = func(m mentioned) {
		for _, f := range m.functions {
			f = l.resolveAlias(f)
			if !functions[f] {
				functions[f] = true
				if f.def != nil {
					reach(l.mentionedBy(f.def))
				}
			}
		}
		for _, v := range m.variables {
			if i := initialisers[v]; i != nil && !variables[v] {
				variables[v] = true
				reach(l.mentionedBy(i))
			}
		}
	}
	reach(mentioned{functions: roots})
	return functions
}

// stated returns nodes for the start of the entry for properties of which no node is left in the pieces
// that r has lowered, and notes the properties in functions that are not reached in prog.Elsewhere.
// An assertion with the condition 1 makes the program one that has a property and keeps it.
func (l *sharing) stated(r *reacher) (nodes []*core.Node) {
	// 1. The functions that the text of the entry reaches.
	roots := append(l.roots(l.prog.Entry), l.entry)
	for _, f := range l.defined {
		if f.constructor || f.destructor {
			roots = append(roots, f)
		}
	}
	reached := l.fromText(roots)
	l.prog.Elsewhere.Uncalled.InHeaders = len(l.Unreached) // their bodies were not read
	// 2. Their first assertion and all labels, unless there are nodes for them.
	asserted, labelled := r.properties()
	for _, f := range l.defined {
		s := l.statedBy(f)
		f.proc.Home = l.home(f)
		switch {
		case !reached[f] && !r.procs[f.proc]:
			l.elsewhere(f, s)
			continue
		case asserted:
			continue
		case len(s.properties) > 0:
			p := s.properties[0]
			nodes = append(nodes, &core.Node{Stmt: &core.Assert{Cond: truth(true)}, Pos: ccfix.At(p.Position()), Text: l.TextOf(p), First: true})
			asserted = true
		}
		for _, n := range s.labels {
			if name := n.Token.SrcStr(); !labelled[name] {
				labelled[name] = true
				nodes = append(nodes, neverReached(n, name, len(nodes))...)
			}
		}
	}
	// 3. What is checked and occurs nowhere.
	return appendNodes(nodes, r.nowhere())
}

// neverReached returns nodes, of which the first has the number first, with a label that no
// execution reaches. Both ways lead to first + 3, the node after them; one of them can be taken for certain, so that
// a run that fails later does not depend on the choice.
func neverReached(n *cc.LabeledStatement, name string, first int) []*core.Node {
	pos := ccfix.At(n.Position())
	return []*core.Node{
		{Stmt: &core.Branch{}, Pos: pos, Succ: []int{first + 1, first + 3}, Free: true},
		{Stmt: &core.Assume{Cond: truth(false)}, Pos: pos, Succ: []int{first + 2}},
		{Stmt: &core.Skip{}, Pos: pos, Succ: []int{first + 3}, Labels: []string{name}, Text: name + ":", First: true},
	}
}

// properties reports whether there is an assertion in the lowered procedures, and returns their labels.
// The order of the procedures does not matter here.
func (r *reacher) properties() (asserted bool, labels map[string]bool) {
	labels = map[string]bool{}
	for p := range r.procs {
		for _, n := range p.Nodes {
			a, is := n.Stmt.(*core.Assert)
			asserted = asserted || is && a.Check == nil
			for _, name := range n.Labels {
				labels[name] = true
			}
		}
	}
	return asserted, labels
}

// home returns the kind of file in which f, which has a body, is defined. The built-in end of the
// program is nobody's file.
func (l *sources) home(f *function) core.Home {
	switch {
	case f.tu == nil || f.tu.file.Name == models.ExitName:
		return core.HomeNone
	case l.OwnFiles(f.tu.file.Name)[f.pos.File]:
		return core.HomeOwn
	}
	return core.HomeHeader
}

// elsewhere notes f, which is not reached, and its properties s. Users learn from it that a
// property was not checked, since its function is never called.
func (l *program) elsewhere(f *function, s stated) {
	e := &l.prog.Elsewhere
	own := f.proc.Home == core.HomeOwn
	// 1. Count it.
	switch f.proc.Home {
	case core.HomeOwn:
		e.Uncalled.Procs = append(e.Uncalled.Procs, f.proc.Name)
	case core.HomeHeader:
		e.Uncalled.InHeaders++
	}
	// 2. Its properties; labels count only in files of the user.
	switch {
	case own && len(s.properties) > 0:
		e.Procs = append(e.Procs, f.proc.Name)
	case own:
		for _, n := range s.labels {
			if e.Labelled == nil {
				e.Labelled = map[string][]string{}
			}
			name := n.Token.SrcStr()
			e.Labelled[name] = append(e.Labelled[name], f.proc.Name)
		}
	case len(s.properties) > 0:
		e.InHeaders++
	}
}
