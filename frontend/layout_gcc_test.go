package frontend

import (
	"bytes"
	"debug/elf"
	bytesOrder "encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"modernc.org/cc/v4"

	"c2bp/internal/testkit"
)

// These tests hold layouts against gcc's. gcc compiles constants only, so 32-bit systems
// can be checked without their libraries.

// layoutAnswers are the numbers that describe a record: size, __alignof__, _Alignof, and
// where its members start, in bits.
type layoutAnswers map[string]int64

// gccLayouts asks gcc.
func gccLayouts(t *testing.T, g *layoutGen) []layoutAnswers {
	t.Helper()
	var c strings.Builder
	c.WriteString(g.text.String())
	for i, r := range g.records {
		fmt.Fprintf(&c, "const long long n%d[] = { sizeof(%s), __alignof__(%s), _Alignof(%s)", i, r.typ, r.typ, r.typ)
		for _, m := range r.members {
			if !m.bitField {
				fmt.Fprintf(&c, ", __builtin_offsetof(%s, %s)", r.typ, m.path)
			}
		}
		c.WriteString(" };\n")
		for j, m := range r.members {
			if m.bitField {
				value := "-1"
				if m.isBool {
					value = "1"
				}
				fmt.Fprintf(&c, "const %s b%d_%d = { .%s = %s };\n", r.typ, i, j, m.path, value)
			}
		}
	}
	symbols := compiled(t, c.String(), g.bits32)
	var out []layoutAnswers
	for i, r := range g.records {
		a := layoutAnswers{}
		data := symbols[fmt.Sprintf("n%d", i)]
		next := func() int64 {
			v := int64(bytesOrder.LittleEndian.Uint64(data))
			data = data[8:]
			return v
		}
		a["size"], a["__alignof__"], a["_Alignof"] = next(), next(), next()
		for j, m := range r.members {
			if m.bitField {
				a[m.path] = firstBit(symbols[fmt.Sprintf("b%d_%d", i, j)])
			} else {
				a[m.path] = 8 * next()
			}
		}
		out = append(out, a)
	}
	return out
}

// firstBit is the number of the first bit that is set.
func firstBit(data []byte) int64 {
	for i, b := range data {
		for bit := range 8 {
			if b>>bit&1 != 0 {
				return int64(8*i + bit)
			}
		}
	}
	return -1
}

// compiled compiles text, with further flags, and returns the bytes of the objects that it defines.
func compiled(t *testing.T, text string, bits32 bool, flags ...string) map[string][]byte {
	t.Helper()
	dir := t.TempDir()
	file, object := filepath.Join(dir, "a.c"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	mode := "-m64"
	if bits32 {
		mode = "-m32"
	}
	if out, err := exec.Command("gcc", append(flags, "-w", "-std=gnu11", "-c", mode, "-o", object, file)...).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%s", err, out)
	}
	f, err := elf.Open(object)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	symbols, err := f.Symbols()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, s := range symbols {
		if int(s.Section) >= len(f.Sections) || elf.ST_TYPE(s.Info) != elf.STT_OBJECT {
			continue
		}
		section := f.Sections[s.Section]
		data := make([]byte, section.Size)
		if section.Type != elf.SHT_NOBITS {
			if data, err = section.Data(); err != nil {
				t.Fatal(err)
			}
		}
		out[s.Name] = bytes.Clone(data[s.Value : s.Value+s.Size])
	}
	return out
}

// ownLayouts are our answers; those of a record that is not known are nil.
func ownLayouts(t *testing.T, g *layoutGen) []layoutAnswers {
	t.Helper()
	var c strings.Builder
	c.WriteString(g.text.String())
	for i, r := range g.records {
		fmt.Fprintf(&c, "%s x%d;\n", r.typ, i)
	}
	c.WriteString("int main(void) { return 0; }\n")
	u := mustLoad(t, c.String(), Options{Bits32: g.bits32})
	var out []layoutAnswers
	for i, r := range g.records {
		typ := u.linker.objects[fmt.Sprintf("x%d", i)].typ
		out = append(out, describe(u.linker, typ, r))
	}
	return out
}

// describe describes typ, the type of r.
func describe(l *linker, typ cc.Type, r layoutRecord) layoutAnswers {
	a := layoutAnswers{}
	known := l.layouts.Of(typ).Known
	a["size"] = l.layouts.Of(typ).Size
	a["__alignof__"], _ = l.layouts.AlignOf("__alignof__", typ)
	a["_Alignof"], _ = l.layouts.AlignOf("_Alignof", typ)
	for _, m := range r.members {
		t, bits := typ, int64(0)
		for _, name := range strings.Split(m.path, ".") {
			path := l.layouts.FindMember(t, name, 0)
			if path == nil {
				return nil
			}
			for _, f := range path {
				p, ok := l.layouts.OwnPosition(f)
				known = known && ok
				bits += 8*p.Byte + int64(p.Bit)
			}
			t = path[0].Type()
		}
		a[m.path] = bits
	}
	if !known {
		return nil
	}
	return a
}

// compareLayouts counts the records that are known, and reports differences.
func compareLayouts(g *layoutGen, want, got []layoutAnswers, report func(format string, args ...any)) (known int) {
	for i, r := range g.records {
		if got[i] == nil {
			continue
		}
		known++
		for _, key := range sortedKeys(want[i]) {
			if want[i][key] != got[i][key] {
				report("%s, %s: %d, gcc has %d", r.typ, key, got[i][key], want[i][key])
				break
			}
		}
	}
	return known
}

const layoutRecords = 60 // of one seed

// TestLayoutsAgainstGCC compares the layouts of random structs and unions.
func TestLayoutsAgainstGCC(t *testing.T) {
	testkit.NeedGCC(t)
	seeds := testkit.Count[uint64](6, 200)
	for _, bits32 := range []bool{false, true} {
		known, all, members := 0, 0, 0
		for seed := uint64(1); seed <= seeds; seed++ {
			g := generateLayouts(seed, bits32, seed%2 == 0, layoutRecords)
			failed := false
			known += compareLayouts(g, gccLayouts(t, g), ownLayouts(t, g), func(format string, args ...any) {
				t.Errorf("seed %d, 32 bits: %v: %s", seed, bits32, fmt.Sprintf(format, args...))
				failed = true
			})
			all += len(g.records)
			for _, r := range g.records {
				members += len(r.members)
			}
			if failed {
				t.Logf("%s", g.text.String())
				return
			}
		}
		t.Logf("32 bits: %v: %d of %d layouts known, %d members", bits32, known, all, members)
		if known < all*95/100 {
			t.Errorf("32 bits: %v: only %d of %d layouts are known", bits32, known, all)
		}
	}
}
