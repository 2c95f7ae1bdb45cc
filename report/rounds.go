package report

import (
	"fmt"

	"c2bp/verdict"
)

// This file shortens traces: of equal iterations of a loop, the first two and the last are shown.

const (
	longestRound = 100 // rows
	shownRounds  = 3
)

// elide shortens rows, inner loops first, until nothing changes.
func elide(rows []row) []row {
	for {
		out := elideOnce(rows)
		if len(out) == len(rows) {
			return out
		}
		rows = out
	}
}

// elideOnce shortens loops that have no loops in them, or whose inner loops are equal and have been
// shortened.
//
//	list.c:12  main:3  push();
//	list.c:12  main:3  push();
//	                   ... 5 rounds like these ...
//	list.c:12  main:3  push();
func elideOnce(rows []row) (out []row) {
	ids := identify(rows)
	// 1. At each row, look for iterations that begin there.
	for i := 0; i < len(rows); {
		length, rounds := repetition(ids[i:])
		if rounds <= shownRounds {
			out = append(out, rows[i])
			i++
			continue
		}
		// 2. Keep two, a row about those left out, and the last one.
		last := i + (rounds-1)*length
		out = append(out, rows[i:i+2*length]...)
		out = append(out, row{gap: true, depth: rows[i].depth, text: fmt.Sprintf("... %d rounds like these ...", rounds-shownRounds)})
		// 3. The last one begins with all that changed in those left out.
		first := rows[last]
		first.before = changesOf(rows[i+2*length : last+1])
		out = append(out, first)
		out = append(out, rows[last+1:last+length]...)
		i = last + length
	}
	return out
}

// identify numbers rows: rows that show the same statement have the same number.
func identify(rows []row) []int {
	type key struct {
		where, node, text, mark string
		depth                   int
	}
	numbers := map[key]int{}
	ids := make([]int, len(rows))
	for i, r := range rows {
		k := key{r.where, r.node, r.text, r.mark, r.depth}
		if numbers[k] == 0 {
			numbers[k] = len(numbers) + 1
		}
		ids[i] = numbers[k]
	}
	return ids
}

// repetition returns the length of the shortest iteration that ids begins with several times, and
// how often it occurs.
func repetition(ids []int) (length, rounds int) {
	for length = 1; length <= longestRound && 2*length <= len(ids); length++ {
		// Count how often the first length rows are repeated.
		rounds = 1
		for (rounds+1)*length <= len(ids) && equal(ids[:length], ids[rounds*length:(rounds+1)*length]) {
			rounds++
		}
		if rounds > shownRounds {
			return length, rounds
		}
	}
	return 1, 1
}

// equal reports whether the first len(a) numbers are the same.
func equal(a, b []int) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// changesOf returns the changes before the rows, merged: of each variable the last.
func changesOf(rows []row) (out []verdict.Value) {
	at := map[string]int{}
	for _, r := range rows {
		for _, v := range r.before {
			if i, ok := at[v.Name]; ok {
				out[i] = v
				continue
			}
			at[v.Name] = len(out)
			out = append(out, v)
		}
	}
	return out
}
