package ccflags

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"c2bp/frontend"
)

// This file has the meaning of each flag. Where a name is that of several kinds of flags, the
// longest one counts.

// argument says where the argument of a flag is.
type argument int

const (
	none   argument = iota // it has none
	joined                 // in the same word: -std=c99
	either                 // there, or if that is empty the next word: -Idir, -I dir
	next                   // the next word: -isysroot dir
)

// rule is the treatment of a flag. do is given the argument, "" if there is none.
type rule struct {
	name string // with the dash
	arg  argument
	do   func(l *Line, value string) error // nil: nothing
}

// followed are the flags that change how a file is read.
var followed []rule

func init() { // it refers to itself, through -Wp
	followed = []rule{
		{"-I", either, func(l *Line, v string) error { return l.directory(&l.file.IncludePaths, v) }},
		{"-iquote", either, func(l *Line, v string) error { return l.directory(&l.file.Quote, v) }},
		{"-isystem", either, func(l *Line, v string) error { return l.directory(&l.file.System, v) }},
		{"-idirafter", either, func(l *Line, v string) error { return l.directory(&l.file.After, v) }},
		{"-include", either, func(l *Line, v string) error { return l.include(&l.file.PreIncludes, v) }},
		{"-imacros", either, func(l *Line, v string) error { return l.include(&l.file.MacroIncludes, v) }},
		{"-D", either, (*Line).define},
		{"-U", either, (*Line).undefine},
		{"-nostdinc", none, func(l *Line, _ string) error { l.file.NoStandard = true; return nil }},
		{"-std=", joined, (*Line).standard},
		{"--std=", joined, (*Line).standard},
		{"-ansi", none, func(l *Line, _ string) error { return l.standard("c89") }},
		{"-O", joined, (*Line).optimize},
		{"-x", either, (*Line).language},
		{"-fpreprocessed", none, func(l *Line, _ string) error { l.file.Language = frontend.LanguagePreprocessed; return nil }},
		{"-m32", none, func(l *Line, _ string) error { l.bits = 32; return nil }},
		{"-m64", none, func(l *Line, _ string) error { l.bits = 64; return nil }},
		{"-funsigned-char", none, func(l *Line, _ string) error { l.file.UnsignedChar = true; return nil }},
		{"-fno-signed-char", none, func(l *Line, _ string) error { l.file.UnsignedChar = true; return nil }},
		{"-fsigned-char", none, func(l *Line, _ string) error { l.file.UnsignedChar = false; return nil }},
		{"-fno-unsigned-char", none, func(l *Line, _ string) error { l.file.UnsignedChar = false; return nil }},
		{"-fms-extensions", none, func(l *Line, _ string) error { l.file.MSExtensions = true; return nil }},
		{"-fno-ms-extensions", none, func(l *Line, _ string) error { l.file.MSExtensions = false; return nil }},
		{"-fshort-wchar", none, func(l *Line, _ string) error { l.file.ShortWchar = true; return nil }},
		{"-fno-short-wchar", none, func(l *Line, _ string) error { l.file.ShortWchar = false; return nil }},
		{"-Wp,", joined, func(l *Line, v string) error { return l.preprocessor(strings.Split(v, ",")) }},
		{"-Xpreprocessor", next, func(l *Line, v string) error { l.passed = append(l.passed, v); return nil }},
		{"--target=", joined, (*Line).target},
		{"-target", next, (*Line).target},
	}
}

// macros are flags that only predefine macros, and those; "-" undefines one.
var macros = map[string][]string{
	"-fpic":                       {"__pic__=1", "__PIC__=1"},
	"-fPIC":                       {"__pic__=2", "__PIC__=2"},
	"-fpie":                       {"__pic__=1", "__PIC__=1", "__pie__=1", "__PIE__=1"},
	"-fPIE":                       {"__pic__=2", "__PIC__=2", "__pie__=2", "__PIE__=2"},
	"-fno-pic":                    {"-__pic__", "-__PIC__", "-__pie__", "-__PIE__"},
	"-fno-PIC":                    {"-__pic__", "-__PIC__", "-__pie__", "-__PIE__"},
	"-fno-pie":                    {"-__pic__", "-__PIC__", "-__pie__", "-__PIE__"},
	"-fno-PIE":                    {"-__pic__", "-__PIC__", "-__pie__", "-__PIE__"},
	"-pthread":                    {"_REENTRANT=1"},
	"-ffreestanding":              {"__STDC_HOSTED__=0"},
	"-fno-hosted":                 {"__STDC_HOSTED__=0"},
	"-fhosted":                    {"__STDC_HOSTED__=1"},
	"-fno-freestanding":           {"__STDC_HOSTED__=1"},
	"-fgnu89-inline":              {"-__GNUC_STDC_INLINE__", "__GNUC_GNU_INLINE__=1"},
	"-fsanitize=address":          {"__SANITIZE_ADDRESS__=1"},
	"-fsanitize=kernel-address":   {"__SANITIZE_ADDRESS__=1"},
	"-fsanitize=kernel-hwaddress": {"__SANITIZE_HWADDRESS__=1"},
	"-fsanitize=thread":           {"__SANITIZE_THREAD__=1"},
	"-fno-sanitize=address":       {"-__SANITIZE_ADDRESS__"},
}

const (
	wraps   = "signed overflow wraps around in the program, and is assumed to be absent"
	strays  = "addresses wrap around in the program, and arithmetic is assumed to stay in objects"
	floats  = "floating point is taken as without it"
	fused   = "products and sums are rounded one by one, and what gcc predefines with it is not defined"
	machine = "what gcc predefines with it is not defined"
	anyInit = "variables that nobody has set have any value"
	plugged = "what the plug-in does to the program is left out"
	hooks   = "the functions that it has called are not"
	sharing = "constants have addresses of their own"
)

// unfollowed lists flags, by their beginnings, that change the meaning of the program a little, with the
// change, which is left out.
var unfollowed = []struct{ flag, what string }{
	{"-fwrapv-pointer", strays}, {"-fwrapv", wraps}, {"-fno-strict-overflow", wraps},
	{"-Ofast", floats}, {"-ffast-math", floats}, {"-fassociative-math", floats}, {"-freciprocal-math", floats},
	{"-ffinite-math-only", floats}, {"-fno-signed-zeros", floats}, {"-funsafe-math-optimizations", floats},
	{"-frounding-math", floats}, {"-fsignaling-nans", floats}, {"-fcx-limited-range", floats},
	{"-fcx-fortran-rules", floats}, {"-ffp-contract=", floats}, {"-ffloat-store", floats},
	{"-fexcess-precision=", floats}, {"-mfpmath=", floats}, {"-mpc32", floats}, {"-mpc64", floats}, {"-mrecip", floats},
	{"-finstrument-functions", hooks},
	{"-fplugin=", plugged},
	{"-ftrivial-auto-var-init=", anyInit},
	{"-fmerge-all-constants", sharing},
	{"-march=", fused}, {"-mcpu=", fused}, {"-mavx", machine}, {"-msse", machine}, {"-mssse", machine}, {"-mbmi", machine}, {"-mfma", fused},
	{"-maes", machine}, {"-mpclmul", machine}, {"-msha", machine}, {"-mlzcnt", machine}, {"-mpopcnt", machine},
	{"-mmmx", machine}, {"-m3dnow", machine}, {"-mf16c", machine}, {"-mrdrnd", machine}, {"-mrdseed", machine}, {"-mxsave", machine},
	{"-mcx16", machine}, {"-mrtm", machine}, {"-mtsxldtrk", machine}, {"-madx", machine}, {"-mmovbe", machine}, {"-mfsgsbase", machine},
	{"-mamx", machine}, {"-mgfni", machine}, {"-mvaes", machine}, {"-mvpclmulqdq", machine},
}

// harmlessAfterAll are flags that change nothing although they begin as others that do.
var harmlessAfterAll = []string{
	"-march=x86-64", "-ffp-contract=off", "-fexcess-precision=standard", "-mfpmath=sse", "-ftrivial-auto-var-init=uninitialized",
	"-finstrument-functions-exclude-file-list", "-finstrument-functions-exclude-function-list",
}

const (
	layouts  = "it changes the layout of types; give them their attributes, or leave it out"
	language = "it changes the language"
)

// refused are flags that no program is read with, by their beginnings.
var refused = []struct{ flag, why string }{
	{"-fshort-enums", layouts}, {"-fpack-struct", layouts}, {"-fshort-double", layouts}, {"-funsigned-bitfields", layouts},
	{"-fno-signed-bitfields", layouts}, {"-fsso-struct=big-endian", layouts},
	{"-mms-bitfields", layouts}, {"-malign-double", layouts}, {"-mlong-double-64", layouts}, {"-mlong-double-128", layouts},
	{"-m128bit-long-double", layouts}, {"-m96bit-long-double", layouts}, {"-mx32", layouts}, {"-m16", layouts},
	{"-miamcu", layouts}, {"-mabi=ms", layouts},
	{"-fopenmp", "its threads are not followed"}, {"-fopenacc", "its threads are not followed"}, {"-fgnu-tm", language},
	{"-fcilkplus", language}, {"-fplan9-extensions", language},
	{"-fno-asm", language}, {"-traditional", language}, {"-trigraphs", language}, {"-undef", "it takes away the predefined macros"},
	{"-fdirectives-only", language}, {"-fsingle-precision-constant", language},
	{"-iprefix", "it is not known to this search for headers"}, {"-iwithprefix", "it is not known to this search for headers"},
	{"-I-", "it is not known to this search for headers"},
}

// acceptedAfterAll are exceptions to refused.
var acceptedAfterAll = []string{"-fopenmp-simd"}

// harmless are flags that change nothing here, and where their arguments are. Those of -f are
// in harmless.txt.
var harmless = []rule{
	{"-W", joined, nil}, {"-w", none, nil}, {"-g", joined, nil}, {"-pedantic", joined, nil}, {"-pipe", none, nil},
	{"-p", none, nil}, {"-pg", none, nil}, {"-v", none, nil}, {"-H", none, nil}, {"-Q", joined, nil}, {"-C", none, nil}, {"-CC", none, nil}, {"-P", none, nil},
	{"-c", none, nil}, {"-S", none, nil}, {"-E", none, nil}, {"-o", either, nil}, {"-pass-exit-codes", none, nil}, {"-time", joined, nil},
	{"-M", none, nil}, {"-MM", none, nil}, {"-MD", none, nil}, {"-MMD", none, nil}, {"-MG", none, nil}, {"-MP", none, nil}, {"-MV", none, nil},
	{"-MF", either, nil}, {"-MT", either, nil}, {"-MQ", either, nil}, {"-MJ", either, nil},
	{"-save-temps", joined, nil}, {"--save-temps", joined, nil}, {"-dumpbase", next, nil}, {"-dumpbase-ext", next, nil}, {"-dumpdir", next, nil}, {"-d", joined, nil},
	{"-aux-info", next, nil}, {"--param", either, nil}, {"--param=", joined, nil}, {"-B", either, nil}, {"-wrapper", next, nil}, {"-specs=", joined, nil},
	{"--sysroot=", joined, nil}, {"--sysroot", next, nil}, {"-isysroot", either, nil}, {"-imultilib", next, nil}, {"-imultiarch", next, nil}, {"-nostdinc++", none, nil},
	{"-no-canonical-prefixes", none, nil}, {"-L", either, nil}, {"-l", either, nil}, {"-T", either, nil}, {"-u", either, nil}, {"-z", either, nil}, {"-e", either, nil}, {"-s", none, nil},
	{"-static", joined, nil}, {"-shared", joined, nil}, {"-rdynamic", none, nil}, {"-nostdlib", none, nil}, {"-nodefaultlibs", none, nil}, {"-nolibc", none, nil},
	{"-nostartfiles", none, nil}, {"-pie", none, nil}, {"-no-pie", none, nil}, {"-static-pie", none, nil}, {"-symbolic", none, nil},
	{"-Wa,", joined, nil}, {"-Wl,", joined, nil}, {"-Xassembler", next, nil}, {"-Xlinker", next, nil}, {"-Xclang", next, nil}, {"-mllvm", next, nil}, {"-###", none, nil},
	{"-fexec-charset=", joined, nil}, {"-finput-charset=", joined, nil}, {"-ftabstop=", joined, nil}, {"-fvisibility", joined, nil}, {"-ffixed-", joined, nil}, {"-fcall-used-", joined, nil}, {"-fcall-saved-", joined, nil}, {"-fdump-", joined, nil},
	{"-fenable-", joined, nil}, {"-fdisable-", joined, nil}, {"-fdbg-cnt=", joined, nil}, {"-fsanitize", joined, nil}, {"-fno-sanitize", joined, nil}, {"-fbuiltin-", joined, nil},
	{"-fno-builtin-", joined, nil}, {"-finline-limit", joined, nil}, {"-fplugin-arg-", joined, nil}, {"-fcrash-diagnostics", joined, nil}, {"-fmodule", joined, nil},
	{"-mno-", joined, nil}, {"-mtune", joined, nil}, {"-mcmodel=", joined, nil}, {"-mregparm=", joined, nil}, {"-mrtd", none, nil}, {"-mred-zone", none, nil},
	{"-mpreferred-stack-boundary=", joined, nil}, {"-mincoming-stack-boundary=", joined, nil}, {"-mstack", joined, nil}, {"-mindirect-branch", joined, nil},
	{"-mfunction-return=", joined, nil}, {"-mretpoline", joined, nil}, {"-mharden-sls=", joined, nil}, {"-mfentry", joined, nil}, {"-mrecord-mcount", none, nil}, {"-mnop-mcount", none, nil},
	{"-mskip-rax-setup", none, nil}, {"-msoft-float", none, nil}, {"-mhard-float", none, nil}, {"-m80387", none, nil}, {"-mgeneral-regs-only", none, nil}, {"-mlong-double-80", none, nil},
	{"-malign-", joined, nil}, {"-mbranch", joined, nil}, {"-mcld", none, nil}, {"-mglibc", none, nil}, {"-mtls", joined, nil}, {"-mabi=sysv", none, nil}, {"-masm=", joined, nil},
	{"-maccumulate-outgoing-args", none, nil}, {"-mpush-args", none, nil}, {"-momit-leaf-frame-pointer", none, nil}, {"-mstringop-strategy=", joined, nil}, {"-minline", joined, nil},
	{"-mieee-fp", none, nil}, {"-mvzeroupper", none, nil}, {"-mprefer", joined, nil}, {"-mmitigate", joined, nil}, {"-mmanual-endbr", none, nil}, {"-mcet-switch", none, nil}, {"-mforce", joined, nil},
}

//go:embed harmless.txt
var harmlessText string

var harmlessF = func() map[string]bool {
	m := map[string]bool{}
	for _, name := range strings.Fields(harmlessText) {
		m[name] = true
	}
	return m
}()

// isHarmlessF reports whether flag is one of -f, -fno- that changes nothing here: one of
// harmless.txt, or the opposite of one that is refused or left out.
func isHarmlessF(flag string) bool {
	// -fno-name=value and -fname=value count as -fname.
	name, ok := strings.CutPrefix(flag, "-f")
	if !ok {
		return false
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "no-"), "=")
	// What changes the program if it is there and nothing if it is not.
	off := strings.HasPrefix(flag, "-fno-") && slices.ContainsFunc(unfollowed, func(u struct{ flag, what string }) bool { return u.flag == "-f"+name || u.flag == "-f"+name+"=" })
	no := strings.HasPrefix(flag, "-fno-") && slices.ContainsFunc(refused, func(r struct{ flag, why string }) bool { return r.flag == "-f"+name })
	on := slices.ContainsFunc(unfollowed, func(u struct{ flag, what string }) bool { return u.flag == "-fno-"+name })
	return harmlessF[name] || off || no || on
}

// find returns the rule with the longest name among those that flag starts with, nil if there is
// none. A rule whose argument is not in the same word must be the whole flag.
func find(rules []rule, flag string) *rule {
	var best *rule
	for i := range rules {
		r := &rules[i]
		if fits := flag == r.name || (r.arg == joined || r.arg == either) && strings.HasPrefix(flag, r.name); fits && (best == nil || len(r.name) > len(best.name)) {
			best = r
		}
	}
	return best
}

// isHarmlessAfterAll reports whether flag is in the list of that name, with whatever value after =.
func isHarmlessAfterAll(flag string) bool {
	return slices.ContainsFunc(harmlessAfterAll, func(f string) bool { return flag == f || strings.HasPrefix(flag, f+"=") })
}

// leftOut returns the change of meaning that is left out with flag, in words for the report; "" if
// there is none. Flags count by their beginnings.
func leftOut(flag string) string {
	if isHarmlessAfterAll(flag) {
		return ""
	}
	for _, u := range unfollowed {
		if strings.HasPrefix(flag, u.flag) {
			return u.what
		}
	}
	return ""
}

// whyRefused says why flag is refused, nil if it is not. Flags count by their beginnings, but -I-
// and -mabi=ms only as they are: -I-dir names a directory.
func whyRefused(flag string) error {
	for _, f := range acceptedAfterAll {
		if flag == f {
			return nil
		}
	}
	for _, r := range refused {
		if flag == r.flag || strings.HasPrefix(flag, r.flag) && !(r.flag == "-I-" || r.flag == "-mabi=ms") {
			return fmt.Errorf("%s is not supported: %s", flag, r.why)
		}
	}
	// Character sets: texts are read as UTF-8 in any case.
	name, value, _ := strings.Cut(flag, "=")
	if charset := strings.ToLower(value); strings.HasSuffix(name, "-charset") && (charset != "utf-8" && charset != "utf8" || name == "-fwide-exec-charset") {
		return fmt.Errorf("%s is not supported: texts and strings are in UTF-8, wide ones in UTF-32", flag)
	}
	return nil
}
