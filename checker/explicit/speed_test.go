package explicit

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// flips is a flat model: a loop in which any of n bits is turned over.
func flips(n int) string {
	var b strings.Builder
	b.WriteString("decl ")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "b%d", i)
	}
	b.WriteString(";\nvoid main() begin\n")
	for i := range n {
		fmt.Fprintf(&b, "b%d := 0;", i)
	}
	b.WriteString("\nL: goto ")
	for i := range n {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "L%d", i)
	}
	b.WriteString(";\n")
	for i := range n {
		fmt.Fprintf(&b, "L%d: b%d := !b%d; goto L;\n", i, i, i)
	}
	b.WriteString("end\n")
	return b.String()
}

func TestSpeed(t *testing.T) {
	g := parsed(t, flips(14))
	s := time.Now()
	w, err := SearchWhole(context.Background(), g)
	d := time.Since(s)
	fmt.Println(w.States, w.Steps, w.Bytes/w.States, err, d, float64(w.States)/d.Seconds())
	allocs := testing.AllocsPerRun(1, func() { SearchWhole(context.Background(), g) })
	fmt.Println("allocs", allocs)
}
