package frontend

import (
	"os"
	"strings"
	"testing"

	"c2bp/source"
)

// TestHeaderAllocators: models stand for allocators of the kernel's headers, unless their bodies say more.
func TestHeaderAllocators(t *testing.T) {
	const (
		plain = "void *__kmalloc(unsigned long, unsigned);\nstatic inline void *kmalloc(unsigned long n, unsigned f) { return __kmalloc(n, f); }\n"
		zero  = "static inline void *kzalloc(unsigned long n, unsigned f) { return kmalloc(n, f | 0x100); }\n"
		main  = "int main(void) { return kzalloc(4, 1) != 0; }\n"
	)
	for name, c := range map[string]struct {
		header, text string
		opts         Options
		kept         bool
	}{
		"plain":      {"include/linux/slab.h", plain + zero, Options{}, false},
		"elsewhere":  {"include/slab.h", plain + zero, Options{}, true},
		"observed":   {"linux/slab.h", plain + zero, Options{Observed: []string{"kmalloc"}}, true},
		"deeper":     {"linux/slab.h", plain + zero, Options{Observed: []string{"__kmalloc"}}, true},
		"itself":     {"linux/slab.h", plain + zero, Options{Observed: []string{"kzalloc"}}, false},
		"no models":  {"linux/slab.h", plain + zero, Options{NoModels: true}, true},
		"property":   {"linux/slab.h", plain + "void reach_error(void);\n" + strings.Replace(zero, "{ ", "{ if (!n) reach_error(); ", 1), Options{}, true},
		"no memory":  {"linux/slab.h", "static inline void *kmalloc(unsigned long n, unsigned f) { return 0; }\n" + zero, Options{}, true},
		"given file": {"", plain + zero, Options{}, true},
	} {
		c.opts.ReadFile = func(name string) ([]byte, error) {
			if name == c.header {
				return []byte(c.text), nil
			}
			return nil, os.ErrNotExist
		}
		text := "#include \"" + c.header + "\"\n" + main
		if c.header == "" {
			text = c.text + main
		}
		u, err := Load(t.Context(), []*source.File{source.NewFile("a.c", []byte(text))}, c.opts)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if p := u.Program.Proc("kzalloc"); (p != nil && p.HasBody()) != c.kept {
			t.Errorf("%s: the body of kzalloc is kept: %t", name, !c.kept)
		}
	}
}
