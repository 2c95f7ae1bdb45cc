package frontend

import "testing"

// TestInitialisersAgainstGCC compares what initialisers that override one another set
// with what they set when gcc compiles them.
func TestInitialisersAgainstGCC(t *testing.T) {
	needGCC(t)
	compareSums(t, initialiserProgram, seedRange(1, count(12, 200)), false, keepsOverridden, everyRange)
}
