package prover

import (
	"bytes"
	"crypto/sha256"
	"sort"
	"sync"

	"c2bp/logic"
)

// This file remembers answers.

// Memo maps conjunctions to answers. It is keyed by the structure of the formulas,
// so provers with different tables of terms share one; it is safe for concurrent use.
//
// It holds what searches for cubes found, too (learned.go).
type Memo struct {
	shards  [16]memoShard
	learned learned
}

type memoShard struct {
	mu      sync.Mutex
	answers map[logic.Hash]Answer
}

// maxShard bounds the memory of a memo to some hundred megabytes; beyond, nothing
// is added.
const maxShard = 1 << 18

// NewMemo returns an empty memo.
func NewMemo() *Memo {
	m := &Memo{}
	for i := range m.shards {
		m.shards[i].answers = map[logic.Hash]Answer{}
	}
	return m
}

// Len is the number of conjunctions remembered.
func (m *Memo) Len() int {
	n := 0
	for i := range m.shards {
		s := &m.shards[i]
		s.mu.Lock()
		n += len(s.answers)
		s.mu.Unlock()
	}
	return n
}

func (m *Memo) shard(key logic.Hash) *memoShard { return &m.shards[key[0]&15] }

func (m *Memo) get(key logic.Hash) (Answer, bool) {
	s := m.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok := s.answers[key]
	return a, ok
}

func (m *Memo) put(key logic.Hash, a Answer) {
	s := m.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) < maxShard {
		s.answers[key] = a
	}
}

// memoKey identifies the set of the formulas, whatever their order.
func memoKey(lits []*logic.Term) logic.Hash {
	hashes := make([]logic.Hash, len(lits))
	for i, f := range lits {
		hashes[i] = f.Hash()
	}
	sort.Slice(hashes, func(i, j int) bool { return bytes.Compare(hashes[i][:], hashes[j][:]) < 0 })
	h := sha256.New()
	for i := range hashes {
		h.Write(hashes[i][:])
	}
	return logic.Hash(h.Sum(nil)[:16])
}
