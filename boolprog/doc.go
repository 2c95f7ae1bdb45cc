// Package boolprog is the language of Boolean programs: the text that the abstraction writes and
// that the checkers read (files .bp). It reads the dialects of Bebop, Boppo, Boom, Moped and
// Getafix, prints one canonical form, checks names, types and arities, and builds control-flow
// graphs. docs/boolean-programs.md describes the language for users; it is that of Ball–Rajamani
// 2000, §2, with additions of later tools, and with the references of Qadeer–Rajamani 2005, §4.
//
// It is not a checker: nothing here decides what is reachable. Packages bpexec and, for
// programs with references or threads, refexec and threadexec are the semantics, executed by
// brute force; package bpgen makes random programs.
//
// There are three phases, each a function:
//
//	Parse       text → *Program, or a source.List of syntax errors; and warnings
//	Check       *Program → source.List of errors in names, types, arities, labels; and warnings
//	BuildGraph  *Program that passed Check → *Graph; never fails
//
// A Program that was built and not parsed needs Check, too; String and Fprint print it.
// Parse(Print(Parse(x))) equals Parse(x) for every program x. Annotations (//@ comments) survive
// it. No verdict depends on them.
//
// Statements and their nodes:
//
//	statement                node      evaluates            leads to
//	skip, print(e)           Skip      nothing              the next statement
//	goto L, M                Skip      nothing              any of the labels
//	x, y := e, f             Assign    e, f, then constrain the next, if constrain can hold
//	x, y.f := new C, e       Assign    e, y                 the next
//	x, _ := p(e)             Call      e                    the entry of p; then the next
//	return e                 Return    e                    Exit
//	assume(e), abortif e     Assume    e or !e              the next, if it can hold
//	assert(e)                Assert    e                    the next, if it can hold; else it fails
//	if (e), elsif (e)        Branch    e                    then-part; the next elsif, else-part
//	while (e)                Branch    e                    body; the next statement
//	dead x                   Dead      nothing              the next, with any value of x
//	end of a procedure       Return *  nothing              Exit; only if there are results
//	start_thread goto L      Start     nothing              the next; a thread begins at L
//	start_thread p(e)        Start     e                    the next; a thread enters p
//	end_thread               End       nothing              nowhere
//	atomic_begin, _end       Skip      nothing              the next, inside or outside of a section
//
// async p(e) is start_thread p(e); package checker/threads has the meaning of all these. A graph with
// one of them is refused by Graph.WithoutThreads where runs are sequential.
//
// A statement that evaluates x.f with x null has no successor. Program.HasReferences reports
// whether a program has references; an engine without references refuses it by
// Program.WithoutReferences, since it would take references for Booleans.
//
// For example, from
//
//	decl g;
//	bool f(x) begin
//	  while (x) do g, x := x, *; od
//	  return g;
//	end
//	void main() begin decl h; h := f(1); assert(h); end
//
// the graph of f has the nodes
//
//	0  branch x             successors 1 and 2
//	1  g, x := x, *         successor 0
//	2  return g             successor 3
//	3  exit
//
// Errors look like this (package source):
//
//	f.bp:3:19: error: variable "y" is not declared
//	      while (x) do g, y := x, *; od
//	                      ^
package boolprog
