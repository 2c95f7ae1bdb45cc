// Package quickxplain finds minimal parts of lists (QuickXplain, Junker 2004): of conditions that
// contradict each other, which few do; of guesses that together prove something, which are needed.
//
// The property asked for must be one that a list keeps when it grows. With k members in the answer
// and n in the list it takes some 2k·log(n/k) + 2k questions, where leaving out one member after the
// other takes n.
package quickxplain

import "slices"

// Minimal returns a part of list that has a property together with given, and no proper part of which
// has. It is empty if given alone has it. Of several such parts it is the one that keeps to the front of
// the list: late members are left out rather than early ones. The members stay in order; has
// gets those of given first.
func Minimal[T any](list, given []T, has func([]T) bool) []T {
	if len(list) == 0 || has(given) {
		return nil
	}
	return minimal(list, given, false, has)
}

// minimal is Minimal; fresh says that given has grown since it was last found without the property.
func minimal[T any](list, given []T, fresh bool, has func([]T) bool) []T {
	// 1. What was found so far is enough: none of list is needed.
	if fresh && has(given) {
		return nil
	}
	// 2. It is not enough without list, so a single member is needed.
	if len(list) == 1 {
		return list
	}
	// 3. What is needed of the late half if all of the early one is there, and then of the early one.
	half := len(list) / 2
	early, late := list[:half], list[half:]
	b := minimal(late, slices.Concat(given, early), true, has)
	a := minimal(early, slices.Concat(given, b), len(b) > 0, has)
	return slices.Concat(a, b)
}
