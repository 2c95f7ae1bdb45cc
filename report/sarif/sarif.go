// Package sarif renders a [verdict.Result] in the form of SARIF 2.1.0, which editors and code hosts read.
//
//	failing property          result of kind fail, with the run as a code flow
//	rule, assertion, label    reportingDescriptor of the driver
//	suppressed failure        result with a suppression: inSource by a comment, external by an earlier result
//	earlier result            baselineState new or unchanged
//	assumption                toolExecutionNotification of level note
//	undecided property        toolExecutionNotification of level warning
//
// Trade-off. Properties that hold or are undecided are no results: many readers of SARIF show each result as a
// defect, whatever its kind is. The verdict is in the property bag of the run, so that a log without results is
// no proof by itself.
package sarif

import (
	"io"
	"net/url"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"c2bp/source"
	"c2bp/verdict"
)

// Rule is how a rule is described.
type Rule struct {
	Title    string
	Help     string // its text
	Severity string // error, warning or note
}

// Options control Write.
type Options struct {
	Version  string                  // of c2bp
	ExitCode int                     // of the audit
	Rules    map[string]Rule         // by name
	Files    map[string]*source.File // texts, for columns; may lack some
}

// fingerprintName is the name of the fingerprints, with the version of their definition.
const fingerprintName = "c2bp/v1"

// writer makes a log.
type writer struct {
	Options
	result *verdict.Result
	run    *sarif.Run
}

// Write renders r. Nothing is written if that fails.
func Write(w io.Writer, r *verdict.Result, opts Options) error {
	return newLog(r, opts).PrettyWrite(w)
}

// Validate returns an error unless data is a log by the schema of SARIF 2.1.0.
func Validate(data []byte) error {
	log, err := sarif.FromBytes(data, sarif.WithStrictValidation())
	if err != nil {
		return err
	}
	return log.Validate()
}

// newLog returns the log of r.
func newLog(r *verdict.Result, opts Options) *sarif.Report {
	x := &writer{Options: opts, result: r, run: sarif.NewRun()}
	// 1. The tool, with the properties that were checked.
	driver := sarif.NewToolComponent().WithName("c2bp").WithVersion(opts.Version)
	x.run.WithTool(sarif.NewTool().WithDriver(driver)).WithColumnKind("unicodeCodePoints")
	for _, s := range r.Sites {
		x.describe(s)
	}
	// 2. The failures.
	for i, s := range r.Sites {
		if s.Failed {
			x.run.AddResult(x.failure(i, s))
		}
	}
	// 3. What was assumed and what is open.
	x.run.AddInvocation(x.invocation())
	bag := sarif.NewPropertyBag()
	bag.Add("verdict", r.Verdict.String())
	bag.Add("summary", r.Summary())
	x.run.WithProperties(bag)
	log := sarif.NewReport()
	log.AddRun(x.run)
	return log
}

// idOf returns the id of the descriptor of a property.
func idOf(s verdict.Site) string {
	switch s.Kind {
	case verdict.Rule:
		return s.Name
	case verdict.Label:
		return "c2bp-label"
	case verdict.Dereference:
		return "c2bp-null-dereference"
	}
	return "c2bp-assertion"
}

// descriptions are those of properties that are no rules.
var descriptions = map[string]Rule{
	"c2bp-assertion":        {"an assertion holds whenever it is reached", "The run that is shown makes the condition of an assertion false.", "error"},
	"c2bp-label":            {"an error label is not reached", "The run that is shown reaches a label that must not be reached.", "error"},
	"c2bp-null-dereference": {"no null reference is followed", "The run that is shown follows a null reference.", "error"},
}

// describe adds the descriptor of a property, once.
func (x *writer) describe(s verdict.Site) {
	id := idOf(s)
	if x.run.GetRuleIndex(id) >= 0 {
		return
	}
	d, known := descriptions[id]
	if r, ok := x.Rules[id]; ok && (s.Kind == verdict.Rule || !known) {
		d = r
	}
	rule := x.run.AddRule(id).WithShortDescription(sarif.NewMultiformatMessageString().WithText(d.Title))
	if d.Help != "" {
		rule.WithHelp(sarif.NewMultiformatMessageString().WithText(d.Help).WithMarkdown("```\n" + d.Help + "```\n"))
	}
	rule.WithDefaultConfiguration(sarif.NewReportingConfiguration().WithLevel(x.level(s)))
}

// level returns the level of a failure.
func (x *writer) level(s verdict.Site) string {
	if r, ok := x.Rules[s.Name]; ok && s.Kind == verdict.Rule && r.Severity != "" {
		return r.Severity
	}
	return "error"
}

// failure returns the result for site number i.
func (x *writer) failure(i int, s verdict.Site) *sarif.Result {
	id := idOf(s)
	text := s.What() + " fails"
	if s.Text != "" {
		text += ": " + s.Text
	}
	out := sarif.NewRuleResult(id).WithRuleIndex(x.run.GetRuleIndex(id)).WithLevel(x.level(s))
	// 1. The run.
	for _, f := range x.result.Failures {
		if f.Site != i {
			continue
		}
		for j, c := range f.RestsOn {
			if j == 0 {
				text += "\nThe failure rests on:"
			}
			text += "\n- " + c.Text
			out.AddRelatedLocation(x.location(c.Pos, "", c.Text).WithID(j + 1))
		}
		if f.Trace != nil && len(out.CodeFlows) == 0 {
			out.AddCodeFlow(x.codeFlow(f))
		}
	}
	// 2. The place.
	out.WithMessage(sarif.NewTextMessage(text))
	out.AddLocation(x.location(s.Pos, s.Proc, ""))
	// 3. Is it known?
	if s.Fingerprint != "" {
		out.WithPartialFingerprints(map[string]string{fingerprintName: s.Fingerprint})
	}
	if s.Suppressed != "" {
		kind := "external"
		if s.InSource {
			kind = "inSource"
		}
		out.AddSuppression(sarif.NewSuppression().WithKind(kind).WithStatus("accepted").WithJustification(s.Suppressed))
	}
	if c := x.result.Changes; c != nil {
		for _, change := range c.List {
			if change.Fingerprint == s.Fingerprint && (change.State == verdict.NewFailure || change.State == verdict.UnchangedFailure) {
				out.WithBaselineState(string(change.State))
			}
		}
	}
	return out
}

// codeFlow returns the steps of a run.
func (x *writer) codeFlow(f verdict.Failure) *sarif.CodeFlow {
	flow := sarif.NewThreadFlow()
	for i, s := range f.Trace.Steps {
		text := s.Text
		if text == "" {
			text = s.Stmt
		}
		at := sarif.NewThreadFlowLocation().WithLocation(x.location(s.Pos, s.Proc, text)).WithNestingLevel(s.Depth).WithExecutionOrder(i + 1)
		switch {
		case i == len(f.Trace.Steps)-1:
			at.WithImportance("essential")
		case s.Origin == "":
			at.WithImportance("unimportant")
		}
		flow.AddLocation(at)
	}
	return sarif.NewCodeFlow().AddThreadFlow(flow)
}

// location returns a place in a file, in a function if that is not "".
func (x *writer) location(pos source.Pos, proc, text string) *sarif.Location {
	l := sarif.NewLocation()
	if text != "" {
		l.WithMessage(sarif.NewTextMessage(text))
	}
	if proc != "" {
		l.AddLogicalLocation(sarif.NewLogicalLocation().WithFullyQualifiedName(proc).WithKind("function"))
	}
	// What has no file, such as a harness that was made, has no physical location.
	if !pos.IsValid() || pos.File == "" || strings.HasPrefix(pos.File, "<") {
		return l
	}
	p := sarif.NewPhysicalLocation().WithArtifactLocation(sarif.NewArtifactLocation().WithURI(uri(pos.File)))
	return l.WithPhysicalLocation(p.WithRegion(x.region(pos)))
}

// region returns the region from a position to the end of its line, in code points. Positions count bytes.
func (x *writer) region(pos source.Pos) *sarif.Region {
	r := sarif.NewRegion().WithStartLine(pos.Line)
	f := x.Files[pos.File]
	if f == nil || pos.Col < 1 {
		return r
	}
	line := strings.TrimRight(f.Line(pos.Line), " \t\r\n")
	if pos.Col > len(line) {
		return r
	}
	start := utf8.RuneCountInString(line[:pos.Col-1]) + 1
	return r.WithStartColumn(start).WithEndColumn(start + utf8.RuneCountInString(line[pos.Col-1:])).
		WithSnippet(sarif.NewArtifactContent().WithText(line[pos.Col-1:]))
}

// uri returns the name of a file as a URI reference.
func uri(name string) string {
	name = path.Clean(name)
	u := url.URL{Path: name}
	if path.IsAbs(name) {
		u.Scheme = "file"
	}
	return u.String()
}

// invocation returns the audit, with notifications of assumptions and of open properties.
func (x *writer) invocation() *sarif.Invocation {
	i := sarif.NewInvocation().WithExecutionSuccessful(true).WithExitCode(x.ExitCode)
	notify := func(level, id, text string, pos source.Pos) {
		n := sarif.NewNotification().WithLevel(level).WithMessage(sarif.NewTextMessage(text)).
			WithDescriptor(sarif.NewReportingDescriptorReference().WithID(id))
		if pos.IsValid() {
			n.AddLocation(x.location(pos, "", ""))
		}
		i.AddToolExecutionNotification(n)
	}
	for _, s := range x.result.Sites {
		if s.Open {
			text := s.What() + " is undecided"
			if s.Reason != "" {
				text += ": " + s.Reason
			}
			notify("warning", "c2bp-undecided", text, s.Pos)
		}
	}
	if x.result.Verdict == verdict.Unknown {
		notify("warning", "c2bp-unknown", x.result.Summary(), source.Pos{})
	}
	if c := x.result.Changes; c != nil {
		for _, change := range c.List {
			if change.State == verdict.FixedFailure || change.State == verdict.OpenFailure {
				notify("note", "c2bp-"+string(change.State), change.What+" of "+c.Since+" at "+change.Where+" is "+string(change.State), source.Pos{})
			}
		}
	}
	for _, line := range x.result.Ledger {
		notify("note", "c2bp-assumption", line, source.Pos{})
	}
	return i
}
