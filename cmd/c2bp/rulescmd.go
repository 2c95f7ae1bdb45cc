package main

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"c2bp/frontend/slic/library"
	"c2bp/refine/rules"
)

// This file is the command "c2bp rules".

// rulesCommand builds the command with its own commands.
func (a *app) rulesCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "rules",
		Short: "List, show and test rules, and begin a new one",
		Long: `Rules say how programs may call functions, such as those of a kernel. The ones that
come with c2bp are listed, shown with an example that keeps to them and one that does
not, and tested by these examples. "c2bp audit --rule NAME file.c" decides a rule.
Your own rules are folders, too: "c2bp rules new" begins one, and --rules-dir, also of
"c2bp audit", says where they are.`,
		Example: `  c2bp rules list
  c2bp rules show spinlock
  c2bp rules test
  c2bp rules new my-lock --rules-dir rules`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error { return wrongUsage(c, "expected list, show, test or new") },
	}
	c.AddCommand(a.rulesListCommand(), a.rulesShowCommand(), a.rulesTestCommand(), a.rulesNewCommand())
	return c
}

// rulesListCommand builds "c2bp rules list".
func (a *app) rulesListCommand() *cobra.Command {
	f, dirs := &common{}, &ruleDirs{}
	c := &cobra.Command{
		Use:     "list",
		Short:   "List the rules",
		Long:    "Print a line for each rule: its name, the severity of a violation, and its title.",
		Example: "  c2bp rules list",
		Args:    cobra.NoArgs,
		RunE: func(c *cobra.Command, args []string) error {
			var out bytes.Buffer
			t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
			l, err := dirs.library()
			if err != nil {
				return ours(err)
			}
			for _, name := range l.Names() {
				set, err := l.Rule(name)
				if err != nil {
					return ours(err)
				}
				for _, r := range set.Rules {
					fmt.Fprintf(t, "%s\t%s\t%s\n", name, r.Severity, r.Title)
				}
			}
			t.Flush()
			return ours(a.write(&out))
		},
	}
	dirs.add(c.Flags())
	f.add(c.Flags())
	return c
}

// ruleNames completes names of rules.
func (d *ruleDirs) ruleNames(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	l, err := d.library()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	return l.Names(), cobra.ShellCompDirectiveNoFileComp
}

// knownRules returns an error if one of names is none of l.
func knownRules(c *cobra.Command, l *library.Library, names []string) error {
	for _, n := range names {
		if !slices.Contains(l.Names(), n) {
			return wrongUsage(c, "there is no rule %s; expected one of %s", n, strings.Join(l.Names(), ", "))
		}
	}
	return nil
}

// rulesShowCommand builds "c2bp rules show".
func (a *app) rulesShowCommand() *cobra.Command {
	f, dirs := &common{}, &ruleDirs{}
	c := &cobra.Command{
		Use:   "show NAME [FILE]",
		Short: "Show a rule with its examples",
		Long: `Print the text of a rule, a program that keeps to it, and one that does not; or an
example of the rule or a header of the examples, by the name of its file. Bad examples
tell where they fail.`,
		Example:           "  c2bp rules show spinlock\n  c2bp rules show spinlock bad2.c",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: dirs.ruleNames,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) < 1 || len(args) > 2 {
				return wrongUsage(c, "expected the name of a rule, and perhaps that of an example")
			}
			l, err := dirs.library()
			if err != nil {
				return ours(err)
			}
			if err := knownRules(c, l, args[:1]); err != nil {
				return err
			}
			examples, err := l.Examples(args[0])
			if err != nil {
				return ours(err)
			}
			// The first good and the first bad example are shown with the rule.
			var names []string
			first := []string{"rule.slic"}
			for i, x := range examples {
				names = append(names, x.Name)
				if i == 0 || x.Bad && !examples[i-1].Bad {
					first = append(first, x.Name)
				}
			}
			headers := l.Headers(args[0])
			var out bytes.Buffer
			if len(args) == 2 {
				names = append(names, headers...)
				if !slices.Contains(names, args[1]) {
					return wrongUsage(c, "the rule %s has no example %s; expected one of %s", args[0], args[1], strings.Join(names, ", "))
				}
				first = args[1:]
			}
			for i, name := range first {
				file, err := l.File(args[0], name)
				if err != nil {
					return ours(err)
				}
				if i > 0 {
					fmt.Fprintln(&out)
				}
				fmt.Fprintf(&out, "==> %s <==\n%s", name, file.Text)
			}
			if len(args) == 1 {
				fmt.Fprintf(&out, "\nExamples: %s\n", strings.Join(names, ", "))
				if len(headers) > 0 {
					fmt.Fprintf(&out, "Headers: %s\n", strings.Join(headers, ", "))
				}
			}
			return ours(a.write(&out))
		},
	}
	dirs.add(c.Flags())
	f.add(c.Flags())
	return c
}

// rulesTestCommand builds "c2bp rules test".
func (a *app) rulesTestCommand() *cobra.Command {
	f, dirs := &common{}, &ruleDirs{}
	c := &cobra.Command{
		Use:   "test [NAME ...]",
		Short: "Test rules by their examples",
		Long: `Decide each rule for the programs that come with it: it must hold for the good ones and
fail for the bad ones, where they say. Without names, all rules are tested.

Exit codes: 0 all is as it must be, 10 it is not, 1 wrong usage, 6 internal error.`,
		Example:           "  c2bp rules test\n  c2bp rules test spinlock mutex",
		Args:              cobra.ArbitraryArgs,
		ValidArgsFunction: dirs.ruleNames,
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.verify(c); err != nil {
				return err
			}
			l, err := dirs.library()
			if err != nil {
				return ours(err)
			}
			if err := knownRules(c, l, args); err != nil {
				return err
			}
			if len(args) == 0 {
				args = l.Names()
			}
			return ours(a.testRules(c.Context(), l, args, f))
		},
	}
	dirs.add(c.Flags())
	f.add(c.Flags())
	return c
}

// testRules decides rules for their examples and prints a line for each.
func (a *app) testRules(parent context.Context, l *library.Library, names []string, f *common) error {
	ctx, stop := f.limits.apply(parent)
	defer stop()
	type answer struct {
		text string
		ok   bool
	}
	r, err := guarded(ctx, a.grace, func() (r answer, err error) {
		var out bytes.Buffer
		t := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
		r.ok = true
		for _, name := range names {
			set, err := l.Rule(name)
			if err != nil {
				return r, err
			}
			examples, err := l.Examples(name)
			if err != nil {
				return r, err
			}
			for _, x := range examples {
				got, wrong, err := rules.Check(ctx, l, name, set, x)
				if err != nil {
					return r, err
				}
				remark := "as it must be"
				if wrong != "" {
					remark, r.ok = wrong, false
				}
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", name, x.Name, got.Summary(), remark)
			}
		}
		t.Flush()
		r.text = out.String()
		return r, nil
	})
	if err != nil {
		return err
	}
	if err := a.write(bytes.NewBufferString(r.text)); err != nil {
		return err
	}
	if !r.ok {
		return noTrue(exitFalse)
	}
	return nil
}

// rulesNewCommand builds "c2bp rules new".
func (a *app) rulesNewCommand() *cobra.Command {
	f, dirs := &common{}, &ruleDirs{}
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Begin a new rule",
		Long: `Write the folder of a new rule: a rule that works, rule.slic, with a program that keeps
to it, one that does not, and a header of both. Change them, and "c2bp rules test" says
whether they still agree. The folder is made in the directory of --rules-dir, or else
in the current one; nothing is overwritten.

Exit codes: 0 it is written, 1 wrong usage, 2 there is something of that name, 6 internal error.`,
		Example: "  c2bp rules new my-lock --rules-dir rules && c2bp rules test my-lock --rules-dir rules",
		Args:    cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) != 1 {
				return wrongUsage(c, "expected a name for the rule")
			}
			if !library.IsName(args[0]) {
				return wrongUsage(c, "%q is no name of a rule; expected lower-case letters, digits and dashes, such as my-lock", args[0])
			}
			if len(dirs.names) > 1 {
				return wrongUsage(c, "--rules-dir given twice; expected one directory, where the folder is made")
			}
			dir := "."
			if len(dirs.names) == 1 {
				dir = dirs.names[0]
			}
			written, err := library.Builtin().Skeleton(dir, args[0])
			if err != nil {
				return ours(err)
			}
			return ours(a.write(bytes.NewBufferString(strings.Join(written, "\n") + "\n")))
		},
	}
	dirs.add(c.Flags())
	f.add(c.Flags())
	return c
}
