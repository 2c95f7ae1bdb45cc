// Package shytest serves the tests of Shylock: random programs, and the meaning of programs by brute force.
// It shares nothing with the engine but the syntax tree: it walks the tree, as the rules of Rot et al. 2012,
// §2, do, keeps whole configurations, with the locals of all callers, and renames nothing.
package shytest
