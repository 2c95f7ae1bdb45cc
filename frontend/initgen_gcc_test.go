package frontend

import (
	"testing"

	"c2bp/internal/testkit"
)

// TestInitialisersAgainstGCC compares what initialisers that override one another set
// with what they set when gcc compiles them.
func TestInitialisersAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	compareSums(t, initialiserProgram, seedRange(1, testkit.Count(12, 200)), false)
}

// TestInitialisersAgainstGCC32 is TestInitialisersAgainstGCC for the 32-bit data model.
func TestInitialisersAgainstGCC32(t *testing.T) {
	testkit.NeedGCC32(t, "-fsanitize=undefined")
	compareSums(t, initialiserProgram, seedRange(1001, testkit.Count(10, 100)), true)
}
