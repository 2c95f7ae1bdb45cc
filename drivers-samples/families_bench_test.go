package samples

import (
	"fmt"
	"testing"

	"c2bp/drivers-samples/families"
	"c2bp/refine"
)

// growth has members of the families in order of size, in pairs of a safe and an unsafe program.
var growth = []struct {
	name  string
	sizes []int
	make  func(size int, unsafe bool) families.Program
}{
	{"locks", []int{1, 2, 4, 8, 16}, families.Locks},
	{"states", []int{4, 8, 16, 30}, func(n int, unsafe bool) families.Program { return families.Handshake(n, 3*n, 1, unsafe) }},
	{"procedures", []int{4, 8, 20}, func(n int, unsafe bool) families.Program { return families.Driver(n, 1, unsafe) }},
}

// BenchmarkFamilies prints how the work of an audit grows with the size of a program. An audit that
// takes longer than C2BP_AUDIT_TIME, 20 s, is UNKNOWN; then the larger ones are left out.
func BenchmarkFamilies(b *testing.B) {
	fmt.Printf("| %-28s | %-13s | %s |\n", "program", "size", auditHead)
	limit := auditLimit(b)
	for range b.N {
		for _, f := range growth {
			for _, unsafe := range []bool{false, true} {
				for _, n := range f.sizes {
					p := f.make(n, unsafe)
					if auditRow(b, p.Name, p.Text, fmt.Sprint(n, " ", f.name), p.Want, refine.Options{}, limit).decided == 0 {
						break
					}
				}
			}
		}
	}
}
