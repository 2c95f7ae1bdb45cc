package zingcheck

import (
	"c2bp/frontend/zing"
	"c2bp/source"
)

// This file warns of events that nobody sees.

// HiddenEvents returns warnings about selects whose events are not seen: those that are not visible although they have
// events, and those that are visible and have none.
func HiddenEvents(p *zing.Program) (list source.List) {
	warn := func(n zing.Node, text string) {
		for _, f := range p.Files {
			if f.Name == n.Pos().File {
				d := f.Errorf(n.Pos(), "%s", text)
				d.Severity = source.Warning
				list.Add(d)
			}
		}
	}
	zing.InspectProgram(p, func(n zing.Node) bool {
		s, is := n.(*zing.Select)
		if !is {
			return true
		}
		any := false
		for _, j := range s.Joins {
			for _, pattern := range j.Patterns {
				if _, is := pattern.(*zing.EventPattern); is {
					if any = true; !s.Visible {
						warn(pattern, "this event is hidden, as the select is not visible")
					}
				}
			}
		}
		if s.Visible && !any {
			warn(s, "the select is visible and has no event: its steps are hidden")
		}
		return true
	})
	list.Sort()
	return list
}
