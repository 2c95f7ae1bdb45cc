// Package refine decides C programs without being given predicates.
package refine
