package alias

import (
	"fmt"
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
			if at := c.off + k*c.stride + i; at >= 0 && at < testSize && (k == 0 || c.stride != 0) {
				out[at] = true
			}
		}
	}
	return out
}

func randomCell(rng *rand.Rand) cell {
	c := cell{off: rng.Int64N(80) - 10, bits: 1 + rng.Int64N(20)}
	if rng.IntN(2) == 0 {
		c.stride = 1 + rng.Int64N(24)
		c = c.modulo()
	}
	return c
}

// TestOverlaps compares with the bits that two cells cover in a large object.
func TestOverlaps(t *testing.T) {
	if err := checkOverlaps(cell.overlaps); err != nil {
		t.Error(err)
	}
	oneStride := func(c, d cell) bool {
		c.stride = max(c.stride, d.stride)
		d.stride = c.stride
		return c.modulo().overlaps(d.modulo())
	}
	if checkOverlaps(oneStride) == nil {
		t.Error("a mutation went unnoticed")
	}
}

func checkOverlaps(overlaps func(c, d cell) bool) error {
	rng := rand.New(rand.NewPCG(1, 2))
	var yes, no int
	for range 20000 {
		c, d := randomCell(rng), randomCell(rng)
		want := false
		for k := int64(-400); k <= 400; k++ { // of c against the bits of d around it
			if k != 0 && c.stride == 0 {
				continue
			}
			at := c.off + k*c.stride
			if d.stride == 0 {
				want = want || at < d.off+d.bits && d.off < at+c.bits
			} else {
				r := mod(at-d.off, d.stride)
				want = want || r < d.bits || d.stride-r < c.bits
			}
		}
		if overlaps(c, d) != want || overlaps(d, c) != want {
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
	firstOnly := func(l link, c cell) []cell {
		list := l.image(c)
		return list[:min(len(list), 1)]
	}
	if checkImage(firstOnly) == nil {
		t.Error("a mutation went unnoticed")
	}
}

func checkImage(imageOf func(link, cell) []cell) error {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 5000 {
		c := randomCell(rng)
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
