package frontend

import (
	"bytes"
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"c2bp/frontend/ccfix"
	"c2bp/frontend/core"
	"c2bp/frontend/harness"
	"c2bp/frontend/layout"
	"c2bp/source"
)

// This file finds the private structs of a program: those whose members no function without a body can name.
// Such a function changes a member only if it has an address of it (alias/hidden.go).
//
//	struct dev { int open; struct device *parent; };      in driver.c: private
//	void dev_set_drvdata(struct device *, void *);        nothing in it leads to struct dev
//
// A struct is private if all of these hold.
//
//   - A given file defines it, not a header: other files that are not given cannot include it. Or the header does that
//     belongs to a given file (isInOwnHeader).
//   - No declaration of a function without a body, or of a variable that the program does not define, leads to
//     it by its types: to its name either. Those of the harness by which it chooses arguments are not others'.
//   - It has a pointer to a struct or to a function, outside of unions. So it is not exchanged as bytes with
//     devices, networks and users, for whom such a pointer means nothing.
//   - Every call of a function of the given files is in the program: the program is not --open.
//
// Of a program with a function main, functions without a body may know more: what is outside may be another
// part of it, or its other threads. So this is an assumption, the default for drivers to which a harness
// belongs.

// keptIn returns the members of t in which a driver keeps its own pointers. stated reports whether the user has named
// all of them.
func (l *program) keptIn(t cc.Type) (list []core.Member, stated bool) {
	// 1. Those that the user names, and those of rows "kept", where functions without a body are taken to keep them.
	var names []string
	for _, k := range l.opts.Assume.Kept {
		if k.Struct == tagOf(t) {
			names = append(names, k.Member)
		}
	}
	named := len(names)
	if l.keepsPrivate() && !l.isOwn(t) {
		names = append(names, l.opts.conventions().Contexts[tagOf(t)]...)
	}
	if len(names) == 0 {
		return nil, false
	}
	// 2. Their places.
	stated = true
	for _, f := range layout.AllMembers(t) {
		typ, count := pointersIn(f)
		if at, known := l.layouts.OwnPosition(f); known && count > 0 && slices.Contains(names, f.Name()) {
			list = append(list, core.Member{Off: at.Byte, Count: count, Size: l.layouts.Of(typ).Size})
			stated = stated && slices.Contains(names[:named], f.Name())
		}
	}
	return list, stated
}

// membersIn returns the members of t with these names.
func (l *program) membersIn(t cc.Type, names []string) (list []core.Member) {
	if len(names) == 0 {
		return nil
	}
	for _, f := range layout.AllMembers(t) {
		if at, known := l.layouts.OwnPosition(f); known && slices.Contains(names, f.Name()) {
			list = append(list, core.Member{Off: at.Byte, Count: 1, Size: l.layouts.Of(f.Type()).Size})
		}
	}
	return list
}

// pointersIn returns the type of the pointers in f, and their number: 1 if it is a pointer, more if it is an array of
// pointers, and 0 if it is none of these.
func pointersIn(f *cc.Field) (t cc.Type, count int64) {
	t, count = f.Type(), 1
	if a, isArray := t.(*cc.ArrayType); isArray {
		t, count = a.Elem(), a.Len()
	}
	if _, isPointer := t.(*cc.PointerType); !isPointer {
		return nil, 0
	}
	return t, count
}

// conventions returns those of the kernel.
func (o *Options) conventions() *harness.Conventions {
	if o.Conventions != nil {
		return o.Conventions
	}
	return builtinConventions()
}

// builtinConventions returns those of the rows that come with c2bp.
var builtinConventions = sync.OnceValue(func() *harness.Conventions {
	c, err := harness.ReadConventions(nil)
	if err != nil {
		panic(err) // a row that comes with c2bp is wrong
	}
	return c
})

// keepsPrivate reports whether functions without a body are taken to leave members alone that are the program's own.
func (l *program) keepsPrivate() bool {
	return !l.opts.Open && l.opts.Assume.Members == MembersPrivate
}

// findPrivate marks the private structs, and the members of others that functions without a body do not change,
// if they are to be known.
func (l *program) findPrivate() {
	if !l.keepsPrivate() && len(l.opts.Assume.Kept) == 0 {
		return
	}
	known := &knownTypes{tags: map[string]bool{}, seen: map[*cc.Declarator]bool{}}
	// 1. The types that declarations of others lead to.
	for _, f := range l.order {
		if f.def == nil && f.model == nil && !harness.IsGetter(f.name) {
			known.add(f.typ)
		}
	}
	for _, o := range l.ordered {
		if !o.defined {
			known.add(o.typ)
		}
	}
	// 2. Records may have several definitions, in files of the program. All of them count.
	private, local := map[*core.Record]bool{}, map[*core.Record]bool{}
	for t, r := range l.records.memo {
		if r == nil {
			continue
		}
		unknown := l.keepsPrivate() && r.Size > 0 && !known.has(t) && holdsContext(t)
		is, near := unknown && (l.isOwn(t) || l.isInOwnHeader(t)), unknown && l.isNear(t)
		if old, seen := private[r]; seen {
			is, near = is && old, near && local[r]
		}
		private[r], local[r] = is, near
		if r.Kept == nil {
			r.Kept, r.Stated = l.keptIn(t)
		}
		if r.States == nil && !l.isOwn(t) {
			r.States = l.membersIn(t, l.opts.conventions().States[tagOf(t)])
		}
		r.Converted = r.Converted || l.asScalars[firstDeclarator(t)]
	}
	for r, is := range private {
		r.Private, r.Local = is, local[r]
	}
}

// stateKept puts the members that stay, since the user says so, into the ledger. One that is no pointer in a struct of
// the program is an error, and so is a variable that no file declares, or that the program defines.
func (l *linker) stateKept() {
	for _, k := range l.opts.Assume.Kept {
		if k.Struct == "" {
			l.keepVariable(k)
			continue
		}
		found := false
		for t := range l.records.memo {
			found = found || tagOf(t) == k.Struct && slices.ContainsFunc(layout.AllMembers(t), func(f *cc.Field) bool {
				_, count := pointersIn(f)
				return count > 0 && f.Name() == k.Member
			})
		}
		if !found {
			file := source.NewFile("--assume", []byte(k.String()))
			l.errs.Add(file.Errorf(source.Pos{File: file.Name, Line: 1, Col: 1}, "the program uses no struct %s with a pointer %s", k.Struct, k.Member))
		}
		l.ledger.add("environment: functions without a body do not change %s of struct %s", k.Member, k.Struct)
	}
}

// keepVariable marks a variable of other files that stays.
func (l *linker) keepVariable(k KeptMember) {
	o := l.objects[k.Member]
	if o == nil || o.defined {
		file := source.NewFile("--assume", []byte(k.String()))
		l.errs.Add(file.Errorf(source.Pos{File: file.Name, Line: 1, Col: 1}, "the program uses no variable %s of other files", k.Member))
		return
	}
	o.v.Kept = true
	l.ledger.add("environment: functions without a body do not change %s", k.Member)
}

// isOwn reports whether a given file defines the struct t, not a header.
func (l *program) isOwn(t cc.Type) bool {
	d := firstDeclarator(t)
	return d != nil && l.isGiven(ccfix.At(d.Position()).File)
}

// isInOwnHeader reports whether a header defines the struct t that belongs to a given file: it is beside that, has its name, and no
// other file there includes it.
//
//	tpci200.c    #include "tpci200.h"       beside it: Kconfig, Makefile
func (l *program) isInOwnHeader(t cc.Type) bool {
	d := firstDeclarator(t)
	if d == nil {
		return false
	}
	header := ccfix.At(d.Position()).File
	stem := strings.TrimSuffix(header, ".h")
	return stem != header && slices.ContainsFunc(l.tus, func(tu *translationUnit) bool { return strings.TrimSuffix(tu.file.Name, ".c") == stem }) &&
		!l.isIncludedElsewhere(header)
}

// mostBeside bounds the bytes of the files beside a header that are searched.
const mostBeside = 64 << 20

// isIncludedElsewhere reports whether a file beside a header that is not given may include it: its text has the header's name. It
// does, if the files cannot be read, or are too many.
func (l *program) isIncludedElsewhere(header string) bool {
	answer, known := l.beside[header]
	if !known {
		answer = l.findElsewhere(header)
		l.beside[header] = answer
	}
	return answer
}

// findElsewhere computes isIncludedElsewhere.
func (l *program) findElsewhere(header string) bool {
	dir, name := filepath.Split(header)
	if _, err := os.Stat(header); err != nil {
		return true
	}
	list, err := os.ReadDir(cmp.Or(dir, "."))
	if err != nil {
		return true
	}
	size := int64(0)
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		switch filepath.Ext(path) {
		case ".c", ".h", ".S", ".inc":
		default:
			continue
		}
		if filepath.Clean(path) == filepath.Clean(header) || l.isGiven(path) {
			continue
		}
		info, err := e.Info()
		if err != nil {
			return true
		}
		if size += info.Size(); size > mostBeside {
			return true
		}
		text, err := os.ReadFile(path)
		if err != nil || bytes.Contains(text, []byte(name)) {
			return true
		}
	}
	return false
}

// isNear reports whether a given file defines the struct t, or a header in the directory of one.
func (l *program) isNear(t cc.Type) bool {
	d := firstDeclarator(t)
	if d == nil {
		return false
	}
	dir := filepath.Dir(ccfix.At(d.Position()).File)
	return slices.ContainsFunc(l.tus, func(tu *translationUnit) bool { return filepath.Dir(tu.file.Name) == dir })
}

// firstDeclarator returns the declarator of the first member of t that has one, which identifies t: a type with
// qualifiers is another value of cc. It is nil if t has no such member.
func firstDeclarator(t cc.Type) *cc.Declarator {
	for _, f := range layout.AllMembers(t) {
		if d := f.Declarator(); d != nil {
			return d
		}
		if d := firstDeclarator(f.Type()); d != nil {
			return d
		}
	}
	return nil
}

// holdsContext reports whether t has a pointer to a struct or function outside of unions.
func holdsContext(t cc.Type) bool {
	if _, isStruct := t.(*cc.StructType); !isStruct {
		return false
	}
	return slices.ContainsFunc(layout.AllMembers(t), func(f *cc.Field) bool {
		t := elementType(f.Type())
		if p, isPointer := t.(*cc.PointerType); isPointer {
			_, isFunction := p.Elem().(*cc.FunctionType)
			return isFunction || isStruct(elementType(p.Elem()))
		}
		return holdsContext(t)
	})
}

// knownTypes is the structs and unions that some declarations lead to.
type knownTypes struct {
	tags map[string]bool
	seen map[*cc.Declarator]bool // by firstDeclarator
}

// has reports whether t is one of them.
func (k *knownTypes) has(t cc.Type) bool { return k.seen[firstDeclarator(t)] || k.tags[tagOf(t)] }

// add adds the structs and unions that t leads to: through pointers, members, parameters and results.
func (k *knownTypes) add(t cc.Type) {
	switch x := t.(type) {
	case *cc.PointerType:
		k.add(x.Elem())
	case *cc.ArrayType:
		k.add(x.Elem())
	case *cc.FunctionType:
		k.add(x.Result())
		for _, p := range x.Parameters() {
			k.add(p.Type())
		}
	case *cc.StructType, *cc.UnionType:
		// A type that is not complete has a name only.
		if tag := tagOf(t); tag != "" {
			k.tags[tag] = true
		}
		d := firstDeclarator(t)
		if d == nil || k.seen[d] {
			return
		}
		k.seen[d] = true
		for _, f := range layout.AllMembers(t) {
			k.add(f.Type())
		}
	}
}

// tagOf returns the tag of a struct or union, "" if it has none.
func tagOf(t cc.Type) string {
	var tag cc.Token
	switch t := t.(type) {
	case *cc.StructType:
		tag = t.Tag()
	case *cc.UnionType:
		tag = t.Tag()
	}
	return tag.SrcStr()
}
