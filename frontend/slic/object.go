package slic

import (
	"slices"

	"c2bp/frontend/slic/syntax"
)

// This file writes the C text that is about the object of a rule.
//
//	lock$watch     the address of the object that is watched, &lock$none if none is
//	lock$alive     whether it has begun and not ended; only if events begin or end objects

// watched returns the condition that the object at the C expression p is watched, or that any is if p is "".
func (r *Rule) watched(p string) string {
	alive := ""
	if len(r.Lives) > 0 {
		alive = r.global("alive")
	}
	switch {
	case p == "" || p == r.watchName()[r.Object.Name.Text]:
		if alive != "" {
			return alive
		}
		return r.global("watch") + " != &" + r.global("none")
	case alive != "":
		return alive + " && (void *)" + p + " == " + r.global("watch")
	}
	// As long as none is watched, such an event leaves the state as it is. The conditions of a path do not say that
	// no pointer from outside leads to lock$none: it would seem that an event before the choice of the object is one
	// of it.
	is, some := "(void *)"+p+" == "+r.global("watch"), r.global("watch")+" != &"+r.global("none")
	if r.unbound() {
		return some + " && " + is
	}
	return is + " && " + some
}

// unbound reports whether the rule has an event, but a moment such as the end, that is one of each object.
func (r *Rule) unbound() bool {
	return slices.ContainsFunc(r.Handlers, func(h *syntax.Handler) bool {
		return slices.ContainsFunc(h.Events, func(e *syntax.Point) bool { return !e.Binds(r.Object.Name.Text) })
	})
}

// watchName returns the C names of the names that are known everywhere in the rule: the object's.
func (r *Rule) watchName() map[string]string {
	if r.Object == nil {
		return map[string]string{}
	}
	return map[string]string{r.Object.Name.Text: "((" + r.Object.Type.String() + ")" + r.global("watch") + ")"}
}

// bodies returns the statements that are executed for u.
func (u use) bodies(r *Rule) (list []syntax.Stmt) {
	switch {
	case u.step != "":
		return nil
	case u.handler != nil:
		return []syntax.Stmt{u.handler.Body}
	case u.life.Death:
		for _, h := range r.Handlers {
			if h.Has(syntax.AtDeath) {
				list = append(list, h.Body)
			}
		}
	}
	if u.life.If != nil {
		list = append(list, &syntax.Assume{Cond: u.life.If})
	}
	return list
}

// use writes the body of a handler, or the begin or end of an object, for the function at whose event it is.
func (w *writer) use(u use) {
	r := w.rule
	w.cText.stmt = ""
	if u.depth != "" {
		w.putf(u.event.Pos, "if (%s == 1) {\n", u.depth)
		u.depth = ""
		w.use(u)
		w.put(u.event.Pos, "}\n")
		return
	}
	switch {
	case u.step != "":
		w.stepDepth(u)
	case u.life != nil:
		w.life(u.life)
	case r.Object == nil:
		w.stmt(u.handler.Body)
	default:
		w.cText.stmt = ""
		w.putf(u.handler.Pos, "if (%s) {\n", r.watched(w.names[r.Object.Name.Text]))
		w.stmt(u.handler.Body)
		w.put(u.handler.Pos, "}\n")
	}
}

// life writes the begin of an object, with initial values of its state, or its end.
func (w *writer) life(l *syntax.Life) {
	r := w.rule
	w.cText.stmt = ""
	object := w.names[r.Object.Name.Text]
	if !l.Death {
		w.putf(l.Pos, "if ((void *)%s == %s", object, r.global("watch"))
	} else {
		w.putf(l.Pos, "if (%s", r.watched(object))
	}
	if l.If != nil {
		w.put(l.If.At(), " && (")
		w.expr(l.If)
		w.put(l.If.At(), ")")
	}
	w.put(l.Pos, ") {\n")
	if l.Death {
		w.atDeath()
		w.putf(l.Pos, "%s = 0;\n", r.global("alive"))
	} else {
		w.reset()
		w.putf(l.Pos, "%s = 1;\n", r.global("alive"))
	}
	w.put(l.Pos, "}\n")
}

// atDeath writes the bodies for the death of an object.
func (w *writer) atDeath() {
	for _, h := range w.rule.Handlers {
		if h.Has(syntax.AtDeath) {
			w.stmt(h.Body)
		}
	}
}

// die writes the end of the place of the object: nothing is watched from then on.
func (w *writer) die() {
	r := w.rule
	w.cText.stmt = ""
	w.putf(r.Object.Name.Pos, "if (%s) {\n", r.watched(""))
	w.names = r.watchName()
	w.atDeath()
	w.put(r.Object.Name.Pos, "}\n")
	w.putf(r.Object.Name.Pos, "%s = &%s;\n", r.global("watch"), r.global("none"))
	if len(r.Lives) > 0 {
		w.putf(r.Object.Name.Pos, "%s = 0;\n", r.global("alive"))
	}
}
