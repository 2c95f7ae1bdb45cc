package core

import (
	"slices"
	"testing"
)

// TestRecord asks what may lie where in
//
//	struct list { struct list *next, *prev; };
//	struct dev  { int x; struct list l; char name[8]; struct list table[2]; long rest[]; };
func TestRecord(t *testing.T) {
	list := &Record{Name: "struct list", Size: 16, Members: []Member{{Off: 0, Count: 1, Size: 8}, {Off: 8, Count: 1, Size: 8}}}
	dev := &Record{Name: "struct dev", Size: 64, Members: []Member{
		{Off: 0, Count: 1, Size: 4}, {Off: 8, Count: 1, Record: list, Size: 16}, {Off: 24, Count: 8, Size: 1},
		{Off: 32, Count: 2, Record: list, Size: 16}, {Off: 64, Count: OpenEnd, Size: 8},
	}}
	other := &Record{Name: "struct file", Size: 16, Members: []Member{{Off: 0, Count: 2, Size: 8}}}
	for off := int64(-16); off < 80; off++ {
		if got, want := dev.Holds(off, list), off == 8 || off == 32 || off == 48; got != want {
			t.Errorf("a list at %d of a dev: %v", off, got)
		}
		if got := dev.Holds(off, dev); got != (off == 0) {
			t.Errorf("a dev at %d of a dev: %v", off, got)
		}
		if dev.Holds(off, other) || list.Holds(off, dev) {
			t.Errorf("what has no part in it lies at %d", off)
		}
		eight := off >= 8 && off < 24 && off%8 == 0 || off >= 32 && off%8 == 0
		if got := dev.HoldsScalar(off, Shape{Size: 8}); got != eight {
			t.Errorf("8 bytes at %d of a dev: %v", off, got)
		}
		if got := dev.HoldsScalar(off, Shape{Size: 4}); got != (off == 0) {
			t.Errorf("4 bytes at %d of a dev: %v", off, got)
		}
	}
	shape := func(r *Record) Shape { return Shape{Record: r, Size: r.Size} }
	if got := shape(dev).Places(shape(list)); !slices.Equal(got, []int64{8, 32, 48}) {
		t.Errorf("places of a list in a dev: %v", got)
	}
	if got := shape(dev).Places(Shape{Size: 8}); !slices.Equal(got, []int64{8, 16, 32, 40, 48, 56, 64, 72}) {
		t.Errorf("places of 8 bytes in a dev: %v", got)
	}
}

// TestOwner: d->l.next shows the dev, what is computed shows what it is computed in.
func TestOwner(t *testing.T) {
	list := &Record{Name: "struct list", Size: 16}
	dev := &Record{Name: "struct dev", Size: 64}
	p := &VarRef{Var: &Var{Name: "d", Type: Ptr{Bits: 64}}}
	member := &Offset{X: &Offset{X: p, Off: 8, Of: dev, Member: 8}, Off: 8, Of: list, Member: 8}
	if r, off := Owner(&Mem{Addr: member, Typ: Ptr{Bits: 64}}); r != dev || off != 16 {
		t.Errorf("d->l.prev: %v, %d", r, off)
	}
	element := &Offset{X: &Index{X: &Offset{X: p, Off: 32, Of: dev, Member: 32}, I: p, Size: 16}, Off: 8, Of: list, Member: 8}
	if r, off := Owner(&Mem{Addr: element, Typ: Ptr{Bits: 64}}); r != list || off != 8 {
		t.Errorf("d->table[i].prev: %v, %d", r, off)
	}
	if r, _ := Owner(&Mem{Addr: p, Typ: Int32}); r != nil {
		t.Errorf("*d: %v", r)
	}
}
