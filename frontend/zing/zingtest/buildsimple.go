package zingtest

import "c2bp/frontend/zing"

// This file makes one block of a sequence of simple statements in an atomic region.

// simple reports whether a statement is an assignment without call or choice, a declaration, an
// async call, or an if, while or braces made of these alone.
func simple(s zing.Stmt) bool {
	switch s := s.(type) {
	case *zing.AssignStmt, *zing.Declare, *zing.Async:
		return true
	case *zing.If:
		return simple(s.Then) && (s.Else == nil || simple(s.Else))
	case *zing.While:
		return simple(s.Body)
	case *zing.Block:
		for _, inner := range s.Stmts {
			if !simple(inner) {
				return false
			}
		}
		return true
	}
	return false
}

// sequence builds one block for simple statements, or none if they do nothing.
func (b *builder) sequence(stmts []zing.Stmt, at context, next *block) *block {
	for _, s := range stmts {
		if !idle(s) {
			return b.action("sequence", at, stmts[0], next, func(r *run) {
				for _, s := range stmts {
					r.simple(s)
				}
			})
		}
	}
	return next
}

// idle reports whether a simple statement does nothing.
func idle(s zing.Stmt) bool {
	switch s := s.(type) {
	case *zing.Declare:
		return s.Init == nil
	case *zing.Block:
		for _, inner := range s.Stmts {
			if !idle(inner) {
				return false
			}
		}
		return true
	}
	return false
}

// simple executes a simple statement.
func (r *run) simple(s zing.Stmt) {
	switch s := s.(type) {
	case *zing.Declare:
		if s.Init != nil {
			v := r.eval(s.Init)
			r.frame().locals[s.Local.Index] = v
		}
	case *zing.AssignStmt:
		r.assign(s)
	case *zing.Async:
		f := r.newFrame(s.Call, true)
		r.state.processes = append(r.state.processes, &process{stack: []*frame{f}})
	case *zing.If:
		if r.truth(s.Cond) {
			r.simple(s.Then)
		} else if s.Else != nil {
			r.simple(s.Else)
		}
	case *zing.While:
		for r.truth(s.Cond) {
			r.count(s)
			r.simple(s.Body)
		}
	case *zing.Block:
		for _, inner := range s.Stmts {
			r.simple(inner)
		}
	}
}
