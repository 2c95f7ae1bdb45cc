package rules

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/refine"
)

// This file finds rows that hold since no run comes to anything that the rule is about. A driver whose configuration leaves out
// the bus that it is for may be such a program:
//
//	int init_module(void)
//	{
//		return register_rpmsg_driver(&driver);      -ENXIO in this configuration
//	}
//
// So may a driver be whose objects the harness cannot make. That its locks are right is true then, but tells a reader nothing of
// the driver: the row is open. With a harness, one function that is never called is enough for that: its locks are right only
// because nobody comes to them. A program with a main of its own may have functions that it never calls.

// unentered returns the functions in which the rule has events and that no run of the program enters, as the last abstraction
// of o shows; all says that these are all that it has events in.
func (w *row) unentered(o *refine.Outcome) (list []string, all bool) {
	if o.Analysis == nil || o.Analysis.Solution == nil {
		return nil, false
	}
	entered := map[string]bool{}
	for _, p := range o.Analysis.Graph.Procs {
		entered[p.Proc.Name] = o.Analysis.Solution.Reached(checker.Point{Proc: p.Index, Node: p.Entry})
	}
	all = true
	for _, m := range w.rule.Sites {
		if m.Proc == "" {
			continue // the initialiser of a variable
		}
		is, known := entered[m.Proc]
		all = all && known && !is
		// Each function once, with the first place.
		if known && !is && !slices.ContainsFunc(list, func(f string) bool { return strings.HasPrefix(f, m.In+" (") }) {
			list = append(list, place(m))
		}
	}
	return list, all
}

// place is a function of the program with the place of an event in it.
func place(m frontend.Mention) string { return fmt.Sprintf("%s (%s:%d)", m.In, m.Pos.File, m.Pos.Line) }

// lookInside makes the row an open one if it holds since no run comes to functions that the rule is about.
func (w *row) lookInside(o *refine.Outcome, harnessed bool) {
	list, all := w.unentered(o)
	switch {
	case len(list) == 0 || w.site.Open:
	case all:
		w.site.Open, w.site.Reason = true, "vacuous: no run calls "+strings.Join(list, ", ")
	case harnessed:
		w.site.Open, w.site.Reason = true, "vacuous in part: no run calls "+strings.Join(list, ", ")
	}
}
