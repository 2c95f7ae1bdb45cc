package certificate

import "c2bp/logic"

// rules are those that Break breaks.
var rules = map[string]func(*mutations){
	"entry of main":         func(m *mutations) { m.skipEntry = true },
	"entries of procedures": func(m *mutations) { m.skipCallEntry = true },
	"error labels":          func(m *mutations) { m.skipLabels = true },
	"assertions":            func(m *mutations) { m.skipAssertions = true },
	"calls change":          func(m *mutations) { m.callsKeepAll = true },
	"entry before the call": func(m *mutations) { m.lateEntry = true },
	"result is stored":      func(m *mutations) { m.keepResult = true },
	"lengths of arrays":     func(m *mutations) { m.trustCounts = true },
	"every property":        func(m *mutations) { m.skipCoverage = true },
}

// Rules lists their names.
func Rules() (names []string) {
	for n := range rules {
		names = append(names, n)
	}
	return names
}

// Break returns o with rules broken.
func (o Options) Break(names ...string) Options {
	for _, n := range names {
		rules[n](&o.mutate)
	}
	return o
}

// Under is f as a term, with these terms for the predicates.
func (f *Formula) Under(t *logic.Table, now, entry func(int) *logic.Term) *logic.Term {
	return f.under(t, reading{now, entry})
}
