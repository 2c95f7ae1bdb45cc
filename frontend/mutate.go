package frontend

// mutation breaks one rule of the lowering, so that tests can see that they would
// notice. It is zero but in tests.
type mutation int

const (
	unscrubbed       mutation = iota + 1 // the names of parameters in casts are not blanked
	wholePrelude                         // nothing is left out of the prelude: no fault
	gluedCommas                          // macros with variable arguments stay as they are
	plainLiterals                        // literals are not respelt
	noMentions                           // functions of headers are left out although something mentions them
	presumedIdentity                     // what #line says tells declarations apart
)
