package prover

import "sync"

// This file keeps provers for later use. A Z3 context takes some 10 ms to make, and much memory,
// which Go's garbage collector does not see; an abstraction that is made again and again had better
// reuse the provers of the previous time.

// Stock holds provers that are not in use; it is safe for concurrent use.
type Stock struct {
	mu   sync.Mutex
	free []*Prover
}

// Take returns a prover with no work counted: one from the stock, or else a new one with the memo
// and options. All provers of a stock must have the same memo and options.
func (s *Stock) Take(memo *Memo, opts Options) *Prover {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.free); n > 0 {
		p := s.free[n-1]
		s.free = s.free[:n-1]
		return p
	}
	return New(memo, opts)
}

// Return gives back a prover that Take returned. One that met an internal error is closed.
func (s *Stock) Return(p *Prover) {
	if _, internal := p.err.(*InternalError); internal {
		p.Close()
		return
	}
	// The context stays, with the expressions made in it; the work is counted from 0 again.
	p.stats, p.err = Stats{}, nil
	s.mu.Lock()
	defer s.mu.Unlock()
	s.free = append(s.free, p)
}

// Close closes the provers in the stock.
func (s *Stock) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.free {
		p.Close()
	}
	s.free = nil
}
