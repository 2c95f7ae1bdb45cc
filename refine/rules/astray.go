package rules

import (
	"fmt"
	"slices"
	"strings"

	"c2bp/refine"
	"c2bp/verdict"
)

// This file looks for failures of drivers that rest on elements of lists that do not lead back:
//
//	spin_lock(host->lock);
//	list_for_each_entry(dev, &host->devices, siblings)
//		if (dev->gone) {
//			spin_unlock(dev->host->lock);      another host
//			return;
//		}
//
// The list is the kernel's, and so is the pointer. It nearly always leads to the struct that has the list, but nothing in the
// program says so. A rule is undecided if all its failing runs rest on one that does not (verdict.BackChoice).

// astray returns o, undecided if all its failures are such ones.
func astray(o *refine.Outcome) *refine.Outcome {
	if o.Result.Verdict != verdict.False {
		return o
	}
	var list []string
	for _, f := range o.Failures {
		i := slices.IndexFunc(f.RestsOn, func(c verdict.Choice) bool { return c.Kind == verdict.BackChoice })
		if i < 0 {
			return o
		}
		if c := f.RestsOn[i]; !slices.Contains(list, c.Text) {
			list = append(list, fmt.Sprintf("%s (%s:%d)", c.Text, c.Pos.File, c.Pos.Line))
		}
	}
	return undecided(o, "a run fails in which "+strings.Join(list, ", and "))
}
