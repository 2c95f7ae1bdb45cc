package boolprog

import (
	"fmt"
	"slices"
)

// This file suggests corrections of misspelt names.

// nearest returns `: did you mean "x"?` for the candidate that is closest to name, or "" if none is
// close: lock for lokc, and nothing for l. The order of candidates does not matter; they are sorted
// in place.
func nearest(name string, candidates []string) string {
	// At most two edits, and fewer for short names.
	best, bestDist := "", min(2, len(name)/2)+1
	// In alphabetical order, so that of equally close names always the same one is suggested.
	slices.Sort(candidates)
	for _, c := range candidates {
		if d := distance(name, c, bestDist); d < bestDist {
			best, bestDist = c, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(`: did you mean "%s"?`, best)
}

// distance returns the edit distance of a and b, with swaps of neighbours (optimal string
// alignment), or limit if it is not less. From lokc to lock it is 1.
func distance(a, b string, limit int) int {
	// The lengths alone may tell; very long names are not compared.
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit || len(a) > 200 {
		return limit
	}
	var before, prev, row []int // rows of the edit matrix
	for j := range len(b) + 1 {
		prev = append(prev, j)
	}
	// Fill the edit matrix row by row.
	for i := 1; i <= len(a); i++ {
		row = append(make([]int, 0, len(b)+1), i)
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			// Insert, delete or replace; or swap two neighbours.
			d := min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row = append(row, d)
		}
		before, prev = prev, row
	}
	return min(prev[len(b)], limit)
}
