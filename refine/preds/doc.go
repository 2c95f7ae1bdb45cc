// Package preds keeps the predicates that refinement has found, and the symbolic constants that
// they speak of.
//
// A symbolic constant, 'x, is the value of formal or global x when the procedure was entered. A
// predicate over symbolic constants, such as g == 'g + 1, holds of all calls of a procedure and not of
// one only: polymorphic predicates (Ball–Millstein–Rajamani 2005, §4.1, §5). An expression over the state
// at entry has one symbolic constant, of whichever strategy asks for it, so that equal predicates are
// equal formulas.
//
// Files:
//
//	predicates.go   set of predicates, each formula or its negation once per scope; provenance
//	constants.go    symbolic constants of procedures
package preds
