// Package certificate defines proofs that a C program is safe, and validates them. A
// certificate has, for each procedure, predicates (core expressions) and, for each node,
// an invariant: a Boolean combination of the predicates that holds whenever control
// reaches the node. It is a text; for
//
//	int x;
//	void inc(void) { x = x + 1; }
//	int main(void) { x = 1; inc(); assert(x == 2); return 0; }
//
// it reads, comments left out,
//
//	(certificate 1
//	  (global
//	    (predicate g0 (== (var x) (const int32 2)))
//	    (predicate g1 (== (var x) (const int32 1))))
//	  (procedure inc
//	    (node 0 (iff g1 (entry g1)))
//	    (node 1 (iff g0 (entry g1))))
//	  (procedure main
//	    (node 0 true)
//	    (node 1 true)
//	    (node 2 g1)
//	    (node 3 g0)
//	    (node 4 true)
//	    (node 5 true)))
//
// An invariant may also contain (entry p), the truth of a predicate over formals and globals
// when the procedure was entered. So the invariant of the return node is a summary: it
// relates the states before and after a call.
//
// Invariants may have parts in common, and a [Formula] is a graph: without sharing, a
// decision diagram of some hundred nodes can take gigabytes. In the text, after
// the predicates of a procedure, (formula f0 F) defines the name f0 of the formula F
// from there to the end of the procedure:
//
//	(procedure main
//	  (predicate p0 …) (predicate p1 …) (predicate p2 …)
//	  (formula f0 (or (and p0 (not p1)) (and p1 (not p0))))
//	  (node 0 (iff p2 f0))
//	  (node 1 (and p2 f0))
//
// The writer names long formulas that occur several times; the reader accepts names of any
// formula.
//
// # What is proved
//
// [Validate] asks the prover one question for each of these; Iₙ is the invariant of node n
// of procedure Q, ⟹ is in all states:
//
//	the entry            in main, true ⟹ I₀, with (entry p) the same as p
//	n: s -> m            Iₙ ⟹ WP(s, Iₘ); for an assumption c, Iₙ & c ⟹ Iₘ
//	n: assert c          Iₙ ⟹ c
//	n with error label   Iₙ ⟹ false
//	n: l := R(a) -> m    Iₙ ⟹ I₀ of R, with actuals for formals; and
//	                     Iₙ before the call & I_exit of R ⟹ WP(l := \result, Iₘ)
//	n: l := ext(a) -> m  Iₙ before the call ⟹ WP(l := \result, Iₘ)
//
// In each, the pointers that s follows are assumed to point to one of their targets
// (wp.Translator.Facts). Together the conditions imply that no run of the program, whatever its
// length and the depth of its recursion, fails an assertion or reaches an error label: by
// induction over the steps of the run, under the assumptions about C in the program's ledger.
//
// # Several certificates
//
// A proof may be several certificates, each with its own predicates and invariants:
//
//	(certificates
//	  (certificate 1 (proves main:3) (global …) …)
//	  (certificate 1 (proves main:7 inc:2) (global …) …))
//
// For each certificate, all conditions are proved except those of the properties that it does
// not name. After an assertion c that it does not name it assumes c (Iₙ & c ⟹ Iₘ), as it
// does for all: a run continues after an assertion only if that holds. Each property has
// to be named by one of the certificates. This is not circular: if some run failed, it would
// fail first at some step k, at a node n, which a certificate names. Before step k all
// assertions of the run held, including those that this certificate assumes, so its
// invariants hold up to step k; and Iₙ excludes that n fails.
//
// # Subject
//
// The certificates may be preceded by their [Subject]: the options by which C was read, hashes
// of the files, and the assumptions.
//
//	(certificates
//	  (subject
//	    (flag --open)
//	    (assuming "integers: signed overflow is absent")
//	    (source driver.c 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef)
//	    (included include/list.h 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b))
//	  (certificate 1 …))
//
// It is not used in the proof. The command compares it with the program at hand, so that
// VALID is about the program that was audited, and not about one with another flag or file.
//
// # Trusted base
//
// Trusted are the front end, package alias (locations that a call may change, distinct places,
// callees of calls through pointers, tables that are constant), packages wp and logic (the
// semantics of statements), package prover and Z3.
//
// Not trusted are the discovery of predicates, cubes, Boolean programs, decision diagrams and
// the checker. A certificate may come from anywhere, also from an editor. If the program has
// changed in the meantime, the certificate is valid for it or not, like any other.
//
// # Files
//
//	certificate.go, proof.go       certificates, and lists of them
//	subject.go                     the program and the assumptions of a certificate
//	formula.go                     invariants
//	sexpr.go                       S-expressions
//	expression.go                  the text of expressions
//	write.go, writeformula.go      writer
//	read.go, readexpr.go           reader
//	readformula.go                 reader of formulas
//	owner.go                       structs of places, which the text does not say
//	validate.go                    validation: the order of the conditions
//	activation.go                  terms of one procedure, questions to the prover
//	step.go, call.go               conditions of statements, and of calls
//	memory.go                      regions of memory, bounds of arrays
//
// Package extract makes certificates from the results of the checker.
package certificate
