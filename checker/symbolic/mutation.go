package symbolic

// mutation breaks one rule of the engine on purpose. Only the tests set it: each
// mutation must be caught by the comparison with brute force.
type mutation int

const (
	intact         mutation = iota
	projectEarly            // the last local is projected from the enforce clause before the clause is conjoined
	noEnforce               // enforce clauses are ignored
	staleSummary            // summaries that grow are not passed on to calls that were propagated already
	lostFrontier            // new path edges displace those that wait to be propagated
	shallowMods             // a call is taken to modify what the callee itself writes, not what its callees do
	keepClobber             // a result stored in a global does not displace the callee's value of the global
	freeUnread              // a value is called free without a look at the enforce clause
	anySummary              // expanding a summary edge may use summaries that depend on it
	deafConditions          // what is assumed is not live
	deafExits               // nothing is live at the exit of a procedure
	deafClauses             // enforce clauses make nothing live but at the entry
	halfRings               // rings take the second way out of a branch at odd distances only
	timeless                // PathEdges does not tell what held at the entry
	oneOfLevel              // a decision diagram is written as if all its nodes of a level were one
	mutations               // their number
)
