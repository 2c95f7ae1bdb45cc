package core

import "testing"

// TestBytesFrom: lengths that are not known are bounded by the array of a structure that they begin in.
func TestBytesFrom(t *testing.T) {
	ptr, n := Ptr{Bits: 64}, &Var{Name: "n", Type: Uint64}
	p := &Var{Name: "p", Type: ptr}
	text := &Record{Name: "struct text", Size: 32, Members: []Member{
		{Off: 0, Count: 1, Size: 8}, {Off: 8, Count: 12, Size: 1}, {Off: 20, Count: 1, Size: 4}, {Off: 24, Count: 8, Size: 1},
	}}
	head := &Record{Name: "struct head", Size: 16, Members: []Member{{Off: 0, Count: 2, Size: 8}}}
	array := Member{Off: 0, Count: 4, Size: 1}
	union := func(other Member) Expr {
		return &Offset{X: p.Ref(), Of: &Record{Name: "union u", Size: 16, Members: []Member{array, other}}}
	}
	member := func(off int64) Expr { return &Offset{X: p.Ref(), Off: off, Of: text, Member: off} }
	for name, c := range map[string]struct {
		at, size Expr
		want     int64 // -1: not known
	}{
		"constant":        {member(8), NewConst(40, Uint64), 40},
		"array":           {member(8), n.Ref(), 12},
		"in the array":    {&Offset{X: member(8), Off: 3}, n.Ref(), 9},
		"after the array": {&Offset{X: member(8), Off: 12}, n.Ref(), -1},
		"no array":        {member(0), n.Ref(), -1},
		"last member":     {member(24), n.Ref(), -1},
		"no structure":    {&Offset{X: p.Ref(), Off: 8}, n.Ref(), -1},
		"pointer":         {p.Ref(), n.Ref(), -1},
		"union, struct":   {union(Member{Off: 0, Count: 1, Size: 16, Record: head}), n.Ref(), -1},
		"union, scalar":   {union(Member{Off: 0, Count: 1, Size: 8}), n.Ref(), -1},
		"union, array":    {union(Member{Off: 0, Count: 16, Size: 1}), n.Ref(), -1},
		"in a union":      {&Offset{X: union(Member{Off: 0, Count: 1, Size: 2}), Off: 3}, n.Ref(), 1},
		"empty array":     {union(Member{Off: 0, Count: 0, Size: 1}), n.Ref(), -1},
	} {
		got, known := BytesFrom(c.at, c.size)
		if !known {
			got = -1
		}
		if got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}
