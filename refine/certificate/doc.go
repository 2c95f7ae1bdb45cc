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
// An invariant may also say (entry p), the truth of a predicate over formals and globals
// when the procedure was entered: so the invariant of the return node is a summary, and
// tells what a call does to its caller.
//
// Invariants may have parts in common, and a [Formula] is a graph: without sharing, what a
// decision diagram of some hundred nodes says can be gigabytes. In the text, behind
// the predicates of a procedure, (formula f0 F) gives the formula F a name, which stands for
// it from there to the end of the procedure:
//
//	(procedure main
//	  (predicate p0 …) (predicate p1 …) (predicate p2 …)
//	  (formula f0 (or (and p0 (not p1)) (and p1 (not p0))))
//	  (node 0 (iff p2 f0))
//	  (node 1 (and p2 f0))
//
// What is written so is what occurs several times and is long; what is read may give a name
// to anything.
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
// In each, what s follows is taken to be where it may lead (wp.Translator.Facts). Together
// they say that no run of the program, whatever its length and the depth of its
// recursion, fails an assertion or reaches an error label: by induction over the steps
// of the run, with the assumptions about C that the ledger of the program lists.
//
// # Several certificates
//
// A proof may be several certificates, each with its own predicates and invariants:
//
//	(certificates
//	  (certificate 1 (proves main:3) (global …) …)
//	  (certificate 1 (proves main:7 inc:2) (global …) …))
//
// For each, all conditions are proved but those of the properties that it does not name; of
// an assertion c that it does not name, it takes c for granted behind it (Iₙ & c ⟹ Iₘ), as
// it may of all: a run goes on from an assertion only if that holds. And each property has
// to be named by one of them. That is no circle: if some run failed, it would fail first at
// some step k, at a node n, which a certificate names. Before step k all assertions of the
// run held, those that this certificate takes for granted among them, and so have its
// invariants up to step k; and Iₙ excludes that n fails.
//
// # What it is about
//
// In front of the certificates there may be their [Subject]: how C was read, hashes of what was
// read, and the assumptions.
//
//	(certificates
//	  (subject
//	    (flag --open)
//	    (assuming "integers: signed overflow is absent")
//	    (source driver.c 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef)
//	    (included include/list.h 01ba4719c80b6fe911b091a7c05124b64eeece964e09c058ef8f9805daca546b))
//	  (certificate 1 …))
//
// It takes no part in the proof. Whoever validates compares it with the program at hand, so that
// VALID is of the program that was audited, and not of one in which a flag or a file is another.
//
// # What is trusted
//
// The front end, packages alias (what a call may change, which places are distinct, what
// calls through pointers call, which tables nothing changes), wp and logic (what a
// statement means), prover and Z3. What is not: how predicates were found, cubes, Boolean programs, decision diagrams, the checker. A certificate may come
// from anywhere, also from an editor. If the program has changed meanwhile, the
// certificate is valid for it or is not, like any other.
//
// Files: doc.go, certificate.go, proof.go, formula.go and expression.go say what a certificate
// is, subject.go what it is about; write.go and writeformula.go write its text, read.go,
// readformula.go and readexpr.go read it, on sexpr.go, and owner.go the types that it does not
// have; validate.go, activation.go, step.go, call.go and memory.go are the conditions. Package
// extract makes certificates of what the checker found.
package certificate
