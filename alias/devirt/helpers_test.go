package devirt

import (
	"os"
	"testing"

	"c2bp/frontend/core/coretest"
	"c2bp/internal/testkit"
)

// This file defines the helpers of the tests; programs are written with package coretest.

var update = testkit.Update

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs; got:\n%s", path, got)
	}
}

// world is a program under construction.
type world struct{ *coretest.World }

func newWorld() *world { return &world{coretest.NewWorld()} }

// The parts of programs, by short names.
var (
	ptr, null         = coretest.Ptr, coretest.Null
	formal, local, do = coretest.Formal, coretest.Local, coretest.Do
	num, agg          = coretest.Num, coretest.Agg
	addr, fn          = coretest.Addr, coretest.Func
	plus, elem, mem   = coretest.Plus, coretest.Elem, coretest.Mem
	set, callTo       = coretest.Set, coretest.CallTo
)
