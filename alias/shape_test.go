package alias

import (
	"slices"
	"testing"

	"c2bp/frontend/core"
)

// The types of the tests below, on a machine of 64 bits:
//
//	struct list { struct list *next, *prev; };
//	struct dev  { int x; struct list l; char name[8]; struct list table[3]; };
//	struct file { int f, g; };
//	union  any  { struct file file; long n; };
//	struct box  { short s; union any any; };
//	struct open { int n; long rest[]; };
var (
	listType = &core.Record{Name: "struct list", Size: 16, Members: []core.Member{{Off: 0, Count: 1, Size: 8}, {Off: 8, Count: 1, Size: 8}}}
	devType  = &core.Record{Name: "struct dev", Size: 80, Members: []core.Member{
		{Off: 0, Count: 1, Size: 4}, {Off: 8, Count: 1, Record: listType, Size: 16}, {Off: 24, Count: 8, Size: 1}, {Off: 32, Count: 3, Record: listType, Size: 16},
	}}
	fileType = &core.Record{Name: "struct file", Size: 8, Members: []core.Member{{Off: 0, Count: 1, Size: 4}, {Off: 4, Count: 1, Size: 4}}}
	anyType  = &core.Record{Name: "union any", Size: 8, Members: []core.Member{{Off: 0, Count: 1, Record: fileType, Size: 8}, {Off: 0, Count: 1, Size: 8}}}
	openType = &core.Record{Name: "struct open", Size: 8, Members: []core.Member{{Off: 0, Count: 1, Size: 4}, {Off: 8, Count: core.OpenEnd, Size: 8}}}
	boxType  = &core.Record{Name: "struct box", Size: 16, Members: []core.Member{{Off: 0, Count: 1, Size: 2}, {Off: 8, Count: 1, Record: anyType, Size: 8}}}
)

// in64 is size bytes of an object of type r from byte off on.
func in64(r *core.Record, off, size int64) typed {
	return typed{shape: shapeOf(r), cell: cell{off: off * 8, bits: size * 8}}
}

// scalarOf is a number of so many bytes.
func scalarOf(size int64) typed {
	return typed{shape: core.Shape{Size: size}, cell: cell{bits: size * 8}}
}

// TestShapes asks which places may overlap.
func TestShapes(t *testing.T) {
	prev := in64(listType, 8, 8)
	table := typed{shape: shapeOf(devType), cell: address{off: 32, stride: 16, count: 3}.cell(0, 64)}
	for _, c := range []struct {
		what string
		a, b typed
		want bool
	}{
		{"d->x and e->x", in64(devType, 0, 4), in64(devType, 0, 4), true},
		{"d->x and e->l.next", in64(devType, 0, 4), in64(devType, 8, 8), false},
		{"d->x and f->f", in64(devType, 0, 4), in64(fileType, 0, 4), false},
		{"d->l.prev and l->prev", in64(devType, 16, 8), prev, true},
		{"d->l.next and l->prev", in64(devType, 8, 8), prev, false},
		{"d->table[i].next and l->prev", table, prev, false},
		{"d->table[2].prev and l->prev", in64(devType, 72, 8), prev, true},
		{"d->table[i].next and d->table[2].prev", table, in64(devType, 72, 8), false},
		{"d->x and *int", in64(devType, 0, 4), scalarOf(4), true},
		{"d->x and *long", in64(devType, 0, 4), scalarOf(8), false},
		{"d->l.next and *long", in64(devType, 8, 8), scalarOf(8), true},
		{"*int and *long", scalarOf(4), scalarOf(8), true}, // in union any
		{"*int and *short", scalarOf(4), scalarOf(2), false},
		{"f->g and *long", in64(fileType, 4, 4), scalarOf(8), true},
		{"box->any.file.f and f->f", in64(boxType, 8, 4), in64(fileType, 0, 4), true},
		{"box->any.file.f and f->g", in64(boxType, 8, 4), in64(fileType, 4, 4), false},
		{"box->any.n and f->g", in64(boxType, 8, 8), in64(fileType, 4, 4), true},
		{"box->s and *short", in64(boxType, 0, 2), scalarOf(2), true},
		{"*char and d->x", typed{wild: true}, in64(devType, 0, 4), true},
	} {
		s := newShapes([]*core.Record{devType, fileType, boxType})
		if got := s.overlap(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		if got := s.overlap(c.b, c.a); got != c.want {
			t.Errorf("%s, the other way around: %v", c.what, got)
		}
	}
}

// TestOverlays: what the program takes for another is it at this distance, with all that it lies in or holds.
func TestOverlays(t *testing.T) {
	// A file is taken for a list, and for bytes 4 to 12 of three numbers.
	numbers := &core.Record{Name: "struct numbers", Size: 24, Members: []core.Member{{Off: 0, Count: 3, Size: 8}}}
	s := newShapes([]*core.Record{devType, fileType, boxType})
	s.merge(overlay{shapeOf(listType), shapeOf(fileType), address{}})
	s.merge(overlay{shapeOf(fileType), shapeOf(numbers), address{off: -4}})
	tail := in64(openType, 8, 8)
	for _, c := range []struct {
		what string
		a, b typed
		want bool
	}{
		{"l->next and f->f", in64(listType, 0, 8), in64(fileType, 0, 4), true},
		{"l->next and f->g", in64(listType, 0, 8), in64(fileType, 4, 4), true},
		{"l->prev and f->g", in64(listType, 8, 8), in64(fileType, 4, 4), false},
		{"d->l.next and f->f", in64(devType, 8, 8), in64(fileType, 0, 4), true},
		{"d->table[i].next and f->g", typed{shape: shapeOf(devType), cell: address{off: 32, stride: 16, count: 3}.cell(0, 64)}, in64(fileType, 4, 4), true},
		{"d->table[i].prev and f->g", typed{shape: shapeOf(devType), cell: address{off: 40, stride: 16, count: 3}.cell(0, 64)}, in64(fileType, 4, 4), false},
		{"d->x and f->f", in64(devType, 0, 4), in64(fileType, 0, 4), false},
		{"l->next and *int", in64(listType, 0, 8), scalarOf(4), true},
		{"l->prev and *int", in64(listType, 8, 8), scalarOf(4), false},
		{"n->a[0] and f->f", in64(numbers, 0, 8), in64(fileType, 0, 4), true},
		{"n->a[0] and f->g", in64(numbers, 0, 8), in64(fileType, 4, 4), false},
		{"n->a[1] and f->g", in64(numbers, 8, 8), in64(fileType, 4, 4), true},
		{"n->a[2] and f->g", in64(numbers, 16, 8), in64(fileType, 4, 4), false},
		{"n->a[0] and l->next", in64(numbers, 0, 8), in64(listType, 0, 8), false}, // overlays are not composed
		{"what is behind open and f->f", tail, in64(fileType, 0, 4), false},
	} {
		if got := s.overlap(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		if got := s.overlap(c.b, c.a); got != c.want {
			t.Errorf("%s, the other way around: %v", c.what, got)
		}
	}
	// A text is as long as it is.
	s.merge(overlay{characters.shape, shapeOf(numbers), address{}})
	if !s.overlap(in64(numbers, 16, 8), characters) {
		t.Error("a text goes on after its first character")
	}
	// Answers change with new overlays.
	s.merge(overlay{shapeOf(openType), shapeOf(fileType), address{off: 8}})
	if !s.overlap(tail, in64(fileType, 0, 4)) || s.overlap(in64(openType, 0, 4), in64(fileType, 0, 4)) {
		t.Error("a file is taken for elements of an array without an end")
	}
}

// TestManyDistances: they are merged, and none is lost.
func TestManyDistances(t *testing.T) {
	s := newShapes([]*core.Record{devType, fileType})
	big := &core.Record{Name: "struct big", Size: 4096, Members: []core.Member{{Off: 0, Count: 512, Size: 8}}}
	for i := range int64(2 * mostDistances) {
		if x := (overlay{shapeOf(big), shapeOf(fileType), address{off: i * 24}}); !s.merge(x) && i <= mostDistances {
			t.Error("distance", x.at.off, "is known")
		}
	}
	for i := range int64(2 * mostDistances) {
		if !s.overlap(in64(big, i*24+4, 4), in64(fileType, 4, 4)) {
			t.Error("distance", i*24, "is lost")
		}
		if s.overlap(in64(big, i*24+8, 4), in64(fileType, 0, 8)) {
			t.Error("a distance between is known")
		}
	}
}

// TestNatural: one value may be followed as two types if they nest just so, or are apart.
func TestNatural(t *testing.T) {
	at := func(r *core.Record, off, stride int64) follow {
		return follow{shape: shapeOf(r), at: address{off: off, stride: stride}}
	}
	array := func(r *core.Record, off, stride, count int64) follow {
		return follow{shape: shapeOf(r), at: address{off: off, stride: stride, count: count}}
	}
	numbers := func(off, stride, count, size int64) follow {
		return follow{shape: core.Shape{Size: size}, at: address{off: off, stride: stride, count: count}}
	}
	for _, c := range []struct {
		what   string
		a, b   follow
		stride int64
		want   bool
	}{
		{"a list in a dev", at(devType, 0, 0), at(listType, 8, 0), 0, true},
		{"container_of", at(listType, 0, 0), at(devType, -8, 0), 0, true},
		{"container_of an element", at(listType, 0, 0), at(devType, -48, 0), 0, true},
		{"a list where there is none", at(devType, 0, 0), at(listType, 4, 0), 0, false},
		{"a dev and a file", at(devType, 0, 0), at(fileType, 0, 0), 0, false},
		{"a file behind a dev", at(devType, 0, 0), at(fileType, 80, 0), 0, true},
		{"a file behind the start of an array without an end", at(openType, 0, 0), at(fileType, 8, 0), 0, false},
		{"an array of devs", at(devType, 0, 80), at(devType, 0, 80), 0, true},
		{"devs that overlap", at(devType, 0, 40), at(devType, 0, 40), 0, false},
		{"lists in an array of devs", at(devType, 0, 80), at(listType, 88, 80), 0, true},
		{"the lists in a dev", at(devType, 0, 0), array(listType, 32, 16, 3), 0, true},
		{"lists behind them, too", at(devType, 0, 0), array(listType, 32, 16, 9), 0, true},
		{"lists in front of them, too", at(devType, 0, 0), array(listType, 16, 16, 4), 0, false},
		{"lists without end", at(devType, 0, 0), at(listType, 32, 16), 0, false},
		{"the lists in a dev that may be anywhere", at(devType, 0, 0), array(listType, 32, 16, 3), 16, false},
		{"the lists in devs", array(devType, 0, 80, 2), array(listType, 32, 16, 3), 0, false},
		{"the elements of an array without an end", at(openType, 0, 0), numbers(8, 8, core.OpenEnd, 8), 0, true},
		{"the same, one element before", at(openType, 0, 0), numbers(0, 8, core.OpenEnd, 8), 0, false},
		{"the same, at any multiple", at(openType, 0, 0), numbers(8, 8, 0, 8), 0, false},
		{"halves of them", at(openType, 0, 0), numbers(8, 4, core.OpenEnd, 8), 0, false},
		{"one behind the first thousand, half of it", at(openType, 0, 0), numbers(8004, 16, core.OpenEnd, 8), 0, false},
		{"each third of them", at(openType, 0, 0), numbers(16, 24, core.OpenEnd, 8), 0, true},
		{"what is no multiple of them", at(openType, 0, 0), numbers(8, 12, core.OpenEnd, 4), 0, false},
		{"the same, if it may be anywhere", at(devType, 0, 80), at(listType, 88, 80), 1, false},
	} {
		if got := natural(c.a, c.b, c.stride); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		if got := natural(c.b, c.a, c.stride); got != c.want {
			t.Errorf("%s, the other way around: %v", c.what, got)
		}
	}
}

// pointerTo is a pointer to structs with a tag.
func pointerTo(tag string) typed {
	return typed{shape: core.Shape{Size: 8, Tag: tag}, cell: cell{bits: 64}}
}

// TestTagged: a pointer is no pointer to another struct; a number of its size, and a pointer of which less is known, it
// may be, in structs and where types are laid over each other.
func TestTagged(t *testing.T) {
	dev, bus := pointerTo("struct dev"), pointerTo("struct bus")
	record := &core.Record{Name: "struct slot", Size: 16, Members: []core.Member{{Count: 1, Size: 8, Tag: "struct bus"}, {Off: 8, Count: 1, Size: 8}}}
	first, second := in64(record, 0, 8), in64(record, 8, 8)
	for _, c := range []struct {
		what string
		laid []overlay
		a, b typed
		want bool
	}{
		{"*dev * and *bus *", nil, dev, bus, false},
		{"*dev * and *long", nil, dev, scalarOf(8), true},
		{"*dev * and *int", nil, dev, scalarOf(4), false},
		{"*dev * and s->bus", nil, dev, first, false},
		{"*bus * and s->bus", nil, bus, first, true},
		{"*dev * and s->n", nil, dev, second, true},
		{"*dev * and what is laid over s->bus", []overlay{{shapeOf(record), shapeOf(fileType), address{}}}, dev, in64(fileType, 0, 4), false},
		{"*bus * and what is laid over s->bus", []overlay{{shapeOf(record), shapeOf(fileType), address{}}}, bus, in64(fileType, 0, 4), true},
		{"*dev * and what is laid over s->n", []overlay{{shapeOf(record), shapeOf(fileType), address{off: 8}}}, dev, in64(fileType, 0, 4), true},
		{"*dev * and what is laid over a long", []overlay{{scalarOf(8).shape, shapeOf(fileType), address{}}}, dev, in64(fileType, 0, 4), true},
		{"*dev * and what is laid over a bus *", []overlay{{bus.shape, shapeOf(fileType), address{}}}, dev, in64(fileType, 0, 4), false},
	} {
		s := newShapes([]*core.Record{record, fileType})
		for _, x := range c.laid {
			s.merge(x)
		}
		if got := s.overlap(c.a, c.b); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
		if got := s.overlap(c.b, c.a); got != c.want {
			t.Errorf("%s, the other way around: %v", c.what, got)
		}
	}
}

// TestContains: what is a part of an object at each of its places, by going through these.
func TestContains(t *testing.T) {
	scalar := func(off, stride, count, size int64) follow {
		return follow{shape: core.Shape{Size: size}, at: address{off: off, stride: stride, count: count}}
	}
	array := follow{shape: shapeOf(listType), at: address{stride: 16, count: 4}}
	for _, c := range []struct {
		what   string
		own, x follow
		want   bool
	}{
		{"a list of a dev", follow{shape: shapeOf(devType)}, follow{shape: shapeOf(listType), at: address{off: 8}}, true},
		{"the lists of its table", follow{shape: shapeOf(devType)}, follow{shape: shapeOf(listType), at: address{off: 32, stride: 16, count: 3}}, true},
		{"one more", follow{shape: shapeOf(devType)}, follow{shape: shapeOf(listType), at: address{off: 32, stride: 16, count: 4}}, false},
		{"lists anywhere", follow{shape: shapeOf(devType)}, follow{shape: shapeOf(listType), at: address{stride: 16}}, false},
		{"the elements of an array without an end", follow{shape: shapeOf(openType)}, scalar(8, 8, core.OpenEnd, 8), true},
		{"every second of them", follow{shape: shapeOf(openType)}, scalar(16, 16, core.OpenEnd, 8), true},
		{"from the number before on", follow{shape: shapeOf(openType)}, scalar(0, 8, core.OpenEnd, 8), false},
		{"halves of them", follow{shape: shapeOf(openType)}, scalar(8, 4, core.OpenEnd, 4), false},
		{"as wide, where the first is no element", follow{shape: shapeOf(openType)}, scalar(0, 8, 0, 4), false},
		{"elements of an array", array, scalar(8, 16, 0, 8), true},
		{"all numbers in it", array, scalar(0, 8, 0, 8), true},
		{"halves of these", array, scalar(0, 4, 0, 4), false},
		{"a row from the second of the numbers", follow{shape: shapeOf(listType)}, follow{shape: core.Shape{Size: 8}, at: address{off: 8}, row: true}, true},
		{"a row from its middle", follow{shape: shapeOf(listType)}, follow{shape: core.Shape{Size: 8}, at: address{off: 4}, row: true}, false},
	} {
		if got := c.own.contains(c.x); got != c.want {
			t.Errorf("%s: %v", c.what, got)
		}
	}
}

// TestPartsWithin: of a struct around an object, the parts that lie in the object.
func TestPartsWithin(t *testing.T) {
	around := func(r *core.Record, off int64) follow { return follow{shape: shapeOf(r), at: address{off: off}} }
	used := func(s core.Shape, off int64) follow { return follow{shape: s, at: address{off: off}} }
	number := func(size int64) core.Shape { return core.Shape{Size: size} }
	for _, c := range []struct {
		what string
		x    follow
		size int64
		want []follow
		ok   bool
	}{
		{"a dev around its list", around(devType, -8), 16, []follow{used(shapeOf(listType), 0)}, true},
		{"a dev around the second half of its list", around(devType, -16), 8, []follow{used(number(8), 0)}, true},
		{"a dev around the third list of its table", around(devType, -64), 16, []follow{used(shapeOf(listType), 0)}, true},
		{"a dev around something across two members", around(devType, -4), 12, []follow{used(shapeOf(listType), 4)}, true},
		{"a box around a part of its union", around(boxType, -8), 4, []follow{used(shapeOf(anyType), 0)}, true},
		{"a dev in front", around(devType, -80), 8, nil, true},
		{"a dev in it", around(devType, 0), 80, nil, false},
		{"some in a row", follow{shape: shapeOf(devType), at: address{off: -8}, row: true}, 16, nil, false},
		{"at several places", follow{shape: shapeOf(devType), at: address{off: -8, stride: 8}}, 16, nil, false},
		{"an array without an end", around(openType, -8), 24, []follow{used(number(8), 0), used(number(8), 8), used(number(8), 16)}, true},
		{"the same, of no known size", around(openType, -8), 0, nil, false},
	} {
		window, ok := windowOf(c.x, c.size)
		var got []follow
		if ok {
			got, ok = partsWithin(c.x, window)
		}
		if ok != c.ok || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %v", c.what, got, ok)
		}
	}
	// Those that are accessed.
	for _, c := range []struct {
		bytes core.Range
		want  []follow
	}{
		{core.Range{Off: 8, End: 16}, nil},
		{core.Range{Off: 16, End: 24}, []follow{used(number(8), 0)}},
		{core.Range{Off: 0, End: 17}, []follow{used(number(8), 0)}},
	} {
		got, ok := partsWithin(around(devType, -16), c.bytes)
		if !ok || !slices.Equal(got, c.want) {
			t.Errorf("of %v: %v, %v", c.bytes, got, ok)
		}
	}
}
