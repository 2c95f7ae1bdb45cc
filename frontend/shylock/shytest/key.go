package shytest

import (
	"encoding/binary"
	"slices"

	"c2bp/frontend/shylock"
)

// This file compares configurations.

// key returns a text that two configurations of a program have in common if and only if they are equal up to the
// identities of objects. stmts numbers the statements.
func (s *state) key(stmts map[shylock.Stmt]int) string {
	var b []byte
	number := map[int]int{}
	var order []int
	object := func(n int) {
		if n != 0 && number[n] == 0 {
			order = append(order, n)
			number[n] = len(order)
		}
		b = binary.AppendUvarint(b, uint64(number[n]))
	}
	list := func(l []int) {
		for _, n := range l {
			object(n)
		}
	}
	// 1. Variables, and what is to be done, from the next statement on.
	list(s.globals)
	object(s.result)
	list(s.locals)
	for _, x := range slices.Backward(s.todo) {
		if x.stmt != nil {
			if stmts[x.stmt] == 0 {
				stmts[x.stmt] = len(stmts) + 1
			}
			b = binary.AppendUvarint(b, uint64(stmts[x.stmt]))
			continue
		}
		b = append(b, 0)
		if x.to != nil {
			b = binary.AppendUvarint(append(b, byte(x.to.Kind)), uint64(x.to.Index))
		}
		b = append(b, 0xff)
		list(x.saved)
	}
	// 2. Objects.
	for i := 0; i < len(order); i++ {
		list(s.links[order[i]])
	}
	return string(b)
}

// Visible returns the objects that globals and the locals of the present procedure lead to.
func (s *state) Visible() (order []int) {
	seen := map[int]bool{0: true}
	visit := func(list []int) {
		for _, n := range list {
			if !seen[n] {
				seen[n] = true
				order = append(order, n)
			}
		}
	}
	visit(s.globals)
	visit([]int{s.result})
	visit(s.locals)
	for i := 0; i < len(order); i++ {
		visit(s.links[order[i]])
	}
	return order
}
