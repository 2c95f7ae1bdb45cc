package finite

import (
	"fmt"
	"slices"

	"c2bp/boolprog"
	"c2bp/internal/graph"
	"c2bp/source"
)

// This file finds the objects of a program.

// MostObjects is the number of objects up to which a program is translated.
const MostObjects = 48

// object is one of the objects that a run may make.
type object struct {
	class   *boolprog.Class
	name    string // "Box 1"
	outside bool   // it comes from outside: its references are undecided when it appears
	before  int    // the object that its site takes before it, or none; see within
	flag    string // the variable that says that it was made; "" if nobody asks
}

const none = -1

// field is a field of a class.
type field struct{ class, name string }

// heap is the objects of a program.
type heap struct {
	g       *boolprog.Graph
	places  [][]place
	objects []object
	ofClass map[string]set
	chosen  map[string]bool // classes from which objects are chosen
	outside map[string]bool // classes of which there are objects from outside
	dead    map[field]bool  // fields that are made arbitrary in all objects
	owned   map[owner]int   // the object that a field of an object from outside makes
}

// owner is a field of an object.
type owner struct {
	object int
	field  string
}

// RefusedError says why a program is not translated.
type RefusedError struct {
	Pos source.Pos // in the .bp text, if one place is the reason
	Why string
}

func (e *RefusedError) Error() string { return e.Why }

// newHeap finds the objects of g. It fails with a *RefusedError.
func newHeap(g *boolprog.Graph) (*heap, error) {
	h := &heap{g: g, places: sites(g), ofClass: map[string]set{}, chosen: map[string]bool{}, outside: map[string]bool{}, dead: map[field]bool{}, owned: map[owner]int{}}
	h.findOutside()
	if err := h.refuse(); err != nil {
		return nil, err
	}
	// 1. The objects that sites make, one by one.
	own := h.owners()
	var reads []*site
	for s := range h.sites {
		_, isRead := s.expr.(*boolprog.Select)
		switch {
		case isRead && (!h.isUndecided(field{s.from, s.expr.(*boolprog.Select).Field}) || own[field{s.from, s.expr.(*boolprog.Select).Field}]):
		case s.count >= unbounded:
			return nil, &RefusedError{s.pos(), fmt.Sprintf("the number of objects of class %s has no bound, since this is in a loop or in recursion", s.class)}
		case isRead:
			reads = append(reads, s)
		default:
			_, isNew := s.expr.(*boolprog.New)
			if err := h.make(s, !isNew); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range reads {
		if err := h.make(s, true); err != nil {
			return nil, err
		}
	}
	// 2. One object for each field that owns what is chosen for it: classes before those that their fields
	// lead to. The list grows on the way.
	for _, c := range h.sources(own) {
		for i := 0; i < len(h.objects); i++ {
			if h.objects[i].class != c || !h.objects[i].outside {
				continue
			}
			for _, f := range c.Fields {
				if !own[field{c.Name, f.Name}] {
					continue
				}
				o, err := h.add(f.Class, true)
				if err != nil {
					return nil, err
				}
				h.owned[owner{i, f.Name}] = o
			}
		}
	}
	return h, nil
}

// sites calls visit for each site that is executed, in program order.
func (h *heap) sites(visit func(*site) bool) {
	for _, nodes := range h.places {
		for _, at := range nodes {
			for _, s := range slices.Concat(at.clause, at.stmt) {
				if s.count > 0 && !visit(s) {
					return
				}
			}
		}
	}
}

// findOutside finds the fields that are made arbitrary, and the classes of objects from outside.
func (h *heap) findOutside() {
	for _, p := range h.g.Procs {
		for _, n := range p.Nodes {
			if n.Dead == nil {
				continue
			}
			for _, r := range n.Dead.Fields {
				h.dead[field{r.Name, r.Field}] = true
			}
		}
	}
	for s := range h.sites {
		if _, is := s.expr.(*boolprog.Any); is {
			h.outside[s.class] = true
		}
	}
	// What undecided references lead to comes from outside, too, if somebody reads them.
	for grew := true; grew; {
		grew = false
		for s := range h.sites {
			e, is := s.expr.(*boolprog.Select)
			if is && !h.outside[s.class] && h.isUndecided(field{s.from, e.Field}) {
				h.outside[s.class], grew = true, true
			}
		}
	}
	for s := range h.sites {
		switch e := s.expr.(type) {
		case *boolprog.Any:
			h.chosen[s.class] = true
		case *boolprog.Select:
			h.chosen[s.class] = h.chosen[s.class] || h.isUndecided(field{s.from, e.Field})
		}
	}
}

// isUndecided reports whether a field that is a reference may be undecided in some object.
func (h *heap) isUndecided(f field) bool { return h.dead[f] || h.outside[f.class] }

// undecides reports whether a field that is a reference may be undecided in an object.
func (h *heap) undecides(o int, f *boolprog.Field) bool {
	return h.dead[field{h.objects[o].class.Name, f.Name}] || h.objects[o].outside
}

// refuse returns a *RefusedError for programs that choose in ways that are not translated.
func (h *heap) refuse() error {
	for _, nodes := range h.places {
		for _, at := range nodes {
			any := map[string]bool{} // classes from which a right side was chosen
			for _, s := range at.stmt {
				e, isAny := s.expr.(*boolprog.Any)
				read, isRead := s.expr.(*boolprog.Select)
				switch {
				case s.count == 0:
				case isAny && !e.New:
					return &RefusedError{s.pos(), "it chooses among the objects that variables lead to"}
				case any[s.class] && (isAny || isRead && h.isUndecided(field{s.from, read.Field})):
					return &RefusedError{s.pos(), fmt.Sprintf("it chooses two objects of class %s in one statement", s.class)}
				case isAny:
					any[s.class] = true
				}
			}
		}
	}
	return nil
}

// make makes the objects of a site.
func (h *heap) make(s *site, outside bool) error {
	for range s.count {
		o, err := h.add(s.class, outside)
		if err != nil {
			return err
		}
		if n := len(s.objects); n > 0 {
			h.objects[o].before = s.objects[n-1]
		}
		s.objects = append(s.objects, o)
	}
	return nil
}

// add adds an object, and returns its number.
func (h *heap) add(class string, outside bool) (int, error) {
	o := len(h.objects)
	if o == MostObjects {
		return 0, &RefusedError{Why: fmt.Sprintf("there may be more than %d objects", MostObjects)}
	}
	name := fmt.Sprintf("%s %d", class, h.ofClass[class].size()+1)
	h.objects = append(h.objects, object{class: h.g.Prog.Class(class), name: name, outside: outside, before: none})
	h.ofClass[class] |= one(o)
	return o, nil
}

// owners returns the fields that make an object each when they are read: those that are undecided only when
// their object appears, and whose objects do not lead back to their class. The reads of such a field may be
// in loops.
func (h *heap) owners() map[field]bool {
	own := map[field]bool{}
	reach := h.leads()
	for s := range h.sites {
		e, is := s.expr.(*boolprog.Select)
		if !is {
			continue
		}
		if f := (field{s.from, e.Field}); h.isUndecided(f) && !h.dead[f] && !reach(s.class, s.from) {
			own[f] = true
		}
	}
	return own
}

// leads returns a function that reports whether objects of one class lead to another, through undecided
// references that are read.
func (h *heap) leads() func(from, to string) bool {
	next := map[string][]string{}
	for s := range h.sites {
		if e, is := s.expr.(*boolprog.Select); is && h.isUndecided(field{s.from, e.Field}) && !slices.Contains(next[s.from], s.class) {
			next[s.from] = append(next[s.from], s.class)
		}
	}
	return func(from, to string) bool {
		seen := []string{from}
		for i := 0; i < len(seen); i++ { // the list grows on the way
			if seen[i] == to {
				return true
			}
			for _, c := range next[seen[i]] {
				if !slices.Contains(seen, c) {
					seen = append(seen, c)
				}
			}
		}
		return false
	}
}

// sources returns the classes, each before those that its owning fields lead to.
func (h *heap) sources(own map[field]bool) []*boolprog.Class {
	classes := h.g.Prog.Classes
	index := map[string]int{}
	all := make([]int, len(classes))
	for i, c := range classes {
		all[i], index[c.Name] = i, i
	}
	post := graph.Postorder(len(classes), all, func(i int) (list []int) {
		for _, f := range classes[i].Fields {
			if own[field{classes[i].Name, f.Name}] {
				list = append(list, index[f.Class])
			}
		}
		return list
	})
	out := make([]*boolprog.Class, 0, len(classes))
	for _, i := range slices.Backward(post) {
		out = append(out, classes[i])
	}
	return out
}
