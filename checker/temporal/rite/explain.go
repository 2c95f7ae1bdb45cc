package rite

import (
	"fmt"
	"strings"
)

// This file explains why a heap satisfies an expression.

// Explain returns a line for each object from which a path must start: the shortest path, or that there is none.
// name gives the names of objects. Of
//
//	!first + first.next*.last
//
// it says for instance
//
//	A0: first -next-> A1 last
//	A1: !first
func (m *Matcher) Explain(h Heap, name func(object int) string) []string {
	p, _ := m.match(h)
	var lines []string
	from, to := m.starts(h)
	for o := from; o < to; o++ {
		lines = append(lines, m.explainAt(h, p, o, name))
	}
	if len(lines) == 0 {
		lines = append(lines, "there are no objects")
	}
	return lines
}

// explainAt tells the path from one object.
func (m *Matcher) explainAt(h Heap, p *paths, object int, name func(int) string) string {
	at := p.point(m.start, object)
	start := named(object, name) + ":"
	if object == Nil {
		start = "" // of no object
	}
	if p.next[at] == nowhere {
		return strings.TrimSpace(start + " no path")
	}
	// Follow the shortest path, and tell the step between two points.
	words := []string{start}
	for p.next[at] != finished {
		next := int(p.next[at])
		s, t, o, to := at/p.width, next/p.width, at%p.width-1, next%p.width-1
		for _, e := range m.states[s] {
			if got, ok := e.expr.from(h, o); !ok || got != to || e.to != t {
				continue
			}
			switch e.expr.Kind {
			case Empty:
			case Field:
				words = append(words, fmt.Sprintf("-%s-> %s", e.expr.Name, named(to, name)))
			default:
				words = append(words, e.expr.step())
			}
			break
		}
		at = next
	}
	if len(words) == 1 {
		words = append(words, "ε")
	}
	return strings.TrimSpace(strings.Join(words, " "))
}

// named returns the name of an object.
func named(object int, name func(int) string) string {
	if object == Nil {
		return "nil"
	}
	return name(object)
}
