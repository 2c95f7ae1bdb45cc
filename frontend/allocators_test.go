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

// TestDeviceMemory: models stand for the functions of headers that allocate and free memory for devices.
func TestDeviceMemory(t *testing.T) {
	const header = `
typedef unsigned long long dma_addr_t;
struct device;
void *dma_alloc_attrs(struct device *d, unsigned long n, dma_addr_t *h, unsigned f, unsigned long a);
void dma_free_attrs(struct device *d, unsigned long n, void *p, dma_addr_t h, unsigned long a);
static inline void *dma_alloc_coherent(struct device *d, unsigned long n, dma_addr_t *h, unsigned f) { return dma_alloc_attrs(d, n, h, f, f & 8 ? 256 : 0); }
static inline void dma_free_coherent(struct device *d, unsigned long n, void *p, dma_addr_t h) { return dma_free_attrs(d, n, p, h, 0); }
static inline void *dma_alloc_wc(struct device *d, unsigned long n, dma_addr_t *h, unsigned f) { return 0; }
`
	const text = `
#include "linux/dma-mapping.h"
int main(void)
{
	dma_addr_t h;
	void *p = dma_alloc_coherent(0, 4, &h, 0), *q = dma_alloc_wc(0, 4, &h, 0);
	dma_free_coherent(0, 4, p, h);
	return q != 0;
}
`
	opts := Options{ReadFile: func(name string) ([]byte, error) {
		if name == "linux/dma-mapping.h" {
			return []byte(header), nil
		}
		return nil, os.ErrNotExist
	}}
	u, err := Load(t.Context(), []*source.File{source.NewFile("a.c", []byte(text))}, opts)
	if err != nil {
		t.Fatal(err)
	}
	// A body that allocates nothing stays.
	for name, kept := range map[string]bool{"dma_alloc_coherent": false, "dma_free_coherent": false, "dma_alloc_wc": true} {
		if p := u.Program.Proc(name); (p != nil && p.HasBody()) != kept {
			t.Errorf("the body of %s is kept: %t", name, !kept)
		}
	}
}
