package report

import (
	"strconv"
	"strings"
	"testing"

	"c2bp/verdict"
)

// loopRows are the rows of nested loops: outer rounds of a, inner rounds of b, and c.
func loopRows(outer, inner int) (rows []row) {
	count := 0
	add := func(text string) {
		rows = append(rows, row{text: text, before: []verdict.Value{{Name: text, Val: strconv.Itoa(count)}}})
		count++
	}
	for range outer {
		add("a")
		for range inner {
			add("b")
		}
		add("c")
	}
	return rows
}

func TestElide(t *testing.T) {
	for _, c := range []struct {
		outer, inner int
		want         string
	}{
		{1, 3, "a b b b c"},
		{1, 10, "a b b (7) b c"},
		{5, 10, "a b b (7) b c a b b (7) b c (2) a b b (7) b c"},
		{5, 0, "a c a c (2) a c"},
	} {
		var got []string
		rows := elide(loopRows(c.outer, c.inner))
		for _, r := range rows {
			if r.gap {
				r.text = "(" + strings.Fields(r.text)[1] + ")"
			}
			got = append(got, r.text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%d rounds of %d: %s, want %s", c.outer, c.inner, s, c.want)
		}
		// Whatever is left out, the reader ends up with the same values.
		if told, want := toldBy(rows), toldBy(loopRows(c.outer, c.inner)); told["a"] != want["a"] || told["b"] != want["b"] || told["c"] != want["c"] {
			t.Errorf("%d rounds of %d: told %v, want %v", c.outer, c.inner, told, want)
		}
	}
}

func toldBy(rows []row) map[string]string {
	m := map[string]string{}
	for _, r := range rows {
		for _, v := range r.before {
			m[v.Name] = v.Val
		}
	}
	return m
}
