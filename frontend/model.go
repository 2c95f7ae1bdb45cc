package frontend

import (
	"fmt"
	"sort"
	"strings"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/checks"
	"c2bp/frontend/core"
	"c2bp/frontend/core/inline"
	"c2bp/frontend/ctree"
	"c2bp/source"
)

// This file puts models in the place of functions that the program declares and does not
// define. A model is a C function, see models/lib/models.c; its body is copied to each call,
// so that each call of an allocator is an allocation site of its own.

// model stands for a library function. The models of a file are shared by all calls; each call gets
// a copy of the nodes, with variables of its own.
type model struct {
	name     string
	file     string     // where it is defined, "" for the built-in file
	proc     *core.Proc // its body, without calls of other models
	variadic bool
	format   int // index of the formal that is named format, or -1
	// For each formal, whether the body reads it: other arguments are only evaluated for their
	// effects.
	used    []bool   // of the formals
	numbers []int64  // of the formals that lead to numbers of several bytes, how many bytes these have; 0 of others
	writes  bool     // it may change memory other than that of objects that it makes
	calls   bool     // it calls functions that it is given
	assumes []string // lines for the ledger
}

// newModel returns a model with the lowered body of f; file is where it is defined, "" for the
// built-in file, and assumes are the lines that its calls add to the ledger.
func newModel(f *function, file string, assumes []string) *model {
	m := &model{name: f.name, file: file, proc: f.proc, variadic: f.typ.IsVariadic(), format: -1,
		assumes: assumes, used: make([]bool, len(f.proc.Formals)), writes: inline.Writes(f.proc)}
	// Nobody reads the arguments after the formals, so the variable that would hold them is not
	// needed.
	if f.proc.Variadic != nil && f.proc.Variadic.Kind == core.Local && !mentions(f.proc, f.proc.Variadic) {
		f.proc.Variadic = nil
	}
	for _, p := range parameters(f.typ) {
		m.numbers = append(m.numbers, numberAt(p.Type()))
	}
	for i, v := range f.proc.Formals {
		m.used[i] = mentions(f.proc, v) || v == f.proc.Result || m.computed() != ""
		if v.Name == "format" {
			m.format = i
		}
	}
	for _, n := range f.proc.Nodes {
		// Calls of other models were replaced before: this is one of a function that the model is
		// given, with effects that are not known here.
		if _, ok := n.Stmt.(*core.Call); ok {
			m.calls, m.writes = true, true
		}
	}
	return m
}

// mentions reports whether v occurs in p.
func mentions(p *core.Proc, v *core.Var) (found bool) {
	for _, n := range p.Nodes {
		core.StmtExprs(n.Stmt, func(e core.Expr) {
			found = found || core.Mentions(e, func(w *core.Var) bool { return v == w })
		})
	}
	return found
}

// modelName returns the name under which the model of the function name is known: malloc for
// __builtin_malloc. A function with a meaning of its own under its full name keeps it.
func modelName(name string) string {
	if primitives[name] != nil || intrinsics[name] != notIntrinsic || bitFunctions[name] != nil {
		return name
	}
	return strings.TrimPrefix(name, "__builtin_")
}

// modelOf returns the model for a call of f with these arguments, or nil: f has a body or no model,
// the number of arguments is wrong, or printing them may store something.
func (l *typing) modelOf(f *function, args []cc.ExpressionNode) *model {
	m := f.model
	switch {
	case f.def != nil || m == nil,
		len(args) < len(m.proc.Formals), len(args) > len(m.proc.Formals) && !m.variadic,
		m.format >= 0 && l.mayStore(args[m.format], args[m.format+1:]):
		return nil
	}
	return m
}

// mayStore reports whether printing args by format may store something: %n does. Of a format that
// is no literal only numbers are safe: a pointer may be for %n.
func (l *typing) mayStore(format cc.ExpressionNode, args []cc.ExpressionNode) bool {
	if text, _, ok := l.StringBytes(format); ok {
		return hasPercentN(string(text))
	}
	for _, a := range args {
		if _, isInt := l.coreType(a.Type()).(core.Int); !isInt && !ctree.IsFloating(a.Type()) {
			return true
		}
	}
	return false
}

// hasPercentN reports whether a format has the conversion %n.
func hasPercentN(format string) bool {
	for {
		_, rest, found := strings.Cut(format, "%")
		if !found {
			return false
		}
		// Skip flags, width, precision and length.
		rest = strings.TrimLeft(rest, "-+ #0123456789.*$'hlLjztqIw")
		if strings.HasPrefix(rest, "n") {
			return true
		}
		format = strings.TrimPrefix(rest, "%")
	}
}

// modelFits returns the reason why the model m cannot stand for the declared f, "" if it can. Types
// need only be of one kind, since values are converted at the call.
func (l *typing) modelFits(m *model, f *function) string {
	// 1. The result. An undeclared function has whatever result its model has.
	params := parameters(f.typ)
	undeclared := f.tu == nil && len(params) == 0
	if !undeclared {
		ret, want := l.coreType(f.typ.Result()), m.proc.RetType
		switch {
		case ret == core.Type(core.Void{}): // nobody uses it
		case kindOfType(ret) != kindOfType(want):
			return "its model returns " + kindOfType(want) + ", not " + kindOfType(ret)
		case core.Bytes(ret) > core.Bytes(want) && kindOfType(ret) == "an integer":
			return "its model returns a smaller integer"
		}
	}
	// 2. The parameters, if the declaration has some.
	if len(params) == 0 {
		return ""
	}
	formals := m.proc.Formals
	if len(params) != len(formals) || f.typ.IsVariadic() != m.variadic {
		return "its model has other parameters"
	}
	for i, p := range params {
		if got, want := kindOfType(l.parameterType(p.Type())), kindOfType(formals[i].Type); got != want {
			return "its model takes " + want + ", not " + got
		}
		// A number to which a pointer leads is written as large as the model has it.
		if got, want := numberAt(p.Type()), m.numbers[i]; got != want && got > 0 && want > 0 {
			return fmt.Sprintf("its model takes a pointer to a number of %d bytes, not %d", want, got)
		}
	}
	return ""
}

// computed returns the name of m if it is the built-in model of a function whose result runs compute, else "".
func (m *model) computed() string {
	if m.file != "" || !core.IsComputed(m.name) {
		return ""
	}
	return m.name
}

// numberAt returns the size of the integers to which pointers of type t lead, 0 if they have one byte or are none.
func numberAt(t cc.Type) int64 {
	to := ctree.Pointee(t)
	if to == nil || !cc.IsIntegerType(to) || to.Size() == 1 {
		return 0
	}
	return to.Size()
}

// kindOfType returns the kind of t, in words for messages: a declaration and its model must agree
// in it.
func kindOfType(t core.Type) string {
	switch t := t.(type) {
	case core.Int:
		if t.Float {
			return "a floating-point number"
		}
		return "an integer"
	case core.Ptr:
		return "a pointer"
	case core.Opaque:
		return "a floating-point number"
	case core.Void:
		return "nothing"
	}
	return "a structure"
}

// modelCall lowers a call of f, for which m stands. Every argument is converted to the type of f's
// declaration first, and then to that of the model.
func (b *functionLowerer) modelCall(e *cc.PostfixExpression, f *function, m *model, dst core.Loc) {
	b.useModel(m)
	list := ctree.Arguments(e)
	b.checkOrderOf(e, nodes(list)...)
	args := make([]core.Expr, len(m.proc.Formals))
	for i, a := range list {
		switch {
		// The arguments that a format prints; they do not go to the model.
		case m.format >= 0 && i > m.format:
			b.printed(a, list[m.format], i-m.format-1)
			continue
		case i >= len(args) || !m.used[i] && !b.observes(f):
			b.effect(a)
			continue
		}
		t := m.proc.Formals[i].Type
		declared := t
		if i < len(f.proc.Formals) {
			declared = f.proc.Formals[i].Type
		}
		args[i] = to(b.argument(a, declared, nodes(list[i+1:])), t)
	}
	// Who observes the call may ask for its result; an object to which nothing leads is a leak.
	_, pointer := f.proc.RetType.(core.Ptr)
	if dst == nil && isScalarType(f.proc.RetType) && (b.observes(f) || pointer && b.opts.Checks.Has(checks.Leak)) {
		dst = b.temp(f.proc.RetType).Ref()
	}
	// Built-in models leave errno to the caller; others set it themselves, or do not.
	if m.file == "" {
		b.settingErrno(f, dst, func(dst core.Loc) { b.modelBody(f, m, list, args, dst) })
	} else {
		b.modelBody(f, m, list, args, dst)
	}
	if f.noreturn {
		b.emit(&core.Assume{Cond: truth(false)})
	}
}

// modelBody copies the body of m, whose result, as one of f's, goes to dst. Arguments that m does
// not use may be nil in args. list holds the arguments in C; nil in the body of a procedure.
func (b *frame) modelBody(f *function, m *model, list []cc.ExpressionNode, args []core.Expr, dst core.Loc) {
	// 1. Something of the right type for arguments that are not there: the body does not read it.
	for i, v := range m.proc.Formals {
		if args[i] == nil && isScalarType(v.Type) {
			args[i] = to(truth(false), v.Type)
		}
	}
	ret := f.proc.RetType
	if !isScalarType(ret) {
		ret = nil
	}
	// 2. Copy the body. Its variables become temporaries, or locals if their address is taken.
	b.withResult(m.proc.RetType, ret, dst, f.name, func(dst core.Loc) {
		var vars []*core.Var
		body := inline.Body(m.proc, args, dst, func(like *core.Var) *core.Var {
			v := &core.Var{Type: like.Type, Kind: core.Temp, Proc: b.proc, Pos: b.pos, Logical: like.Logical, ToChars: like.ToChars}
			if like.AddrTaken {
				v.Kind, v.AddrTaken = core.Local, true
			}
			vars = append(vars, v)
			return v
		})
		b.declareTemps(vars, body)
		// 3. Add the parts to copies, and the name of f to arbitrary values.
		for _, n := range body {
			switch s := n.Stmt.(type) {
			case *core.Copy:
				if s.Parts == nil {
					s.Parts = b.partsOf(list, s.Size)
				}
			case *core.Havoc:
				if !s.Begin && s.Why != core.LibraryInput {
					s.Why = f.name
				}
			case *core.Fill:
				if s.Byte == nil && s.Why != core.LibraryInput {
					s.Why = f.name
				}
			}
		}
		// 4. The nodes carry the call, so traces show it as one step.
		if len(body) == 0 && (m.format < 0 && ret != nil || b.observes(f)) { // a call all the same
			body = []*core.Node{{Stmt: &core.Skip{}, Succ: []int{1}}}
		}
		b.splice(body, &core.ModelCall{Func: f.proc, Args: args, Result: dst, Computed: m.computed()})
	})
}

// declareTemps names those of vars that occur in nodes, and adds them to the procedure. A model may
// declare variables that the copied nodes no longer use.
func (b *frame) declareTemps(vars []*core.Var, nodes []*core.Node) {
	used := map[*core.Var]bool{}
	for _, n := range nodes {
		core.StmtExprs(n.Stmt, func(e core.Expr) { core.WalkVars(e, func(v *core.Var) { used[v] = true }) })
	}
	for _, v := range vars {
		if used[v] {
			b.temps++
			v.Name = b.fresh(fmt.Sprintf("$%d", b.temps), b.pos)
			b.proc.Locals = append(b.proc.Locals, v)
		}
	}
}

// splice emits nodes whose successors count from the first of them, the body of call.
func (b *builder) splice(nodes []*core.Node, call *core.ModelCall) {
	if len(nodes) == 0 {
		return
	}
	// The label after the last is where the body ends.
	labels := make([]*label, len(nodes)+1)
	for i := range labels {
		labels[i] = newLabel()
	}
	for i, n := range nodes {
		b.place(labels[i])
		m := b.emit(n.Stmt)
		m.Model, m.Free = call, n.Free
		if _, ok := n.Stmt.(*core.Branch); ok {
			for _, s := range n.Succ {
				b.arm(m)
				b.jump(labels[s])
			}
			// Otherwise the next node joins the open end.
		} else if n.Succ[0] != i+1 {
			b.jump(labels[n.Succ[0]])
		}
	}
	b.place(labels[len(nodes)])
}

// partsOf returns the parts of size bytes that are copied by a function with these arguments, nil
// if no argument has a type of that size: memcpy(p, &s, sizeof s) copies the members of s.
func (l *typing) partsOf(list []cc.ExpressionNode, size core.Expr) []core.Part {
	// Look for an argument whose pointee, or the array that it is, has that size.
	n, isConst := size.(*core.Const)
	for i := 0; isConst && i < len(list); i++ {
		a := ctree.Strip(list[i])
		for {
			cast, ok := a.(*cc.CastExpression)
			if !ok {
				break
			}
			a = ctree.Strip(cast.CastExpression)
		}
		t := ccfix.PointedTo(a)
		if d := ccfix.Decayed(a); d != nil {
			t = ccfix.OperandType(a)
		}
		if size, ok := l.layouts.SizeBytes(t); ok && n.Val.IsInt64() && n.Val.Int64() == size {
			return l.parts(t)
		}
	}
	return nil
}

// useModel notes that m is used. Its assumptions go to the ledger with the first call.
func (l *program) useModel(m *model) {
	if l.modelsUsed == nil {
		l.modelsUsed = map[*model]bool{}
	}
	l.modelsUsed[m] = true
	for _, line := range m.assumes {
		if l.opts.Checks.Covers(line) {
			l.ledger.add(checks.DefinedInModels)
			continue
		}
		if line == checks.NoInvalidAccess {
			line += (l.opts.Checks & checks.OfHeap).Parts()
		}
		l.ledger.add("%s", line)
	}
}

// listModels writes the models that were used into the ledger, a line for each file.
func (l *program) listModels() {
	// Names are sorted, so the ledger does not depend on the order of calls.
	names := map[string][]string{}
	for m := range l.modelsUsed {
		names[m.file] = append(names[m.file], m.name)
	}
	for _, file := range sortedKeys(names) {
		sort.Strings(names[file])
		from := ""
		if file != "" {
			from = " in " + file
		}
		l.ledger.add("library functions do no more than their models%s: %s", from, strings.Join(names[file], ", "))
	}
}

// noteMismatch says that f is taken for an external function although there is a model.
func (l *sources) noteMismatch(f *function, why string) {
	l.note(source.Note, f.pos, "%s is taken for an external function: %s", f.name, why)
}
