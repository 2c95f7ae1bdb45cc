package alias

import "testing"

// TestPartOf: a place as a part of the struct that a pointer is declared to point to.
func TestPartOf(t *testing.T) {
	for _, c := range []struct {
		what  string
		place typed
		at    address
		want  string // "" for none
	}{
		{"a member", scalarOf(4), address{off: 0}, "struct dev +0:4"},
		{"a member of a member", scalarOf(8), address{off: 16}, "struct dev +16:8"},
		{"a struct in it", in64(listType, 8, 8), address{off: 8}, "struct dev +16:8"},
		{"half a member", scalarOf(4), address{off: 8}, ""},
		{"where two members meet", scalarOf(8), address{off: 12}, ""},
		{"in front of it", scalarOf(4), address{off: -4}, ""},
		{"behind it", scalarOf(4), address{off: 80}, ""},
		{"the struct itself", in64(devType, 0, 4), address{off: 0}, ""},
		{"elements of an array", in64(listType, 0, 8), address{off: 32, stride: 16, count: 3}, "struct dev +32+16k(3):8"},
		{"one element too many", in64(listType, 0, 8), address{off: 32, stride: 16, count: 4}, ""},
		{"an array without an end", in64(listType, 0, 8), address{off: 32, stride: 16}, ""},
	} {
		got := ""
		if p, ok := c.place.in(devType, c.at); ok {
			got = p.shape.String() + " " + p.cell.String()
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.what, got, c.want)
		}
	}
}
