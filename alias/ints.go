package alias

// This file defines sets of numbers as sorted lists, which are small and quick to
// walk; most points-to sets have a few members.

// has reports whether sorted list s holds x.
func has(s []int32, x int32) bool {
	lo, hi := 0, len(s)
	for lo < hi {
		m := int(uint(lo+hi) / 2)
		if s[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo < len(s) && s[lo] == x
}

// minus is the members of a that are not in b, appended to out.
func minus(out, a, b []int32) []int32 {
	if len(b) > 16*len(a) {
		for _, x := range a {
			if !has(b, x) {
				out = append(out, x)
			}
		}
		return out
	}
	j := 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j == len(b) || b[j] != x {
			out = append(out, x)
		}
	}
	return out
}

// union is the members of a and b in a new list; a itself if b adds nothing.
func union(a, b []int32) []int32 {
	if len(b) == 0 {
		return a
	}
	if len(a) == 0 || a[len(a)-1] < b[0] {
		return append(a, b...)
	}
	out := make([]int32, 0, len(a)+len(b))
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] < b[j]:
			out = append(out, a[i])
			i++
		case a[i] > b[j]:
			out = append(out, b[j])
			j++
		default:
			out = append(out, a[i])
			i++
			j++
		}
	}
	return append(append(out, a[i:]...), b[j:]...)
}

// intersection is the common members of a and b in a new list.
func intersection(a, b []int32) []int32 {
	var out []int32
	j := 0
	for _, x := range a {
		for j < len(b) && b[j] < x {
			j++
		}
		if j < len(b) && b[j] == x {
			out = append(out, x)
		}
	}
	return out
}
