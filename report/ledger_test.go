package report

import (
	"fmt"
	"slices"
	"testing"
)

func TestShortened(t *testing.T) {
	few := []string{"integers: signed overflow is absent", "asm at a.c:1 havocked: its outputs", "extern f: its result is arbitrary", "library functions do no more than their models: free, malloc"}
	if got := Shortened(few); !slices.Equal(got, few) {
		t.Errorf("%q", got)
	}
	var many []string
	for i := range 12 {
		many = append(many, fmt.Sprintf("asm at a.c:%d havocked: its outputs", i), fmt.Sprintf("asm at a.c:%d havocked: more", i), fmt.Sprintf("extern f%d: its result is arbitrary", i))
		if i < 10 {
			many = append(many, fmt.Sprintf("order of evaluation at a.c:%d: left to right", i))
		}
	}
	want := []string{
		"asm at a.c:0, a.c:1, a.c:2 and 9 others havocked: its outputs",
		"asm at a.c:0, a.c:1, a.c:2 and 9 others havocked: more",
		"extern f0, f1, f2 and 9 others: its result is arbitrary",
	}
	for i := range 10 {
		want = append(want, fmt.Sprintf("order of evaluation at a.c:%d: left to right", i))
	}
	if got := Shortened(many); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if got := Shortened(nil); got != nil {
		t.Errorf("%q", got)
	}
}
