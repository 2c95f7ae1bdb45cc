package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/core"
	"c2bp/frontend/ctree"
)

// This file finds functions of which a compiler keeps no code, since nothing that it keeps leads to them:
//
//	static inline int listen(int (*f)(void)) { return -ENODEV; }     the feature is not configured
//	static int answer(void) { lock(); … }                            dropped: listen does not look at f
//	static const struct ops unused = { .answer = answer };           dropped, and mentions answer
//	int probe(void) { return listen(answer); }                       kept: other files may call it
//
// The text decides, and not the core program: a function that other files may call is kept, whether or not main
// calls it, and so is each function that its text mentions.

// Dropped returns the procedures of static functions of which no code is kept, and which the program does not call, by
// their names in the core program.
func (u *Unit) Dropped() map[string]bool {
	l := u.linker
	d := &keeper{
		program: l.program, byVar: map[*core.Var]*object{}, unused: map[*function][]bool{},
		functions: map[*function]bool{}, objects: map[*object]bool{},
	}
	for _, o := range l.ordered {
		d.byVar[o.v] = o
	}
	// 1. What is kept in any case: code and objects that other files, the linker script or assembly may use.
	if l.entry != nil {
		d.function(l.entry)
	}
	for _, f := range l.roots(l.prog.Entry) {
		d.function(f)
	}
	for _, f := range l.order {
		if f.key == f.name || f.constructor || f.destructor || f.used || f.alias != "" {
			d.function(f)
		}
	}
	for _, o := range l.ordered {
		if o.visible || o.placed || o.used {
			d.object(o)
		}
	}
	// 2. What the program calls all the same, as a harness does with what a registration may have noted.
	called := u.Program.Called()
	for _, f := range l.defined {
		if called[f.proc] {
			d.function(f)
		}
	}
	// 3. What instructions in kept functions may name, which may mention more.
	for more := true; more; {
		more = false
		for _, f := range l.defined {
			if !d.functions[f] && d.inAssembly(f) {
				more = true
				d.function(f)
				d.functions[f] = true // also if it has an alias
			}
		}
	}
	// 4. The static functions to which none of that leads.
	dropped := map[string]bool{}
	for _, f := range l.defined {
		if !d.functions[f] {
			dropped[f.proc.Name] = true
		}
	}
	return dropped
}

// keeper follows the mentions from kept functions and objects to others.
type keeper struct {
	*program
	byVar     map[*core.Var]*object
	unused    map[*function][]bool // parameters that the function does not mention
	functions map[*function]bool   // kept
	objects   map[*object]bool
	assembly  []string // the instructions in kept functions
}

// function keeps f and all that it mentions.
func (d *keeper) function(f *function) {
	f = d.resolveAlias(f)
	if d.functions[f] {
		return
	}
	d.functions[f] = true
	if f.def != nil {
		d.text(f.def)
	}
}

// object keeps o and all that its initialiser mentions.
func (d *keeper) object(o *object) {
	if d.objects[o] {
		return
	}
	d.objects[o] = true
	if o.init != nil {
		d.text(o.init)
	}
}

// text keeps all that n mentions, but functions that are given to a parameter that nothing looks at.
func (d *keeper) text(n cc.Node) {
	ctree.Walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.Asm:
			d.assembly = append(d.assembly, n.Token3.SrcStr())
		case *cc.PostfixExpression:
			if g := d.callee(n); g != nil && d.looksAway(g) {
				// The callee, and the arguments that count.
				d.function(g)
				i := 0
				for a := n.ArgumentExpressionList; a != nil; a = a.ArgumentExpressionList {
					if i >= len(d.unused[g]) || !d.unused[g][i] || !d.isFunction(a.AssignmentExpression) {
						d.text(a.AssignmentExpression)
					}
					i++
				}
				return false
			}
		case *cc.PrimaryExpression:
			if n.Case != cc.PrimaryExpressionIdent {
				break
			}
			if id, ok := n.ResolvedTo().(*cc.Declarator); ok {
				if g := d.funcs[id]; g != nil {
					d.function(g)
				} else if o := d.byVar[d.vars[id]]; o != nil {
					d.object(o)
				}
			}
		}
		return true
	})
}

// isFunction reports whether the argument e is nothing but the name of a function.
func (d *keeper) isFunction(e cc.ExpressionNode) bool {
	id := identifier(e)
	if id == nil {
		return false
	}
	declarator, _ := id.ResolvedTo().(*cc.Declarator)
	return declarator != nil && d.funcs[declarator] != nil
}

// looksAway reports whether there is a parameter of the static function f that its body does not mention, and
// fills unused.
func (d *keeper) looksAway(f *function) bool {
	if f.def == nil || f.key == f.name || f.weak {
		return false
	}
	list, known := d.unused[f]
	if !known {
		mentioned := map[string]bool{}
		ctree.Walk(f.def.CompoundStatement, func(n cc.Node) bool {
			if id, ok := n.(*cc.PrimaryExpression); ok && id.Case == cc.PrimaryExpressionIdent {
				mentioned[id.Token.SrcStr()] = true
			}
			return true
		})
		for _, q := range f.typ.Parameters() {
			list = append(list, q.Name() == "" || !mentioned[q.Name()])
		}
		d.unused[f] = list
	}
	for _, is := range list {
		if is {
			return true
		}
	}
	return false
}

// inAssembly reports whether instructions in kept functions may name f.
func (d *keeper) inAssembly(f *function) bool {
	for _, text := range d.assembly {
		if strings.Contains(text, f.name) {
			return true
		}
	}
	return false
}
