package main

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"c2bp/checker"
	"c2bp/frontend"
	"c2bp/frontend/ccflags"
	"c2bp/refine/certificate"
	"c2bp/source"
)

// This file records the subject of a certificate, and reads C as a certificate says.

// addSubject adds the flags that determine the subject of a proof.
func (f *certifyFlags) addSubject(fs *pflag.FlagSet) {
	f.addReading(fs)
	f.driver.add(fs)
	addChecks(fs, &f.frontend.Checks)
	addErrorLabels(fs, &f.errorLabels)
}

// addErrorLabels adds --error-label.
func addErrorLabels(fs *pflag.FlagSet, labels *[]string) {
	fs.StringArrayVar(labels, "error-label", checker.DefaultErrorLabels(), "`LABEL` that must not be reached; may be repeated")
}

// subjectWords returns the flags of addSubject as words of a command line that sets them to their
// values.
func subjectWords(f *abstractFlags, errorLabels []string) []string {
	words := f.words()
	if !slices.Equal(errorLabels, checker.DefaultErrorLabels()) {
		for _, l := range errorLabels {
			words = append(words, "--error-label="+l)
		}
	}
	return words
}

// subject returns the subject of a proof about in: the C files called names, read by the flags f.
func (in *input) subject(names []string, f *abstractFlags, errorLabels []string) *certificate.Subject {
	s := &certificate.Subject{Flags: subjectWords(f, errorLabels), Assumed: in.unit.Program.Ledger}
	named := map[string]bool{}
	// Each file is identified by the hash of its text.
	texts := func(files []*source.File) (list []certificate.Text) {
		for _, file := range files {
			named[file.Name] = true
			list = append(list, certificate.TextOf(file.Name, file.Text))
		}
		return list
	}
	// 1. Files that the user named.
	s.Sources, s.Models = texts(in.files), texts(in.models)
	// 2. Options from other files, such as a compilation database, by their effect.
	for i := range s.Sources {
		if f.compiler.elsewhere() {
			options := fmt.Sprintf("%+v", withoutPaths(f.frontend.For(s.Sources[i].Name)))
			s.Commands = append(s.Commands, certificate.TextOf(names[i], []byte(options)))
		}
		// The name must be one by which the file can be read again.
		s.Sources[i].Name = names[i]
	}
	// 3. All other files.
	if in.harness != "" {
		s.Included = append(s.Included, certificate.TextOf("<harness>", []byte(in.harness)))
	}
	if b := in.unit.Builtin; b != nil {
		s.Included = append(s.Included, certificate.TextOf(b.Name, b.Text))
	}
	for _, name := range slices.Sorted(maps.Keys(in.unit.Program.Files)) {
		if !named[name] {
			s.Included = append(s.Included, certificate.TextOf(name, in.unit.Program.Files[name].Text))
		}
	}
	return s
}

// described returns lines about s for people.
//
//	lock.c, SHA-256 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef
//	files included or built in: 2
//	flags: --entry=probe --open
func described(s *certificate.Subject) (lines []string) {
	for _, t := range s.Sources {
		lines = append(lines, fmt.Sprintf("%s, SHA-256 %s", t.Name, t.Hash))
	}
	for _, t := range s.Models {
		lines = append(lines, fmt.Sprintf("models of %s, SHA-256 %s", t.Name, t.Hash))
	}
	if n := len(s.Included); n > 0 {
		lines = append(lines, fmt.Sprintf("files included or built in: %d", n))
	}
	if len(s.Flags) > 0 {
		lines = append(lines, "flags: "+ccflags.Quote(s.Flags))
	}
	return lines
}

// follow completes f, and the names of the C files, from then, the subject of the certificate in
// file, or nil if it has none. Flags on the command line take precedence, but why says how they
// differ from the certificate, unless they may.
func (f *certifyFlags) follow(c *cobra.Command, file *source.File, then *certificate.Subject, names []string) (_ []string, why string, err error) {
	// 1. The files.
	if len(names) == 0 {
		if then == nil || len(then.Sources) == 0 {
			return nil, "", wrongUsage(c, "expected a C file: the certificate does not say what it is about")
		}
		for _, t := range then.Sources {
			names = append(names, t.Name)
		}
	}
	if then == nil {
		return names, "", f.verify(c, names)
	}
	// 2. The flags in the certificate.
	// They are parsed like those of a command line.
	recorded := newCertifyFlags()
	fs := pflag.NewFlagSet("certificate", pflag.ContinueOnError)
	recorded.addSubject(fs)
	err = fs.Parse(then.Flags)
	if err == nil && fs.NArg() > 0 {
		err = fmt.Errorf("%s is none", fs.Arg(0))
	}
	if err == nil {
		err = recorded.verify(c, names)
	}
	if err != nil {
		return nil, "", &source.Diagnostic{Pos: source.Pos{File: file.Name}, Severity: source.Error, Msg: fmt.Sprintf("the certificate has flags that cannot be followed: %v", err)}
	}
	// 3. Without flags on the command line, those apply.
	given := false
	fs.VisitAll(func(flag *pflag.Flag) { given = given || c.Flags().Changed(flag.Name) })
	if !given {
		recorded.common, recorded.changed = f.common, f.changed
		*f = *recorded
		return names, "", nil
	}
	// 4. With flags on the command line, they must mean the same.
	if err := f.verify(c, names); err != nil {
		return nil, "", err
	}
	if !f.changed && !f.means(recorded, names) {
		why = "the audit had other flags that say how C is read: " + ccflags.Quote(then.Flags)
		if len(then.Flags) == 0 {
			why = "the audit had no flags that say how C is read"
		}
	}
	return names, why, nil
}

// means reports whether f and g have the same effect on reading the C files called names.
func (f *certifyFlags) means(g *certifyFlags, names []string) bool {
	for _, name := range names {
		// Compare the effects of the flags, file by file.
		own, other := f.frontend.For(shown(name)), g.frontend.For(shown(name))
		if !reflect.DeepEqual(withoutPaths(own), withoutPaths(other)) {
			return false
		}
	}
	without := func(f *certifyFlags) bool { return slices.Contains(f.models, noModels) }
	return without(f) == without(g) && slices.Equal(f.errorLabels, g.errorLabels)
}

// withoutPaths returns the options in o that determine how a C file is read, except the paths of
// other files: the contents of those files count.
// Two audits with the same file in different directories have the same subject.
func withoutPaths(o frontend.Options) frontend.Options {
	o.IncludePaths, o.Quote, o.System, o.After, o.MacroIncludes, o.PreIncludes, o.Files = nil, nil, nil, nil, nil, nil, nil
	return o
}
