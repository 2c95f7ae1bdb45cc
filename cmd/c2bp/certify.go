package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"c2bp/alias/devirt"
	"c2bp/frontend/core"
	"c2bp/refine"
	"c2bp/refine/certificate"
	"c2bp/refine/certificate/extract"
	"c2bp/report"
	"c2bp/source"
	"c2bp/verdict"
)

// This file is the command "c2bp certify", and writes certificates for "c2bp audit".

// certifyFlags are the flags of "c2bp certify": the subject of the proof, and whether it may have
// changed since the audit.
type certifyFlags struct {
	abstractFlags
	errorLabels []string
	changed     bool
}

// newCertifyFlags returns flags with their defaults.
func newCertifyFlags() *certifyFlags {
	f := &certifyFlags{}
	f.extern = externFlag()
	return f
}

// certifyCommand builds the command and its flags.
func (a *app) certifyCommand() *cobra.Command {
	f := newCertifyFlags()
	c := &cobra.Command{
		Use:   "certify [flags] certificate [file.c ...]",
		Short: "Validate a certificate written by \"c2bp audit --certificate\"",
		Long: `Certify reads a certificate, a predicate invariant for every place of a C program, and
proves that it is an invariant: it holds at the start, every statement and every call
preserves it, and it implies that no assertion fails and no error label is reached.
The abstraction and the checker that found the invariant take no part in this.

The certificate names the files that the audit read, and its flags. Certify reads the
same files with the same flags, prints them, and rejects a certificate of anything
else: files that have changed, other flags, further assumptions. If files were moved,
give files and flags on the command line; with --changed, they and the program may
differ from those of the audit.

The last line is

  Certificate: VALID | REJECTED (node: why) | UNKNOWN (node: why)

Exit codes: 0 VALID, 10 REJECTED, 5 UNKNOWN, 1 wrong usage, 2 input that does not
parse or type-check, 6 internal error.`,
		Example: `  c2bp audit --certificate lock.cert lock.c
  c2bp certify lock.cert
  c2bp certify --stats --timeout 60s lock.cert moved/lock.c
  c2bp certify --changed lock.cert lock.c`,
		Args: cobra.ArbitraryArgs,
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return wrongUsage(c, "expected a certificate")
			}
			return ours(a.runCertify(c, args[0], args[1:], f))
		},
	}
	fs := c.Flags()
	// The flags that an audit has, too.
	f.addSubject(fs)
	fs.IntVarP(&f.abstract.Jobs, "jobs", "j", 0, "ignored")
	fs.Lookup("jobs").Hidden = true
	fs.BoolVar(&f.changed, "changed", false, "validate for the program as it is now, even if it or flags have changed since the audit")
	f.common.add(fs)
	return c
}

// certified is the result of "c2bp certify".
type certified struct {
	*certificate.Report
	subject *certificate.Subject // what was read
}

// runCertify validates the certificate called name and prints the result. If no C files are given,
// they are those that the certificate names.
//
//	For this program:
//	  - lock.c, SHA-256 5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef
//	Under these assumptions:
//	  - integers: signed overflow is absent
//	Certificate: VALID
func (a *app) runCertify(c *cobra.Command, name string, files []string, f *certifyFlags) error {
	if err := f.common.verify(c); err != nil {
		return err
	}
	ctx, stop := f.limits.apply(c.Context())
	// 1. Validate; a limit leaves the verdict open.
	defer stop()
	var watch stopwatch
	r, err := guarded(ctx, a.grace, func() (certified, error) { return a.certify(ctx, c, name, files, f, &watch) })
	var reason stopped
	switch {
	// A limit or an interrupt.
	case errors.As(err, &reason):
		r = certified{Report: &certificate.Report{Verdict: certificate.Unknown, Why: string(reason)}}
	case err != nil:
		return err
	}
	// 2. Print the subject and the assumptions of a valid proof, and the place of a failure.
	var out bytes.Buffer
	if r.Verdict == certificate.Valid {
		// VALID is about exactly these files, flags and assumptions.
		out.WriteString("For this program:\n")
		for _, l := range described(r.subject) {
			fmt.Fprintf(&out, "  - %s\n", l)
		}
	}
	if r.Verdict == certificate.Valid && len(r.subject.Assumed) > 0 {
		out.WriteString("Under these assumptions:\n")
		for _, l := range report.Shortened(r.subject.Assumed) {
			fmt.Fprintf(&out, "  - %s\n", l)
		}
	}
	if r.Text != "" {
		fmt.Fprintf(&out, "%s is %v: %s\n", r.Where, r.At, r.Text)
	}
	fmt.Fprintf(&out, "Certificate: %s\n", r.Summary())
	if err := a.write(&out); err != nil {
		return err
	}
	return errors.Join(a.printStats(f.stats, &report.Statistics{
		Counters: certifyStats(r.Report), Phases: watch.phases(), PeakMemory: peakMemory(),
	}), certifyError(r.Report))
}

// certify validates the certificate called name.
func (a *app) certify(ctx context.Context, c *cobra.Command, name string, files []string, f *certifyFlags, watch *stopwatch) (r certified, err error) {
	// 1. The subject of the certificate determines the files and the flags.
	file, err := source.Read(ctx, name, a.stdin)
	if err != nil {
		return r, err
	}
	then, err := certificate.ReadSubject(file)
	if err != nil {
		return r, err
	}
	files, why, err := f.follow(c, file, then, files)
	if err != nil {
		return r, err
	}
	if why != "" {
		r.Report = &certificate.Report{Why: why}
		return r, nil
	}
	// 2. Read C. The program at hand must be the subject.
	in, err := a.load(ctx, files, &f.abstractFlags, watch)
	if err != nil {
		return r, err
	}
	defer watch.phase("certify")()
	devirt.Resolve(in.unit.Program) // completes the list of assumptions
	r.subject = in.subject(files, &f.abstractFlags, f.errorLabels)
	if then != nil && !f.changed {
		if why := then.Differs(r.subject); why != "" {
			r.Report = &certificate.Report{Why: why}
			return r, nil // validating a proof of another program would waste time
		}
	}
	// 3. Validate.
	r.Report, err = certificate.ValidateFile(ctx, file, in.unit.Program, certificate.Options{ErrorLabels: f.errorLabels})
	return r, err
}

// certifyStats returns the work counters of a validation.
func certifyStats(r *certificate.Report) []verdict.Stat {
	return []verdict.Stat{
		{Name: "assertions and error labels", Value: int64(r.Sites)},
		{Name: "conditions", Value: int64(r.Conditions)},
		{Name: "prover queries", Value: r.Queries},
	}
}

// certifyError returns the error that leads to the exit code of r.
func certifyError(r *certificate.Report) error {
	switch r.Verdict {
	case certificate.Valid:
		return nil
	case certificate.Rejected:
		return noTrue(exitFalse)
	}
	return noTrue(exitUnknown)
}

// noCertificate returns the reason why there is no certificate, nil if none was asked for: the
// verdict is not TRUE, or the reason that stopped the audit.
func (f *auditFlags) noCertificate(r *verdict.Result, reason error) error {
	switch {
	case f.certificate == "":
		return nil
	case r.Verdict != verdict.True:
		return fmt.Errorf("the verdict is %v", r.Verdict)
	}
	return reason
}

// writeCertificate writes a proof of safety to the file that the user named, if there is one, and
// validates it. If there is nothing to write, or no time left to write it, none is the reason, and
// the verdict stands; it also stands if the certificate is not valid, which the result says.
func (f *auditFlags) writeCertificate(ctx context.Context, names []string, in *input, o *refine.Outcome) (none, err error) {
	// Only a proof can be written.
	if f.certificate == "" || o.Result.Verdict != verdict.True {
		return f.noCertificate(o.Result, nil), nil
	}
	// 1. Extract the proof, with the origins of predicates as notes.
	prog := in.unit.Program
	var parts []extract.Part
	for _, p := range o.Proof {
		if len(p.Program.Classes) > 0 {
			return errors.New("pointers were kept as references, and heaps have no invariant: try --refs=never"), nil
		}
		// One certificate for each abstraction that proves some properties.
		parts = append(parts, extract.Part{Analysis: p.Analysis, Predicates: p.Predicates})
	}
	proof, err := extract.Proof(ctx, prog, parts)
	if err != nil && ctx.Err() != nil {
		return context.Cause(ctx), nil
	}
	if err != nil {
		return err, nil
	}
	proof.Annotate(func(e core.Expr) string {
		if from, ok := o.Origin(e); ok {
			return from.String()
		}
		return ""
	})
	// 2. Write it in one step, unless the time is over: the result may say already that there is
	// none.
	var text bytes.Buffer
	if err := certificate.Write(&text, in.subject(names, &f.abstractFlags, f.errorLabels), proof); err != nil {
		return nil, err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx), nil
	}
	if err := os.WriteFile(f.certificate, text.Bytes(), 0o666); err != nil {
		return nil, &outputError{err}
	}
	// 3. Validate the text that was written.
	return nil, f.validate(ctx, text.Bytes(), prog, o.Result)
}

// validate validates the certificate text, as "c2bp certify" does, and records in r why it is not
// valid.
func (f *auditFlags) validate(ctx context.Context, text []byte, prog *core.Program, r *verdict.Result) error {
	// Read the text again: the proof is that of the file.
	file := source.NewFile(f.certificate, text)
	report, err := certificate.ValidateFile(ctx, file, prog, certificate.Options{ErrorLabels: f.errorLabels})
	switch {
	case err != nil && ctx.Err() != nil:
		r.Certificate = fmt.Sprintf("UNKNOWN (%v)", context.Cause(ctx))
	case err != nil:
		return err
	case report.Verdict != certificate.Valid:
		r.Certificate = report.Summary()
	}
	return nil
}
