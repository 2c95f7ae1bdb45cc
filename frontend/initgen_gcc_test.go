package frontend

import "testing"

// TestInitialisersAgainstGCC compares what initialisers that override one another set
// with what they set when gcc compiles them.
func TestInitialisersAgainstGCC(t *testing.T) {
	needGCC(t)
	compareSums(t, initialiserProgram, seedRange(1, count(12, 200)), false, keepsOverridden, everyRange)
}

// TestInitialisersAgainstGCC32 is TestInitialisersAgainstGCC for the 32-bit data model.
func TestInitialisersAgainstGCC32(t *testing.T) {
	needGCC32(t)
	compareSums(t, initialiserProgram, seedRange(1001, count(10, 100)), true)
}
