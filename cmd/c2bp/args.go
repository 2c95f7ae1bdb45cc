package main

import (
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// This file accepts long flags with one dash.

// normalizeArgs allows every long flag of root and its commands to be written with one dash, as in
// -preds p.txt, -preds=p.txt or -64. pflag reads those as bundled one-letter flags, so they are
// rewritten before cobra sees them; so is -O2, whose value it would take for flags. Other
// one-letter flags (-I dir, -Idir), values of flags, and everything after "--" are left unchanged.
//
//	-preds p.txt -64 -O2 -Idir a.c   becomes   --preds p.txt --64 --optimize=2 -Idir a.c
func normalizeArgs(root *cobra.Command, args []string) []string {
	if len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd) {
		return args // the words that a shell asks to complete are no command line yet
	}
	flags := allFlags(root)
	out := make([]string, 0, len(args))
	value := false // the argument is the value of the flag before it
	for i, arg := range args {
		switch {
		// The value of a flag may look like a flag.
		case value:
			value = false
		case arg == "--":
			return append(out, args[i:]...)
		case strings.HasPrefix(arg, "-") && arg != "-":
			// A known long flag gets its second dash; -O2 becomes --optimize=2.
			if name, _, _ := strings.Cut(arg[1:], "="); len(name) > 1 && flags[name] != nil {
				arg = "-" + arg
			} else if level, ok := strings.CutPrefix(arg, "-O"); ok && level != "" && flags["O"] != nil {
				arg = "--" + flags["O"].Name + "=" + strings.TrimPrefix(level, "=")
			}
			value = takesNext(flags, arg)
		}
		out = append(out, arg)
	}
	return out
}

// allFlags maps the names of all flags of c and the commands under it, long and one-letter ones. A
// name has the same meaning in every command.
func allFlags(c *cobra.Command) map[string]*pflag.Flag {
	flags := map[string]*pflag.Flag{}
	add := func(f *pflag.Flag) {
		flags[f.Name] = f
		if f.Shorthand != "" {
			flags[f.Shorthand] = f
		}
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		// cobra adds these two flags only when it executes a command.
		c.InitDefaultHelpFlag()
		c.InitDefaultVersionFlag()
		c.Flags().VisitAll(add)
		c.PersistentFlags().VisitAll(add)
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(c)
	return flags
}

// takesNext reports whether arg is a flag whose value is the next argument.
// A flag whose value may be missing, such as --stats, has it after an equals sign only.
func takesNext(flags map[string]*pflag.Flag, arg string) bool {
	// A long flag, or a flag of one letter by itself.
	name := strings.TrimPrefix(arg, "-")
	if long := strings.TrimPrefix(name, "-"); long != name {
		name = long
	} else if len(name) > 1 {
		return false // -Idir, or unknown
	}
	f := flags[name]
	return f != nil && f.NoOptDefVal == ""
}
