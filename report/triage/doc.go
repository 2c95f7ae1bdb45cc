// Package triage tells which failures are known: by comments in the C files, and by an earlier result.
//
//	/* c2bp: ignore spinlock: the second lock is another one */
//
// A failure that a comment or the earlier result names is suppressed: it is shown as such, and decides nothing.
// The last line counts the ones that are, so that no TRUE hides one.
//
// Trade-offs. A failure is known by its fingerprint: the function, the property and the text of its line, without
// the number of the line. So a change above it does not make it a new one, and a change of the line itself
// does: whoever changes the line looks at it again. Of equal lines in one function the first is number 1, and so
// on; whoever inserts one before the others makes them change places, which is seen as one new failure.
//
// A suppressed failure ends the run that fails, as any other does. What comes after it on the run has not been looked
// at for that run.
//
//	comments.go   comments that suppress
//	apply.go      fingerprints; suppressed failures in a result
//	baseline.go   what has changed since an earlier result
package triage
