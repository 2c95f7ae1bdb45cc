package alias

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// size is the size, in bits, of the objects of these tests.
const testSize = 64

// bitsIn is the bits of a test object that c may cover, each time it fits in wholly or
// in part.
func bitsIn(c cell) (out [testSize]bool) {
	for k := int64(-100); k <= 100; k++ {
		for i := range c.bits {
			if at := c.off + k*c.stride + i; at >= 0 && at < testSize && c.includes(k) {
				out[at] = true
			}
		}
	}
	return out
}

// includes reports whether range k of c exists.
func (c cell) includes(k int64) bool {
	switch {
	case c.stride == 0:
		return k == 0
	case c.count == 0:
		return true
	}
	return k >= 0 && k < c.count
}

func randomCell(rng *rand.Rand) cell {
	c := cell{off: rng.Int64N(80) - 10, bits: 1 + rng.Int64N(20)}
	if rng.IntN(2) == 0 {
		c.stride = 1 + rng.Int64N(24)
		if rng.IntN(2) == 0 {
			c.count = 2 + rng.Int64N(5)
		}
		c = c.modulo()
	}
	return c
}

// TestOverlaps compares with the bits that two cells cover in a large object.
func TestOverlaps(t *testing.T) {
	if err := checkOverlaps(cell.overlaps); err != nil {
		t.Error(err)
	}
}

func checkOverlaps(overlaps func(c, d cell) bool) error {
	rng := rand.New(rand.NewPCG(1, 2))
	var yes, no int
	for range 20000 {
		c, d := randomCell(rng), randomCell(rng)
		want := false
		for k := int64(-400); k <= 400; k++ { // of c against the bits of d around it
			if !c.includes(k) {
				continue
			}
			at := c.off + k*c.stride
			if d.isBounded() {
				for j := range max(d.count, 1) {
					from := d.off + j*d.stride
					want = want || at < from+d.bits && from < at+c.bits
				}
			} else {
				r := mod(at-d.off, d.stride)
				want = want || r < d.bits || d.stride-r < c.bits
			}
		}
		exact := c.count == 0 && d.count == 0 // else the answer may be yes too often
		if got := overlaps(c, d); got != overlaps(d, c) || want && !got || exact && got != want {
			return fmt.Errorf("%+v and %+v: overlap is not %v", c, d, want)
		}
		if want {
			yes++
		} else {
			no++
		}
	}
	if min(yes, no) < 1000 {
		return fmt.Errorf("%d overlap, %d do not", yes, no)
	}
	return nil
}

// TestAdd: what two displacements in turn can reach is among what they are said to.
func TestAdd(t *testing.T) {
	if err := checkAdd(address.add); err != nil {
		t.Error(err)
	}
}

func checkAdd(add func(a address, off, stride, count int64) address) error {
	rng := rand.New(rand.NewPCG(7, 8))
	random := func() (off, stride, count int64) {
		off = rng.Int64N(40) - 10
		if rng.IntN(3) > 0 {
			stride, count = 1+rng.Int64N(12), rng.Int64N(4)
		}
		return off, stride, count
	}
	steps := func(stride, count int64) (from, to int64) { // to is not included
		switch {
		case stride == 0:
			return 0, 1
		case count == 0:
			return -20, 20
		}
		return 0, count
	}
	for range 5000 {
		o1, s1, c1 := random()
		o2, s2, c2 := random()
		a := add(add(at(3, 100), o1, s1, c1), o2, s2, c2)
		from1, to1 := steps(s1, c1)
		from2, to2 := steps(s2, c2)
		for i := from1; i < to1; i++ {
			for j := from2; j < to2; j++ {
				b := at(3, 100+o1+i*s1+o2+j*s2)
				if b != a && !b.within(a) {
					return fmt.Errorf("%+v is not within %+v: %d+%dk(%d), %d+%dk(%d)", b, a, o1, s1, c1, o2, s2, c2)
				}
			}
		}
	}
	return nil
}

// TestWithin: an address that is within another one overlaps what that overlaps.
func TestWithin(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	yes := 0
	for range 20000 {
		pick := func() address {
			c := randomCell(rng)
			return address{3, c.off, c.stride, c.count}
		}
		a, b := pick(), pick()
		if !a.within(b) {
			continue
		}
		yes++
		for k := int64(-50); k <= 50; k++ {
			if a.cell(0, 8).includes(k) && at(3, a.off+k*a.stride) != b && !at(3, a.off+k*a.stride).within(b) {
				t.Fatalf("%+v within %+v, but not its address %d", a, b, k)
			}
		}
	}
	if yes < 500 {
		t.Errorf("only %d", yes)
	}
}

// TestCellIn: cutting a cell down to its object loses no bits in it.
func TestCellIn(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 20000 {
		c := randomCell(rng)
		in, ok := c.in(testSize)
		if want, got := bitsIn(c), bitsIn(in); ok && want != got && !covers(got, want) {
			t.Fatalf("%+v in %d bits is %+v", c, testSize, in)
		}
		if bits := bitsIn(c); !ok && bits != [testSize]bool{} {
			t.Fatalf("%+v in %d bits is nothing", c, testSize)
		}
	}
}

// covers reports whether all of b is in a.
func covers(a, b [testSize]bool) bool {
	for i := range a {
		if b[i] && !a[i] {
			return false
		}
	}
	return true
}

// TestImage: every bit that a copy moves is in the image of a cell that it is in.
func TestImage(t *testing.T) {
	if err := checkImage(link.image); err != nil {
		t.Error(err)
	}
}

func checkImage(imageOf func(link, cell) []cell) error {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		c := randomCell(rng)
		c.count = 0 // cells of computed pointers have no bounds
		c = c.modulo()
		l := link{off: 8 * rng.Int64N(8), bits: 8 * (1 + rng.Int64N(8)), dst: 8 * rng.Int64N(4)}
		if rng.IntN(2) == 0 {
			l.stride = 8 * (1 + rng.Int64N(3))
			l.off = mod(l.off, l.stride)
		}
		if rng.IntN(2) == 0 {
			l.dstStride = 8 * (1 + rng.Int64N(3))
			l.dst = mod(l.dst, l.dstStride)
		}
		var image [testSize]bool
		for _, d := range imageOf(l, c) {
			for i, set := range bitsIn(d) {
				image[i] = image[i] || set
			}
		}
		source := bitsIn(c)
		for _, from := range starts(l.off, l.stride) {
			for _, to := range starts(l.dst, l.dstStride) {
				for i := range l.bits {
					if from+i < testSize && to+i < testSize && source[from+i] && !image[to+i] {
						return fmt.Errorf("%+v copied by %+v: bit %d is not in %+v", c, l, to+i, imageOf(l, c))
					}
				}
			}
		}
	}
	return nil
}

// starts is where something at off may begin in a test object.
func starts(off, stride int64) []int64 {
	out := []int64{off}
	for stride > 0 && off+stride < testSize {
		off += stride
		out = append(out, off)
	}
	return out
}

// TestOffsetsOfMany: an array of structs that a run allocates may have billions of elements, of which only the first are listed.
func TestOffsetsOfMany(t *testing.T) {
	for _, c := range []struct {
		a           address
		last        int64
		count, rest int64 // rest is 0 if all are listed
	}{
		{address{off: 8}, 1 << 40, 1, 0},
		{address{off: 8, stride: 16}, 40, 3, 0},
		{address{off: 8, stride: 16, count: 2}, 1 << 40, 2, 0},
		{address{off: 8, stride: 16}, 1 << 40, mostElements, 8 + 16*mostElements},
	} {
		list, rest := c.a.upTo(c.last)
		if int64(len(list)) != c.count || list[0] != 8 || rest != cmp.Or(c.rest, math.MaxInt64) {
			t.Errorf("%v up to %d: %d offsets, and those from %d on", c.a, c.last, len(list), rest)
		}
	}
}
