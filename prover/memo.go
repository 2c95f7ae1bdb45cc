package prover

import (
	"sync"

	"c2bp/logic"
)

// This file defines the memo of answers.

// Memo maps conjunctions to answers. It is keyed by the structure of the formulas,
// so provers with different tables of terms share one; it is safe for concurrent use.
type Memo struct {
	shards [16]memoShard

	once      sync.Once
	extension any // see Extension, which makes it once
}

// memoShard is a part of a memo with a lock of its own.
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

// Extension returns the results that a package above remembers along with the answers, for all
// provers that share m: the value of create, which is called once.
func (m *Memo) Extension(create func() any) any {
	m.once.Do(func() { m.extension = create() })
	return m.extension
}

// Len returns the number of conjunctions remembered.
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

// shard returns the part that key belongs to.
func (m *Memo) shard(key logic.Hash) *memoShard { return &m.shards[key[0]&15] }

// get returns the answer under key; ok is false if there is none.
func (m *Memo) get(key logic.Hash) (a Answer, ok bool) {
	s := m.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	a, ok = s.answers[key]
	return a, ok
}

// put remembers an answer, while there is room.
func (m *Memo) put(key logic.Hash, a Answer) {
	s := m.shard(key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.answers) < maxShard {
		s.answers[key] = a
	}
}
