package certificate_test

import (
	"context"
	"fmt"

	"c2bp/frontend"
	"c2bp/refine/certificate"
	"c2bp/source"
)

// The certificate of the package comment, and its verdict if the program changes.
func ExampleValidateFile() {
	const text = `
		int x;
		void inc(void) { x = x + 1; }
		int main(void) { x = %d; inc(); assert(x == 2); return 0; }`
	const cert = `
		(certificate 1
		  (global
		    (predicate g0 (== (var x) (const int32 2)))
		    (predicate g1 (== (var x) (const int32 1))))
		  (procedure inc
		    (node 0 (iff g1 (entry g1)))
		    (node 1 (iff g0 (entry g1))))
		  (procedure main
		    (node 0 true)
		    (node 1 true)
		    (node 2 g1)
		    (node 3 g0)
		    (node 4 true)
		    (node 5 true)))`
	for _, start := range []int{1, 2} {
		file := source.NewFile("x.c", fmt.Appendf(nil, text, start))
		unit, err := frontend.Load(context.Background(), []*source.File{file}, frontend.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		r, err := certificate.ValidateFile(context.Background(), source.NewFile("x.cert", []byte(cert)), unit.Program, certificate.Options{})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(r.Summary())
	}
	// Output:
	// VALID
	// REJECTED (main:1: the invariant of main:2 does not follow)
}
