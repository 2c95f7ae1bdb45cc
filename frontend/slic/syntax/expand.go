package syntax

// This file makes rules of uses of parametrised rules.

// instance returns the rule that u makes of r. Names of functions that are formals of r are replaced;
// bodies mention none, and are shared.
func instance(r *Rule, u *Use) *Rule {
	of := map[string]Name{}
	for i, f := range r.Formals {
		of[f.Text] = u.Args[i]
	}
	with := func(n Name) Name {
		if a, ok := of[n.Text]; ok {
			return Name{a.Text, n.Pos}
		}
		return n
	}
	point := func(e *Point) *Point {
		q := *e
		q.Func = with(e.Func)
		return &q
	}
	c := &Rule{Name: u.As, Title: u.Title}
	if c.Title == "" {
		c.Title = r.Title
	}
	// Items that name functions are copied.
	for _, i := range r.Items {
		switch x := i.(type) {
		case *Applies:
			a := &Applies{}
			for _, f := range x.Funcs {
				a.Funcs = append(a.Funcs, with(f))
			}
			i = a
		case *On:
			on := *x
			on.Events = nil
			for _, e := range x.Events {
				on.Events = append(on.Events, point(e))
			}
			i = &on
		case *Life:
			l := *x
			l.Event = point(x.Event)
			i = &l
		}
		c.Items = append(c.Items, i)
	}
	return c
}
