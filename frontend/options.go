package frontend

import "c2bp/frontend/ccfix"

// This file has the options that a single file may have of its own.

// Languages of a file, see [Options].Language.
const (
	LanguageByName       = ccfix.LanguageByName
	LanguageC            = ccfix.LanguageC
	LanguagePreprocessed = ccfix.LanguagePreprocessed
)

// For returns o with the options that Options.Files has for the file called name.
func (o Options) For(name string) Options {
	if own, ok := o.Files[name]; ok {
		return o.With(own)
	}
	return o
}

// With is o with those options of file that are about a single file. The data model, the entry and
// the assumptions stay those of the program.
func (o Options) With(file Options) Options {
	o.IncludePaths, o.Quote, o.System, o.After, o.NoStandard = file.IncludePaths, file.Quote, file.System, file.After, file.NoStandard
	o.Undefs, o.Defines, o.MacroIncludes, o.PreIncludes = file.Undefs, file.Defines, file.MacroIncludes, file.PreIncludes
	o.Standard, o.Optimize, o.MSExtensions, o.Language = file.Standard, file.Optimize, file.MSExtensions, file.Language
	return o
}

// Preprocessed reports whether the file called name is read as preprocessed text.
func (o Options) Preprocessed(name string) bool { return o.compiler().Preprocessed(name) }

// Standards lists the values of Options.Standard.
func Standards() []string { return ccfix.Standards() }

// compiler returns the options that concern the parser.
func (o Options) compiler() ccfix.Options {
	return ccfix.Options{
		IncludePaths: o.IncludePaths, Quote: o.Quote, System: o.System, After: o.After, NoStandard: o.NoStandard,
		Undefs: o.Undefs, Defines: o.Defines, MacroIncludes: o.MacroIncludes, PreIncludes: o.PreIncludes,
		Standard: o.Standard, Optimize: o.Optimize, MSExtensions: o.MSExtensions, Language: o.Language,
		Bits32: o.Bits32, UnsignedChar: o.UnsignedChar, ShortWchar: o.ShortWchar, ReadFile: o.ReadFile,
	}
}
