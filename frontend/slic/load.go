package slic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"c2bp/alias/devirt"
	"c2bp/frontend"
	"c2bp/frontend/core"
	"c2bp/frontend/core/inline"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// This file reads a program with rules.

// Unit is a program with rules.
type Unit struct {
	*frontend.Unit // its Program has the rules in it, as far as they apply; nil if none applies
	Rules          []*Rule
}

// Program is a program without rules: all rules that are decided for it look at this one reading of it.
type Program struct {
	unit  *frontend.Unit
	files []*source.File
	opts  frontend.Options
}

// ending are the functions at whose calls a program ends.
var ending = []string{"exit", "_exit", "_Exit", "quick_exit"}

// Observed returns the functions whose calls must be visible in a program for which the rules of sets are
// decided, see [frontend.Options].
func Observed(sets []*syntax.Set) []string {
	var names []string
	for _, set := range sets {
		for _, k := range set.Rules {
			names = append(names, newRule(k).functions(set.Events)...)
		}
	}
	names = append(names, ending...)
	slices.Sort(names)
	return slices.Compact(names)
}

// Read reads C files, for the rules of sets. Errors in the files are a [source.List].
//
// Options.Extern must not be [core.ExternAll]: a function that changes all global variables would change the
// state of the rules.
func Read(ctx context.Context, files []*source.File, opts frontend.Options, sets []*syntax.Set) (*Program, error) {
	opts.Observed = Observed(sets)
	unit, err := frontend.Load(ctx, files, opts)
	if err != nil {
		return nil, err
	}
	return Of(unit, files, opts)
}

// Of is like [Read] for files that were read before, with the functions that [Observed] returns. The unit is
// not to be used any more: calls through pointers become direct ones in its program.
func Of(unit *frontend.Unit, files []*source.File, opts frontend.Options) (*Program, error) {
	if opts.Extern == core.ExternAll {
		return nil, &source.Diagnostic{Severity: source.Error, Msg: "rules with functions without a body that change all memory are not supported; expected --extern=args or --extern=pure"}
	}
	devirt.Resolve(unit.Program)
	return &Program{unit, files, opts}, nil
}

// Diags returns the notes and warnings about the program.
func (p *Program) Diags() source.List { return p.unit.Diags }

// Load reads C files and applies rules of one set to them, see [Program.With].
func Load(ctx context.Context, files []*source.File, opts frontend.Options, set *syntax.Set, rules []*syntax.Checked, harnessed bool) (*Unit, error) {
	p, err := Read(ctx, files, opts, []*syntax.Set{set})
	if err != nil {
		return nil, err
	}
	return p.With(ctx, set, rules, harnessed)
}

// With applies rules of a set to the program: those of rules, which may be one. A rule that does not apply leaves
// no trace; if none does, the result has no program. Errors in the rules are a [source.List].
//
// harnessed says that the function main is a harness: the functions with a body that it calls are the entry points of
// the program. Without one, main is.
func (p *Program) With(ctx context.Context, set *syntax.Set, rules []*syntax.Checked, harnessed bool) (*Unit, error) {
	files, opts := p.files, p.opts
	list := make([]*Rule, len(rules))
	var names []string
	for i, k := range rules {
		list[i] = newRule(k)
		names = append(names, list[i].functions(set.Events)...)
	}
	slices.Sort(names)
	opts.Observed = append(slices.Compact(names), ending...)
	// 1. Ask the program without rules what it declares and calls.
	c := &compiler{unit: p.unit, events: set.Events, texts: make([]*cText, len(files)), many: len(rules) > 1, entrypoints: harnessed}
	for _, f := range files {
		c.names = append(c.names, f.Name)
	}
	if err := c.observable(list, set.Events); err != nil {
		return nil, err
	}
	applied := c.relate(list, set.Events, p.unit)
	if len(applied) == 0 {
		return &Unit{nil, list}, nil
	}
	// 2. Write the rules that apply as C.
	for _, r := range applied {
		c.rule(r)
	}
	if err := c.errs.Err(); err != nil {
		c.errs.Sort()
		return nil, err
	}
	// 3. Read it with them.
	with := make([]*source.File, len(files))
	for i, f := range files {
		with[i] = f
		if t := c.texts[i]; t != nil {
			text := bytes.Join([][]byte{f.Text, []byte("\n#line 1 \"" + textName(i) + "\"\n"), []byte(t.b.String())}, nil)
			with[i] = source.NewFile(f.Name, text)
		}
	}
	for _, r := range applied {
		for _, a := range r.actions {
			opts.Also = append(slices.Clip(opts.Also), a.name)
		}
	}
	u, err := frontend.Load(ctx, with, opts)
	if err != nil {
		return nil, c.blame(files, set, applied, err)
	}
	for _, f := range files {
		u.Program.Files[f.Name] = f
	}
	for _, f := range set.Files {
		u.Program.Files[f.Name] = f
	}
	c.clean(u, set, applied)
	// 4. Put the actions at the events.
	if err := c.instrument(u.Program, applied); err != nil {
		return nil, err
	}
	// 5. Accessors of headers cost an abstraction more as calls than they do in their callers.
	inline.Small(u.Program, func(q *core.Proc) bool { return q.Home == core.HomeHeader })
	if err := core.Validate(u.Program); err != nil {
		return nil, fmt.Errorf("internal error: a rule made an invalid program: %w", err)
	}
	return &Unit{u, list}, nil
}

// textName returns the name under which the C text for file i is read.
func textName(i int) string { return fmt.Sprintf("<rules %d>", i) }

// textOf returns the text that name names, nil if it names none.
func (c *compiler) textOf(name string) *cText {
	for i, t := range c.texts {
		if t != nil && textName(i) == name {
			return t
		}
	}
	return nil
}

// observable adds an error for each event of a function whose calls cannot be observed.
func (c *compiler) observable(rules []*Rule, events []*syntax.Event) error {
	for _, r := range rules {
		c.file = r.File
		check := func(e *syntax.Point) {
			for _, n := range namesOf(e.Func.Text, events) {
				declared := c.unit.Functions(n)
				defined := slices.ContainsFunc(declared, func(f *frontend.Function) bool { return f.Defined })
				switch {
				case e.Label || len(declared) == 0:
				case n == "main":
					c.errorf(e.Func.Pos, "the event of main; expected at end")
				case !defined && !frontend.Observable(n):
					c.errorf(e.Func.Pos, "%s has a meaning of its own, and its calls cannot be observed; expected another function", n)
				}
			}
		}
		for _, h := range r.Handlers {
			for _, e := range h.Events {
				check(e)
			}
		}
		for _, l := range r.Lives {
			check(l.Event)
		}
	}
	if err := c.errs.Err(); err != nil {
		c.errs.Sort()
		return err
	}
	return nil
}

// relate finds out which rules apply, and where their events may be; it returns those that apply.
func (c *compiler) relate(rules []*Rule, events []*syntax.Event, unit *frontend.Unit) (applied []*Rule) {
	uncalled, dropped := unit.Program.Uncalled().Procs, unit.Dropped()
	for _, r := range rules {
		r.Concurrent = unit.Concurrent()
		// 1. By the text of the program, or its labels.
		var about []string
		for _, n := range r.Checked.Applies {
			about = append(about, namesOf(n.Text, events)...)
		}
		if len(about) == 0 {
			about = r.functions(events)
		}
		entered := c.entrance(r)
		// Functions of which no code is kept do not count, those of headers neither.
		mentions := func(names []string) []frontend.Mention {
			return slices.DeleteFunc(unit.Mentions(names), func(m frontend.Mention) bool {
				return dropped[m.Proc]
			})
		}
		r.Applies = len(mentions(about)) > 0 || len(about) == 0 && entered
		for _, h := range r.Handlers {
			for _, e := range h.Events {
				r.Applies = r.Applies || e.Label && len(r.Checked.Applies) == 0 && hasLabel(unit.Program, e.Func.Text)
			}
		}
		// 2. Places in functions that nothing calls.
		for _, m := range mentions(r.functions(events)) {
			if m.Home != core.HomeOwn {
				continue
			}
			r.Sites = append(r.Sites, m)
			if slices.Contains(uncalled, m.Proc) {
				r.Never = append(r.Never, m)
			}
		}
		if r.Applies {
			applied = append(applied, r)
		}
	}
	return applied
}

// hasLabel reports whether a node of p has the label.
func hasLabel(p *core.Program, label string) bool {
	return slices.ContainsFunc(p.Procs, func(q *core.Proc) bool {
		return slices.ContainsFunc(q.Nodes, func(n *core.Node) bool { return slices.Contains(n.Labels, label) })
	})
}

// blame turns errors in the C text of rules into errors in the rules.
func (c *compiler) blame(files []*source.File, set *syntax.Set, rules []*Rule, err error) error {
	var list source.List
	if !errors.As(err, &list) {
		return err
	}
	name := regexp.MustCompile(`\$a(\d+)`)
	for _, d := range list {
		for k, t := range c.texts {
			if t != nil && d.Pos.File == textName(k) {
				c.relocate(d, t, set)
				// Names as the rule has them; parameters by their numbers.
				for _, r := range rules {
					d.Msg = strings.ReplaceAll(d.Msg, r.global(""), "")
				}
				d.Msg = name.ReplaceAllString(d.Msg, "parameter $1")
				d.Msg += "; expected C that is right at the end of " + files[k].Name
			}
		}
	}
	return list
}

// relocate moves a diagnostic about the C text t to the place of the rule.
func (c *compiler) relocate(d *source.Diagnostic, t *cText, set *syntax.Set) {
	d.Pos, _ = t.origin(d.Pos.Line, d.Pos.Col)
	d.Quote = ""
	for _, f := range set.Files {
		if f.Name == d.Pos.File {
			d.Quote = f.Line(d.Pos.Line)
		}
	}
}

// clean moves the diagnostics about C text of the rules to the rules, removes from the ledger and the lists
// of functions all that only this text has brought about, and adds the assumptions of the rules.
func (c *compiler) clean(u *frontend.Unit, set *syntax.Set, rules []*Rule) {
	own := func(name string) bool {
		return slices.ContainsFunc(rules, func(r *Rule) bool { return strings.HasPrefix(name, r.global("")) })
	}
	for _, d := range u.Diags {
		if t := c.textOf(d.Pos.File); t != nil {
			c.relocate(d, t, set)
		}
	}
	p := u.Program
	p.Ledger = slices.DeleteFunc(p.Ledger, func(line string) bool {
		name, found := strings.CutPrefix(line, "extern ")
		return found && own(name)
	})
	for _, r := range rules {
		for _, s := range r.assumed {
			p.Ledger = append(p.Ledger, fmt.Sprintf("rule %s assumes %s, %s", r.Name.Text, syntax.String(s.Cond), s.Pos))
		}
	}
	p.Elsewhere.Procs = slices.DeleteFunc(p.Elsewhere.Procs, own)
	p.Elsewhere.Uncalled.Procs = slices.DeleteFunc(p.Elsewhere.Uncalled.Procs, own)
}
