package frontend

import (
	"cmp"
	"context"
	"slices"

	"c2bp/frontend/core"
	"c2bp/frontend/models"
	"c2bp/source"
)

// This file makes the end of a program do what it has asked for: the functions given to
//
//	atexit on_exit __cxa_atexit     run at the return of main and at exit, the last one first
//	at_quick_exit                   run at quick_exit
//	__attribute__((destructor))     run after those of atexit
//
// Nothing of that happens at abort, _exit and _Exit. If a program uses one of these
// functions and does not define it, then it is linked with a file of C that does, see
// models/lib/exit.c; in all other programs exit is the end, see intrinsics.go. A function of the
// program that is not defined and does not return, such as errx, may call exit.

// registrars lists the functions that register others.
var registrars = []string{"atexit", "on_exit", "__cxa_atexit", "at_quick_exit"}

// programEnd has the functions of the file that makes the end of the program.
type programEnd struct {
	tu *translationUnit
	// In the place of exit, quick_exit and the registrars, by these names: calls of them are
	// lowered as calls of functions with a body.
	standIns    map[string]*function // what stands for exit and so on, by name
	finish      *function            // all that exit does before the end
	destructors *function            // calls them; nil if there are none
}

// declareEnding finds out whether something happens when the program ends, and declares the
// functions that do it. The bodies are to be lowered with the others. It does nothing in a file of
// models. Errors in the file are added to those of the program.
func (l *linker) declareEnding(ctx context.Context) (bodies []*functionLowerer) {
	uses := l.usesAtEnd()
	if len(uses) == 0 || l.isModels {
		return nil
	}
	// 1. Read the file, with macros for the parts that are needed. The options of the user do not
	// apply to it.
	if l.concurrent {
		uses = append(uses, "THREADS")
	}
	file := source.NewFile(models.ExitName, models.Exit)
	opts := l.opts
	l.opts = Options{Bits32: opts.Bits32, UnsignedChar: opts.UnsignedChar, ShortWchar: opts.ShortWchar, Defines: uses}
	tu, err := l.translationUnit(ctx, len(l.tus), file)
	l.opts = opts
	if err != nil {
		l.errs = append(l.errs, l.listed(err)...)
		return nil
	}
	// 2. Declare its functions as those of a file more.
	l.Files[models.ExitName] = file
	l.tus = append(l.tus, tu)
	n := len(l.defined)
	l.declareFile(tu)
	// nameGlobals has run: functions that came later get their procedures here.
	for _, f := range l.order {
		if f.proc == nil {
			f.proc = &core.Proc{Name: f.name, CName: f.name, Pos: f.pos}
			l.signature(f)
		}
	}
	for _, f := range l.defined[n:] {
		bodies = append(bodies, l.declareBody(f))
	}
	l.findEnding(tu)
	return bodies
}

// usesAtEnd returns the macros that say which parts of the file are needed, each once: USES_atexit
// for a use of atexit, USES_destructors if there is a destructor. Without any nothing happens at
// the end.
func (l *program) usesAtEnd() (uses []string) {
	for _, f := range l.order {
		// A function of the program with the name of a registrar is none, and needs nothing.
		name := "USES_" + f.linkName()
		switch {
		case f.def != nil:
			if name = "USES_destructors"; f.destructor && !slices.Contains(uses, name) {
				uses = append(uses, name)
			}
		case (f.called || f.addrTaken) && slices.Contains(registrars, f.linkName()) && !slices.Contains(uses, name):
			uses = append(uses, name)
		}
	}
	return uses
}

// linkName returns the name by which the linker knows f.
func (f *function) linkName() string {
	if f.alias != "" {
		return f.alias
	}
	return f.name
}

// findEnding finds the functions of the file tu by their names, __c2bp_exit for exit, and sets
// l.ending.
func (l *program) findEnding(tu *translationUnit) {
	// 1. The names that procedures of the program have already.
	taken := map[string]bool{}
	for _, f := range l.defined {
		taken[f.proc.Name] = true
	}
	// 2. The functions of the file; those for registrars that are not used are not defined in it.
	e := &programEnd{tu: tu, standIns: map[string]*function{}, finish: l.byKey["__c2bp_finish"], destructors: l.byKey["__c2bp_destructors"]}
	for _, name := range append([]string{"exit", "quick_exit"}, registrars...) {
		f := l.byKey["__c2bp_"+name]
		if f == nil || f.def == nil {
			continue
		}
		e.standIns[name] = f
		if !taken[name] { // as people call it
			f.proc.Name, f.proc.CName = name, name
		}
	}
	e.standIns["__builtin_exit"] = e.standIns["exit"]
	l.ending = e
}

// standInOf returns the function that stands for f, which is not defined; nil if there is none.
func (l *program) standInOf(f *function) *function {
	if l.ending == nil || l.byKey[f.linkName()] != nil && l.byKey[f.linkName()].def != nil {
		return nil
	}
	return l.ending.standIns[f.linkName()]
}

// isEnding reports whether f is from the file of the ending.
func (l *program) isEnding(f *function) bool { return l.ending != nil && f.tu == l.ending.tu }

// callDestructors makes the body of the function that calls the destructors: in the opposite of the
// order in which constructors are called. A destructor with parameters gets arbitrary arguments, as
// a constructor does.
func (l *program) callDestructors() {
	if l.ending == nil || l.ending.destructors == nil {
		return
	}
	var list []*function
	for _, f := range l.defined {
		if f.destructor {
			list = append(list, f)
		}
	}
	// Ascending like constructors, in the order of definition for equal ones, and then the other
	// way round.
	slices.SortStableFunc(list, func(f, g *function) int { return cmp.Compare(f.lastPriority, g.lastPriority) })
	slices.Reverse(list)
	p := l.ending.destructors.proc
	for _, f := range list {
		l.callAnyhow(p, f, nil)
	}
	p.Nodes = append(p.Nodes, &core.Node{Stmt: &core.Return{}, Pos: p.Pos})
}

// finishProgram appends to p, which has called the entry, the call of the functions that run when
// main returns; status is the result of the entry. Without an ending it does nothing.
func (l *program) finishProgram(p *core.Proc, status *core.Var) {
	if l.ending == nil {
		return
	}
	n := &core.Node{
		Stmt: &core.Call{Callee: l.ending.finish.proc, Args: []core.Expr{status.Ref()}},
		Pos:  p.Pos, Succ: []int{len(p.Nodes) + 1}, First: true, Text: "exit()",
	}
	p.Nodes = append(p.Nodes, n)
}

// perhapsExit lowers that a function without a body, which does not return, may exit. One way of a
// branch calls exit with any status, and the other does nothing; the caller ends both ways.
func (b *frame) perhapsExit() {
	if b.ending == nil {
		return
	}
	br := b.branch()
	b.arm(br)
	b.emit(&core.Call{Callee: b.ending.standIns["exit"].proc, Args: []core.Expr{b.anyValue(core.Int32)}})
	rest := newLabel()
	b.jump(rest)
	b.arm(br)
	b.skip()
	b.place(rest)
}
