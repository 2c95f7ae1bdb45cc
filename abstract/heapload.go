package abstract

import (
	"context"
	"fmt"

	"c2bp/abstract/refs"
	"c2bp/boolprog"
	"c2bp/frontend/core"
)

// This file assigns the references that a node needs for the pointers that it follows, before the node.

// tempName returns the name of reference i of a node for pointers that no variable holds.
func tempName(c *refs.Class, i int) string { return fmt.Sprintf("{ref %d to %s}", i, c.Name) }

// enter returns the statements before a node that follows pointers: none of them is null, since a run
// that follows null ends there. One pointer, but, may be null.
func (s *scope) enter(ctx context.Context, fs []follow, but core.Expr) (out []*boolprog.Stmt, err error) {
	for i, f := range fs {
		load, err := s.load(ctx, f, fs[:i])
		if err != nil {
			return nil, err
		}
		out = append(out, load...)
		open := but != nil && core.Equal(f.pointer, but)
		if !f.sure && !open && (f.steps == nil || !f.steps.mayBeNull) {
			out = append(out, f.there(fs[:i])...)
		}
	}
	return out, nil
}

// notNull returns the condition that a reference is not null.
func notNull(name string) boolprog.Expr {
	return &boolprog.Binary{Op: boolprog.Ne, X: &boolprog.Ref{Name: name}, Y: &boolprog.Null{}}
}

// from returns the pointer from which a way leads to the object; nil if there is none.
func (f follow) from() core.Expr {
	if f.steps == nil {
		return nil
	}
	return f.steps.from
}

// there returns the assumption that a pointer leads to an object, and to the one that a way leads to.
func (f follow) there(before []follow) []*boolprog.Stmt {
	if f.steps == nil {
		return []*boolprog.Stmt{assumption(notNull(f.name))}
	}
	from, _ := find(before, f.steps.from)
	return f.steps.reached(f.name, from.name)
}

// assumption returns the statement that assumes a condition.
func assumption(cond boolprog.Expr) *boolprog.Stmt {
	return &boolprog.Stmt{Op: &boolprog.Assume{Cond: cond}}
}

// reached returns the assumptions that the reference to is where a way from another one leads: each of a part and its
// owner leads to the other.
func (x *step) reached(to, from string) []*boolprog.Stmt {
	back := &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Select{X: &boolprog.Ref{Name: to}, Field: x.field(!x.down)}, Y: &boolprog.Ref{Name: from}}
	return []*boolprog.Stmt{assumption(notNull(to)), assumption(back)}
}

// field returns the name of the field that a way follows.
func (x *step) field(down bool) string {
	if down {
		return x.Down()
	}
	return x.Up()
}

// loadStep returns the statements that assign the reference that a way leads to. That of a pointer which may be null
// is null then:
//
//	if (*) then assume(p != null); t := p.{&lock}; assume(t != null); assume(t.{in dev} = p);
//	else assume(p = null); t := null;
//	fi
func (h *heap) loadStep(f follow, before []follow) []*boolprog.Stmt {
	x, to := f.steps, &boolprog.Ref{Name: f.name}
	along := func(from string) *boolprog.Stmt {
		return assignRef(to, &boolprog.Select{X: &boolprog.Ref{Name: from}, Field: x.field(x.down)})
	}
	if !x.mayBeNull {
		from, _ := find(before, x.from)
		return []*boolprog.Stmt{along(from.name)}
	}
	c := x.Owner
	if !x.down {
		c = x.Class
	}
	var from string
	if f, ok := find(before, x.from); ok {
		from = f.name
	} else {
		from = h.refName(x.from.(*core.VarRef).Var, c)
	}
	isNull := &boolprog.Binary{Op: boolprog.Eq, X: &boolprog.Ref{Name: from}, Y: &boolprog.Null{}}
	return []*boolprog.Stmt{oneOf([][]*boolprog.Stmt{
		append([]*boolprog.Stmt{assumption(notNull(from)), along(from)}, x.reached(f.name, from)...),
		{assumption(isNull), assignRef(to, &boolprog.Null{})},
	})}
}

// load returns the statements that assign the reference of a follow, where no other holds the pointer.
func (s *scope) load(ctx context.Context, f follow, before []follow) ([]*boolprog.Stmt, error) {
	if f.kept {
		return nil, nil
	}
	ref := &boolprog.Ref{Name: f.name}
	index, choices := s.a.heap.plan.Choices(f.pointer)
	switch {
	case f.steps != nil:
		return s.a.heap.loadStep(f, before), nil
	case len(choices) > 0:
		st, err := s.choose(ctx, f, index, choices, before)
		return []*boolprog.Stmt{st}, err
	case index != nil:
		return []*boolprog.Stmt{assignRef(ref, &boolprog.Any{Class: f.class.Name, New: true})}, nil
	}
	return []*boolprog.Stmt{assignRef(ref, s.a.heap.read(f.pointer, f.class, before))}, nil
}

// choose returns the statement that makes the reference of a follow the element of an array that an index
// chooses:
//
//	if (*) then assume({i == 0}); ref := {&tab[0]};
//	else assume({i == 1}); ref := {&tab[1]};
//	fi
func (s *scope) choose(ctx context.Context, f follow, index *core.Index, choices []refs.Spot, before []follow) (*boolprog.Stmt, error) {
	x := s.withHeap(s.a.heap.atoms(before, nil))
	var arms [][]*boolprog.Stmt
	ref := &boolprog.Ref{Name: f.name}
	add := func(cond core.Expr, value boolprog.Expr) error {
		when, err := x.assume(ctx, s.tr.Cond(cond))
		if err != nil {
			return err
		}
		arms = append(arms, append(withoutSkips(when), assignRef(ref, value)))
		return nil
	}
	// 1. Each element.
	for i, c := range choices {
		if err := add(indexIs(index, i), &boolprog.Ref{Name: objectName(c)}); err != nil {
			return nil, err
		}
	}
	// 2. The address just after the last one, which may be computed.
	if !f.inside && index.Count != int64(len(choices)) {
		if err := add(indexIs(index, len(choices)), &boolprog.Any{Class: choices[0].Class.Name, New: true}); err != nil {
			return nil, err
		}
	}
	s.limited = s.limited || x.limited
	return oneOf(arms), nil
}

// indexIs returns the condition that an index is i.
func indexIs(index *core.Index, i int) core.Expr {
	number, typ := index.I, index.I.Type().(core.Int)
	if typ.Bits < 8 { // it need not have the value
		typ = core.Int32
		number = &core.Conv{X: number, To: typ}
	}
	return &core.Binary{Op: core.Eq, X: number, Y: core.NewConst(int64(i), typ)}
}
