package cgen

import (
	"hash/fnv"
	"regexp"
	"strings"
	"testing"
)

// TestDeterminism: a seed stands for one program, and seeds for different ones.
func TestDeterminism(t *testing.T) {
	seen := map[string]uint64{}
	for seed := uint64(0); seed < 50; seed++ {
		p := Generate(seed, Options{})
		if p != Generate(seed, Options{}) {
			t.Errorf("seed %d gives two programs", seed)
		}
		if other, ok := seen[p]; ok {
			t.Errorf("seeds %d and %d give one program", other, seed)
		}
		seen[p] = seed
	}
}

// TestCoverage: what the package comment promises does occur.
func TestCoverage(t *testing.T) {
	var all strings.Builder
	for seed := uint64(0); seed < 60; seed++ {
		all.WriteString(Generate(seed, Options{Prefix: "q_"}))
	}
	for _, want := range []string{
		`\bgoto q_L`, `\bswitch \(`, `case -?\d+ \.\.\. -?\d+:`, `default:`, `\bdo$`, `\bwhile \(`, `\bfor \(`, `\bcontinue;`, `\bbreak;`,
		`\breturn q_`, `static \w+ q_s\d+ =`, `depth - 1`, `\?:`, ` \? `, `&&`, `\|\|`, `\(\{`, `\+\+;`, `--`, `\+=`, `-=`, `\*=`, `/=`, `%=`,
		`>>=`, `&=`, `\|=`, `\^=`, `>>`, `<<`, `~`, `!`, `sizeof\(`, `_Bool q_`, `signed char q_`, `unsigned long long q_`, `unsigned short q_`,
		`\(_Bool\)`, `\(unsigned char\)`, `'\\377'`, `q_D`, `0x7fffffffffffffffL`, `{ \w+ q_g\d+ =`,
	} {
		if !regexp.MustCompile(`(?m)` + want).MatchString(all.String()) {
			t.Errorf("no program matches %s", want)
		}
	}
}

// TestMemoryCoverage: programs with memory have every construct, each at least some.
func TestMemoryCoverage(t *testing.T) {
	const n = 100
	counts := make([]int, len(Constructs))
	for seed := range uint64(n) {
		p := Generate(seed, Options{Memory: true})
		if seed < 20 && p != Generate(seed, Options{Memory: true}) {
			t.Errorf("seed %d gives two programs", seed)
		}
		for i, c := range Constructs {
			if c.In(p) {
				counts[i]++
			}
		}
	}
	for i, c := range Constructs {
		t.Logf("%3d of %d programs: %s", counts[i], n, c.Name)
		if counts[i] < n/30 {
			t.Errorf("only %d of %d programs have: %s", counts[i], n, c.Name)
		}
	}
}

// TestUnchanged: what programs without memory a seed stands for does not change, since
// seeds are written down in tests and reports.
func TestUnchanged(t *testing.T) {
	h := fnv.New64a()
	for seed := range uint64(50) {
		h.Write([]byte(Generate(seed, Options{})))
	}
	if got := h.Sum64(); got != 0xd67c6da1fab51754 {
		t.Errorf("the programs are others: %#x", got)
	}
}

// TestSplit: operands without an order between them never disturb each other.
func TestSplit(t *testing.T) {
	v, g := variable{name: "v"}, variable{name: "g", global: true}
	gen := &generator{rng: newRand(1), prefix: "p_"}
	for i := 0; i < 1000; i++ {
		active := 0
		parts := gen.split(effects{write: []variable{v, g}, call: true}, 3)
		for _, p := range parts {
			if len(p.write) > 0 || p.call {
				active++
			}
		}
		for _, p := range parts {
			if active > 0 && len(p.write) == 0 && (p.visible(v) || p.visible(g)) {
				t.Fatal("an operand sees what another one writes")
			}
		}
		if active > 1 {
			t.Fatal("two operands have side effects")
		}
	}
}
