package samples

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"c2bp/abstract"
	"c2bp/alias"
	"c2bp/alias/devirt"
	"c2bp/drivers-samples/families"
	"c2bp/frontend"
	"c2bp/source"
)

// BenchmarkOutside prints how the alias analysis and the abstraction by twenty predicates grow
// with the number of struct types whose objects come from outside.
func BenchmarkOutside(b *testing.B) {
	fmt.Printf("| %5s | %5s | %10s | %10s | %15s | %8s |\n", "types", "lines", "read, s", "aliases, s", "abstraction, s", "queries")
	for range b.N {
		for _, types := range []int{2, 8, 30, 60} {
			outsideRow(b, types)
		}
	}
}

func outsideRow(b *testing.B, types int) {
	b.Helper()
	p := families.Outside(types, 1, false)
	load := func() *frontend.Unit {
		u, err := frontend.Load(context.Background(), []*source.File{source.NewFile(p.Name+".c", []byte(p.Text))}, frontend.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return u
	}
	start := time.Now()
	u := load()
	read := time.Since(start)
	start = time.Now()
	devirt.Resolve(u.Program)
	alias.Analyze(u.Program)
	aliases := time.Since(start)

	u = load() // as it was
	texts, err := abstract.ParsePredicates(source.NewFile(p.Name+".preds", []byte(p.Predicates)))
	if err != nil {
		b.Fatal(err)
	}
	start = time.Now()
	r, err := abstract.Abstract(context.Background(), u.Program, texts, u, abstract.Options{})
	if err != nil {
		b.Fatal(err)
	}
	fmt.Printf("| %5d | %5d | %10.2f | %10.2f | %15.2f | %8d |\n", types, strings.Count(p.Text, "\n"),
		read.Seconds(), aliases.Seconds(), time.Since(start).Seconds(), r.Stats.Prover.Queries)
}
