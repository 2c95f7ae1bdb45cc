package frontend

import (
	"c2bp/frontend/core"
	"c2bp/frontend/harness"
)

// This file puts into the program which numbers functions are given at least, as a convention of the kernel says:
//
//	static inline void *ERR_PTR(long error)       0: assume error >= -4095
//
// A function without a body returns any number, and one that is negative is taken for an error:
//
//	id = idr_alloc(&d->ids, p, 0, 0, GFP_KERNEL);
//	if (id < 0)
//		return ERR_PTR(id);          for an id of -4096 no error, but some address
//
// It is an assumption about drivers to which a harness belongs, as those of changes.go are.

// assumeLeast puts the least numbers into the functions that rows name.
func (u *Unit) assumeLeast(rows map[string]harness.Least) {
	if !u.Program.Unreused {
		return
	}
	for _, p := range u.Program.Procs {
		least, known := rows[p.CName]
		if !known || !p.HasBody() || p == u.Program.Entry || least.Argument >= len(p.Formals) {
			continue
		}
		// A number of the type of the parameter.
		v := p.Formals[least.Argument]
		typ, ok := v.Type.(core.Int)
		if number := core.NewConst(least.Number, core.Int64); ok && typ.Signed && !typ.Float && typ.Contains(number.Val) {
			cond := &core.Binary{Op: core.Ge, X: v.Ref(), Y: core.NewConst(least.Number, typ)}
			u.assumeAt(p, cond, p.CName, core.CString(cond))
		}
	}
	u.Program.Ledger = u.linker.ledger.lines
}
