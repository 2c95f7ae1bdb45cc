package zingtest

// This file makes the initial state.

// start returns the initial state, or the failure of a static initialiser: all globals have their
// defaults, then the initialisers run in order; each activate method gets a process.
func (m *machine) start() (*state, *Failure) {
	s := &state{heap: map[ref]*object{}}
	for _, g := range m.program.Globals {
		s.globals = append(s.globals, initial(g.Type))
	}
	r := &run{machine: m, state: s, number: -1, env: &frame{}}
	failure := r.attempt(func() {
		for _, g := range m.program.Globals {
			if g.Init != nil {
				s.globals[g.Index] = r.eval(g.Init)
			}
		}
	})
	for _, method := range m.program.Activate {
		f := &frame{method: method, at: m.entry[method.Index]}
		for _, l := range method.Locals {
			f.locals = append(f.locals, initial(l.Type))
		}
		s.processes = append(s.processes, &process{stack: []*frame{f}})
	}
	return s, failure
}
