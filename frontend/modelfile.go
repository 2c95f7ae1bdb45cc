package frontend

import (
	"cmp"
	"context"
	"slices"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/core/inline"
	"c2bp/frontend/models"
	"c2bp/source"
)

// This file reads files of models. They are C, and lowered like any other C.

// findModels finds the models of the functions that the program uses and does not define.
// Functions with a fixed meaning, such as assertions, have none. Of several files the last with a
// model counts, also if that model does not fit: f is an external function then.
func (l *linker) findModels(ctx context.Context) {
	// 1. The functions that are used and have no meaning yet.
	var wanted []*function
	for _, f := range l.order {
		if f.def == nil && (f.called || f.addrTaken) && l.aliasTarget(f) == nil && !hasFixedMeaning(modelName(f.name)) {
			wanted = append(wanted, f)
		}
	}
	// 2. The files, the built-in one first.
	files := l.opts.Models
	if !l.opts.NoModels {
		text := l.opts.builtinModels
		if text == nil {
			text = models.Library
		}
		files = append([]*source.File{source.NewFile(models.LibraryName, text)}, files...)
	}
	for i, f := range files {
		builtin := i == 0 && !l.opts.NoModels
		if builtin {
			if !mentionsAny(f, wanted) {
				continue // reading it takes time
			}
			var names []string
			for _, g := range wanted {
				names = append(names, g.modelNames()...)
			}
			f = source.NewFile(f.Name, models.Needed(f.Text, names))
			l.builtin = f
		}
		// 3. The models in the file. A later one replaces an earlier one.
		found, err := l.modelFile(ctx, f, builtin)
		if err != nil {
			l.errs = append(l.errs, err...)
			continue
		}
		for _, g := range wanted {
			var m *model
			for _, name := range g.modelNames() {
				m = cmp.Or(m, found[name])
			}
			if m == nil {
				continue
			}
			g.model = nil
			if why := l.modelFits(m, g); why != "" {
				l.noteMismatch(g, why)
			} else {
				g.model = m
			}
		}
	}
}

// hasFixedMeaning reports whether name is a function that no model stands for. Library functions
// that change nothing, ends of the program and installers of handlers may have models, which take
// precedence.
func hasFixedMeaning(name string) bool {
	switch kindOf(name) {
	case notIntrinsic, library, end, installing:
		return false
	}
	return true
}

// modelNames returns the names under which a model may stand for f: that in C, and else its assembler name.
//
//	extern long real_copy(char *, long) asm("strcpy");      real_copy, strcpy
func (f *function) modelNames() []string {
	names := []string{modelName(f.name)}
	if f.alias != "" && !hasFixedMeaning(modelName(f.alias)) {
		names = append(names, modelName(f.alias))
	}
	return names
}

// mentionsAny reports whether the name of one of the functions occurs in f.
func mentionsAny(f *source.File, funcs []*function) bool {
	for _, g := range funcs {
		if slices.ContainsFunc(g.modelNames(), func(name string) bool { return ccfix.HasWord(string(f.Text), name) }) {
			return true
		}
	}
	return false
}

// modelFile reads the models in a file with a linker of its own, and returns them by name.
// Diagnostics of the file are added to those of the program.
func (l *linker) modelFile(ctx context.Context, file *source.File, builtin bool) (map[string]*model, source.List) {
	opts := Options{Bits32: l.opts.Bits32, UnsignedChar: l.opts.UnsignedChar, ShortWchar: l.opts.ShortWchar, NoModels: true}
	name := ""
	if builtin {
		opts.Defines = l.zeroingFlag()
	} else {
		opts, name = l.opts, file.Name
		opts.Models, opts.Checks = nil, 0
	}
	// Rounding and threads of the program concern the models as well: what floating-point numbers
	// are, and which variables are volatile.
	m := newLinker(opts)
	m.isModels, m.rounds = true, l.rounds
	if err := m.read(ctx, []*source.File{file}); err != nil {
		return nil, m.listed(err)
	}
	m.concurrent = l.concurrent || l.interrupted
	if err := m.lowerModels(ctx); err != nil {
		return nil, m.listed(err)
	}
	if f := m.byKey["exit"]; f != nil && f.def == nil && l.ending != nil {
		l.ledger.add("exit in %s calls none of the functions that are registered for the end of the program", file.Name)
	}
	for _, d := range m.diags {
		l.diags.Add(d)
	}
	for used := range m.modelsUsed {
		l.useModel(used)
	}
	found := map[string]*model{}
	for _, f := range m.defined {
		if f.key == f.name { // not static
			found[f.name] = newModel(f, name, m.assumes[f])
		}
	}
	return found, nil
}

// zeroingFlag defines the bit of an allocation's flags by which the Linux kernel asks for memory that is zero, if
// the files of the program agree on it. Otherwise models do not know of it, and such memory is arbitrary.
func (l *linker) zeroingFlag() []string {
	const name = "___GFP_ZERO"
	value := ""
	for _, tu := range l.tus {
		m := tu.ast.Macros[name]
		if m == nil {
			continue
		}
		// The value is a literal; headers that compute it are not followed.
		tokens := m.ReplacementList()
		if len(tokens) != 1 || tokens[0].Ch != rune(cc.PPNUMBER) || value != "" && value != tokens[0].SrcStr() {
			return nil
		}
		value = tokens[0].SrcStr()
	}
	if value == "" {
		return nil
	}
	return []string{name + "=" + value}
}

// listed returns err as a list of diagnostics.
func (l *sources) listed(err error) source.List {
	if list, ok := err.(source.List); ok {
		return list
	}
	return source.List{{Severity: source.Error, Msg: err.Error()}}
}

// lowerModels lowers the bodies of a file of models. All bodies are lowered: whether a model is
// used is known only at its calls.
func (l *linker) lowerModels(ctx context.Context) error {
	bodies, err := l.declare(ctx)
	if err != nil {
		return err
	}
	for _, b := range bodies {
		for _, v := range append(b.proc.Formals[:len(b.proc.Formals):len(b.proc.Formals)], b.proc.Locals...) {
			if l.concurrent && v.AddrTaken {
				l.share(v)
			}
		}
	}
	// The effects are needed to lower calls among models.
	l.summarise(bodies)
	l.assumes = map[*function][]string{}
	before := l.ledger.lines
	for _, b := range bodies {
		if err := ctx.Err(); err != nil {
			return err
		}
		// The assumptions of each body are kept apart, so that only those of used models are
		// listed.
		l.ledger = ledger{}
		b.lowerBody()
		l.assumes[b.fn] = append(before[:len(before):len(before)], l.ledger.lines...)
	}
	for _, o := range l.ordered {
		if l.present(o) {
			l.error(o.pos, "a file of models has no variables: %s", o.v.Name)
		}
	}
	if len(l.literals) > 0 {
		l.error(l.literals[0].v.Pos, "a file of models has no string literals")
	}
	l.closeModels()
	return l.errs.Err()
}

// closeModels puts the bodies of the functions that models call in the place of the calls, callees
// first. Afterwards the only calls are those through pointers that a model is given. The search is
// depth-first; a recursion is an error.
func (l *linker) closeModels() {
	byProc := map[*core.Proc]*function{}
	for _, f := range l.order {
		byProc[f.proc] = f
	}
	done := map[*function]int{} // 1: begun, 2: closed
	var visit func(f *function)
	visit = func(f *function) {
		done[f] = 1
		for _, n := range f.proc.Nodes {
			core.StmtExprs(n.Stmt, func(e core.Expr) {
				core.Walk(e, func(e core.Expr) bool {
					if _, ok := e.(*core.FuncAddr); ok {
						l.error(n.Pos, "a model takes no address of a function")
					}
					return true
				})
			})
			c, ok := n.Stmt.(*core.Call)
			if !ok || c.Callee == nil {
				continue
			}
			g := byProc[c.Callee]
			switch {
			case g == nil || g.def == nil:
				l.error(n.Pos, "a model calls models only, and functions that it is given: %s is neither", c.Callee.Name)
			case done[g] == 1:
				l.error(n.Pos, "the model of %s calls itself", g.name)
			case done[g] == 0:
				visit(g)
			}
			// A model rests on the assumptions of those that it calls.
			l.assumes[f] = append(l.assumes[f], l.assumes[g]...)
		}
		done[f] = 2
		if l.errs.Err() != nil {
			return
		}
		// All callees are closed by now: copy their bodies.
		inline.Calls(f.proc, func(c *core.Call) bool { return byProc[c.Callee] != nil }, func(like *core.Var) *core.Var {
			v := *like
			v.Name, v.Proc, v.Kind = like.Name+"#"+f.name, f.proc, core.Temp
			if v.AddrTaken {
				v.Kind = core.Local
			}
			f.proc.Locals = append(f.proc.Locals, &v)
			return &v
		})
		if f.proc.Variadic != nil && !mentions(f.proc, f.proc.Variadic) {
			f.proc.Variadic = nil
		}
		if err := inline.Check(f.proc); err != nil {
			l.error(f.pos, "this is no model: %s", err)
		}
	}
	for _, f := range l.defined {
		if done[f] == 0 {
			visit(f)
		}
	}
}
