package frontend

import (
	"path"
	"slices"
	"strings"
)

// This file finds the functions of the Linux kernel's headers that allocate memory, or free it. Their models stand for them: a
// model is copied to each call, so that each call makes objects of its own, and the bodies only choose among
// functions without a body that allocate alike, by sizes that the compiler may or may not know.
//
//	static inline void *kzalloc(size_t n, gfp_t flags) { return kmalloc(n, flags | __GFP_ZERO); }
//	static inline void *kmalloc(size_t n, gfp_t flags)
//	{ if (__builtin_constant_p(n) && …) return kmalloc_trace(kmalloc_caches[…][…], flags, n); return __kmalloc(n, flags); }
//
// dma_alloc_coherent and dma_free_coherent, for memory that a device uses as well, come to dma_alloc_attrs and dma_free_attrs.

// headerAllocators are such functions, by the ends of the names of their headers.
var headerAllocators = map[string][]string{
	"linux/slab.h": {
		"kmalloc", "kmalloc_node", "kmalloc_array", "kzalloc", "kzalloc_node", "kcalloc",
		"kvmalloc", "kvzalloc", "kvmalloc_array", "kvcalloc",
	},
	"linux/mm.h":     {"kvmalloc", "kvzalloc", "kvmalloc_array", "kvcalloc"},
	"linux/device.h": {"devm_kzalloc", "devm_kmalloc_array", "devm_kcalloc"},
	"linux/dma-mapping.h": {
		"dma_alloc_coherent", "dma_alloc_wc", "dmam_alloc_coherent", "dma_free_coherent", "dma_free_wc",
	},
}

// kernelAllocators are the functions without a body that they come to.
var kernelAllocators = []string{
	"__kmalloc", "__kmalloc_node", "kmalloc_trace", "kmalloc_node_trace", "kmalloc_large", "kmalloc_large_node",
	"kvmalloc_node", "devm_kmalloc", "dma_alloc_attrs", "dmam_alloc_attrs", "dma_free_attrs",
}

// isHeaderAllocator reports whether a model may stand for the body of f. A body that says more than to allocate has
// no model: one with a property in it, or one that calls a function whose calls are observed.
func (l *program) isHeaderAllocator(f *function) bool {
	listed := false
	for header, names := range headerAllocators {
		listed = listed || slices.Contains(names, f.name) && (f.pos.File == header || strings.HasSuffix(path.Clean(f.pos.File), "/"+header))
	}
	if !listed {
		return false
	}
	// 1. Everything that the body mentions, directly or through bodies that it mentions.
	allocates, seen := false, map[*function]bool{f: true}
	for work := []*function{f}; len(work) > 0; work = work[1:] {
		for _, g := range l.mentionedBy(work[0].def).functions {
			if seen[g] {
				continue
			}
			seen[g] = true
			// 2. Calls that somebody waits for.
			if kind := kindOf(g.name); slices.Contains(l.opts.Observed, g.name) || kind == assertion || kind == failure {
				return false
			}
			// 3. The kernel's allocator.
			switch {
			case g.def != nil:
				work = append(work, g)
			case slices.Contains(kernelAllocators, g.name):
				allocates = true
			}
		}
	}
	return allocates
}
