package alias

import (
	"slices"

	"c2bp/frontend/core"
)

// This file says which objects a statement may free, and which are characters, by what pointers are declared to lead to.
//
//	kfree(slot->irq)      a struct irq *, from outside: not the struct board that was given away
//	kfree(board->name)    a char *, from outside, that is followed as nothing else: likewise
//	kfree(dev->data)      a void *: whatever is known outside
//
// A pointer that is freed leads to the start of an object, so that it leads to no struct of which one of its type is no part at
// the start, unless the program lays the two over each other (overlay.go).

// MayFree reports whether s may free an object that site allocates: a pointer may lead there by its points-to set or,
// if it comes from outside and others know the object, by the type that it is declared with. assumed is the line of the
// ledger on which the answer no rests, if any.
func (r *Result) MayFree(s *core.Free, site *core.Alloc) (may bool, assumed string) {
	targets := r.PointsTo(s.Ptr)
	// 1. As the program's own pointer.
	if slices.ContainsFunc(targets.Targets(), func(t Target) bool { return t.Object.Site == site }) {
		return true, ""
	}
	object, known := r.solver.site[site]
	if known && (!targets.Outside() || !r.solver.objects[object].Escaped) {
		return false, ""
	}
	// 2. From outside, to the start of an object of its type.
	switch l, _ := s.Ptr.(core.Loc); {
	case core.DeclaredRecord(l) != nil:
		may, assumed = r.MayUse(nil, site, 0, shapeOf(core.DeclaredRecord(l))), assumeTypes
	case r.leadsToCharacters(l):
		may, assumed = r.MayUse(nil, site, 0, characters.shape), assumeChars
	default:
		may = true
	}
	if may {
		return true, ""
	}
	return false, assumed
}

// AssumesText returns the line of the ledger on which it rests that nothing but characters is in o, "" if it does not.
func (r *Result) AssumesText(o *Object) string {
	if r.follows != nil && r.follows.isCharacters(o) {
		return assumeChars
	}
	return ""
}

// isCharacters reports whether the objects of o are allocated as characters that are in no number and no pointer, and used
// as nothing else.
func (f *follows) isCharacters(o *Object) bool {
	return o.Site != nil && f.result.prog.CharsApart && f.characters[o.Site] && len(f.objects[o.id].of()) == 0
}

// leadsToCharacters reports whether the pointer at l, if it comes from outside, leads to characters that are in no number
// and no pointer: it is declared so, and followed as nothing else.
func (r *Result) leadsToCharacters(l core.Loc) bool {
	if r.follows == nil || !r.prog.CharsApart || !toCharacters(l) {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for n := range r.solver.sets.all(r.eval(l)) {
		o := r.solver.addresses[n].object
		if r.solver.objects[o].Kind == Outside && !r.follows.isText(o, map[int]bool{}) {
			return false
		}
	}
	return true
}

// toCharacters reports whether the pointer at l is declared to lead to characters.
func toCharacters(l core.Loc) bool {
	switch l := l.(type) {
	case *core.VarRef:
		return l.Var.ToChars
	case *core.Mem:
		return l.ToChars
	}
	return false
}

// isText reports whether the values of an origin, and those that they may be, are followed as nothing but characters;
// seen is the roots that have been looked at.
func (f *follows) isText(object int32, seen map[int]bool) bool {
	if node, known := f.nodes[object]; known {
		return f.isTextAt(node, seen)
	}
	// What is freed only is read nowhere: the place counts.
	place, found := f.placeOf(object)
	return found && f.areTextsIn(place, seen)
}

// isTextAt is isText for the node of an origin.
func (f *follows) isTextAt(node int, seen map[int]bool) bool {
	root, _ := f.root(node)
	if seen[root] || len(f.list[root].list) > 0 {
		return !slices.ContainsFunc(f.usesOf(root), func(x follow) bool { return x.shape != characters.shape })
	}
	seen[root] = true
	// Nothing flows to values that nobody follows (isFollowed).
	return !slices.ContainsFunc(f.read, func(a readPlace) bool {
		at, _ := f.root(a.origin)
		return at == root && !f.areTextsIn(a.where, seen)
	})
}

// areTextsIn reports whether isText holds for all values that the program reads from places which may be w, or stores
// there.
func (f *follows) areTextsIn(w where, seen map[int]bool) bool {
	return !slices.ContainsFunc(f.read, func(a readPlace) bool { return f.overlap(a.where, w) && !f.isTextAt(a.origin, seen) }) &&
		!slices.ContainsFunc(f.stores, func(st store) bool { return f.overlap(st.where, w) && !f.areTexts(st.value, seen) })
}

// areTexts reports whether isText holds for the values in set that come from outside.
func (f *follows) areTexts(set setID, seen map[int]bool) bool {
	s := f.result.solver
	return !s.sets.contains(set, func(n int32) bool {
		o := s.addresses[n].object
		return s.objects[o].Kind == Outside && !f.isText(o, seen)
	})
}

// charactersAt returns the allocations whose results are declared to lead to characters, where they are first stored:
//
//	char *text = kmalloc(n, flags);      characters
//	dev->buffer = kmalloc(n, flags);     likewise, if that member is a char *
//
// or in the model itself, as memory for a device is.
func charactersAt(prog *core.Program) map[*core.Alloc]bool {
	sites := map[*core.Alloc]bool{}
	for _, p := range prog.Procs {
		// 1. Results of models in temporaries: where these are stored.
		stored := map[*core.Var][]core.Loc{}
		for _, n := range p.Nodes {
			if a, ok := n.Stmt.(*core.Assign); ok {
				for i, x := range a.Rhs {
					if v, ok := x.(*core.VarRef); ok && v.Var.Kind == core.Temp {
						stored[v.Var] = append(stored[v.Var], a.Lhs[i])
					}
				}
			}
		}
		// 2. Each place is a pointer to characters.
		for _, n := range p.Nodes {
			s, ok := n.Stmt.(*core.Alloc)
			if !ok {
				continue
			}
			places := []core.Loc{s.Lhs}
			if v, ok := s.Lhs.(*core.VarRef); ok && v.Var.Kind == core.Temp && !v.Var.ToChars {
				places = stored[v.Var]
			}
			sites[s] = len(places) > 0 && !slices.ContainsFunc(places, func(l core.Loc) bool { return !toCharacters(l) })
		}
	}
	return sites
}
