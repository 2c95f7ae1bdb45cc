package bdd

import (
	"errors"
	"fmt"
	"math"
)

// This file defines the manager: the unique table, the memory of nodes, and limits (Bryant 1986).

// Ref names a function in its Manager. The zero Ref is the constant false.
type Ref int32

// The constants.
const (
	False Ref = 0
	True  Ref = 1
)

// ErrNodeLimit is reported when Options.NodeLimit nodes are in use.
var ErrNodeLimit = errors.New("BDD node limit reached")

// Options configures a Manager. The zero value is ready for use.
type Options struct {
	// NodeLimit bounds the number of nodes, garbage included; 0 is as many as
	// an int32 can name.
	NodeLimit int
	// Poll is asked now and then, about once in 10,000 new nodes; when it
	// returns an error the operation under way fails with it. Use it for
	// cancellation. nil is never.
	Poll func() error
}

const (
	terminalLevel = math.MaxInt32
	freeLevel     = -1 // level of a node on the free list

	firstBuckets = 1 << 10
	firstCache   = 1 << 12
	maxCache     = 1 << 22
	pollEvery    = 1 << 13
)

// node is a vertex: if the variable at level is 0 then lo else hi. next chains
// the nodes of a bucket of the unique table, or the free list.
type node struct {
	level  int32
	lo, hi Ref
	next   Ref
}

// Manager owns a set of nodes over a fixed number of levels. It is not safe for
// concurrent use.
type Manager struct {
	levels  int
	opts    Options
	nodes   []node // 0 and 1 are the constants
	buckets []Ref  // heads of the chains; 0 ends a chain, as the constants are in none
	free    Ref    // head of the free list, 0 if empty
	used    int    // nodes in use, constants included
	peak    int
	collect int // in use when the next collection is due
	polled  int
	cache   []entry
	shifts  []*Shift
	marks   []uint64
	keys    []int32 // memory for Cube and LitCube
	varAt   []int32 // by level: the variable
	levelOf []int32 // by variable: its level
}

// New returns a Manager for functions of the variables at levels 0 … levels-1.
func New(levels int, opts Options) *Manager {
	if opts.NodeLimit <= 0 || opts.NodeLimit > math.MaxInt32 {
		opts.NodeLimit = math.MaxInt32
	}
	m := &Manager{levels: levels, opts: opts, used: 2, peak: 2}
	// The constants are nodes below all levels.
	m.nodes = []node{{level: terminalLevel}, {level: terminalLevel, lo: True, hi: True}}
	m.buckets = make([]Ref, firstBuckets)
	m.cache = make([]entry, firstCache)
	m.collect = m.threshold()
	m.varAt, m.levelOf = make([]int32, levels), make([]int32, levels)
	for l := range m.varAt {
		m.varAt[l], m.levelOf[l] = int32(l), int32(l)
	}
	return m
}

// Levels returns the number of variables.
func (m *Manager) Levels() int { return m.levels }

// Size returns the number of nodes in use, garbage and constants included.
func (m *Manager) Size() int { return m.used }

// Peak returns the largest Size there has been.
func (m *Manager) Peak() int { return m.peak }

// Level returns the present level of the topmost variable of f, counted from 0; Levels() or more
// for a constant.
func (m *Manager) Level(f Ref) int { return int(m.nodes[f].level) }

// Place returns the present level of a variable, which is named by its first level.
func (m *Manager) Place(level int) int { return int(m.level(level)) }

// Lo returns the cofactor of f for its topmost variable being 0.
func (m *Manager) Lo(f Ref) Ref { return m.nodes[f].lo }

// Hi returns the cofactor of f for its topmost variable being 1.
func (m *Manager) Hi(f Ref) Ref { return m.nodes[f].hi }

// Var returns the function that is 1 if the variable is 1.
func (m *Manager) Var(level int) Ref { return m.mk(m.level(level), False, True) }

// NVar returns the function that is 1 if the variable is 0.
func (m *Manager) NVar(level int) Ref { return m.mk(m.level(level), True, False) }

// Lit returns Var(level) if val, else NVar(level).
func (m *Manager) Lit(level int, val bool) Ref {
	if val {
		return m.Var(level)
	}
	return m.NVar(level)
}

// Const returns the constant function val.
func Const(val bool) Ref {
	if val {
		return True
	}
	return False
}

// level returns the present level of a variable.
func (m *Manager) level(v int) int32 { return m.levelOf[m.check(v)] }

// check panics if there is no variable v.
func (m *Manager) check(v int) int32 {
	if v < 0 || v >= m.levels {
		panic(fmt.Sprintf("bdd: variable %d of %d", v, m.levels))
	}
	return int32(v)
}

// mk returns the node (level, lo, hi), which is reduced and unique: an old one if there is one.
func (m *Manager) mk(level int32, lo, hi Ref) Ref {
	if lo == hi {
		return lo
	}
	if m.nodes[lo].level <= level || m.nodes[hi].level <= level {
		panic("bdd: variables out of order") // a Shift that does not keep the order
	}
	// 1. Look it up in the unique table.
	h := hash(uint32(level), uint32(lo), uint32(hi)) & uint32(len(m.buckets)-1)
	for r := m.buckets[h]; r != 0; r = m.nodes[r].next {
		if n := &m.nodes[r]; n.level == level && n.lo == lo && n.hi == hi {
			return r
		}
	}
	// 2. Make it. The table has at least as many buckets as nodes.
	if m.used >= len(m.buckets) {
		m.grow()
		h = hash(uint32(level), uint32(lo), uint32(hi)) & uint32(len(m.buckets)-1)
	}
	r := m.alloc()
	m.nodes[r] = node{level, lo, hi, m.buckets[h]}
	m.buckets[h] = r
	return r
}

// alloc takes a node from the free list or the end of the table. It panics with a failure at the
// node limit and when Options.Poll reports an error.
func (m *Manager) alloc() Ref {
	if m.used >= m.opts.NodeLimit {
		panic(failure{ErrNodeLimit})
	}
	// Poll once in a while: cancellation need not be immediate.
	if m.polled++; m.polled >= pollEvery && m.opts.Poll != nil {
		m.polled = 0
		if err := m.opts.Poll(); err != nil {
			panic(failure{err})
		}
	}
	return m.take()
}

// take takes a node like alloc, without limits.
func (m *Manager) take() Ref {
	if m.used++; m.used > m.peak {
		m.peak = m.used
	}
	// Reuse a freed node before growing.
	if r := m.free; r != 0 {
		m.free = m.nodes[r].next
		return r
	}
	m.nodes = append(m.nodes, node{})
	return Ref(len(m.nodes) - 1)
}

// grow doubles the unique table and the cache.
func (m *Manager) grow() {
	m.buckets = make([]Ref, 2*len(m.buckets))
	m.rehash()
	// The cache grows with the table, and keeps its entries.
	if len(m.cache) < maxCache {
		old := m.cache
		m.cache = make([]entry, 2*len(old))
		for i := range old {
			if e := &old[i]; e.op != opNone {
				*m.slot(e.op, e.a, e.b, e.c) = *e
			}
		}
	}
}

// rehash puts all nodes in use into the unique table, which is empty.
func (m *Manager) rehash() {
	mask := uint32(len(m.buckets) - 1)
	for i := 2; i < len(m.nodes); i++ {
		// Free nodes are in no bucket.
		n := &m.nodes[i]
		if n.level == freeLevel {
			continue
		}
		h := hash(uint32(n.level), uint32(n.lo), uint32(n.hi)) & mask
		n.next = m.buckets[h]
		m.buckets[h] = Ref(i)
	}
}

// hash mixes three words; the constants are odd numbers of no special meaning.
func hash(a, b, c uint32) uint32 {
	h := a*0x9e3779b1 ^ b*0x85ebca77 ^ c*0xc2b2ae3d
	h ^= h >> 15
	h *= 0x2c1b3c6d
	return h ^ h>>13
}

// failure is the panic value of an operation that cannot continue.
type failure struct{ err error }

// Catch is deferred at the border of a computation. It stores in *err why an operation failed:
// ErrNodeLimit, or the error of Options.Poll. Other panics pass.
func Catch(err *error) {
	switch r := recover().(type) {
	case nil:
	case failure:
		*err = r.err
	default:
		panic(r)
	}
}

// Check fails like an operation if Options.Poll reports an error.
func (m *Manager) Check() {
	if m.opts.Poll != nil {
		if err := m.opts.Poll(); err != nil {
			panic(failure{err})
		}
	}
}
