package main

import (
	"reflect"
	"testing"

	"github.com/spf13/pflag"

	"c2bp/frontend/ccflags"
)

// settings has values, not the default ones, of flags that say what a proof is about and do not take
// any text.
var settings = map[string]string{
	"extern": "pure", "assume": "environment=any", "cc-flags": "-DA='b c' -include d", "check": "shift,null", "std": "c99", "optimize": "2",
}

// TestWordsOfFlags: what a certificate records of the flags sets them again. Each flag is tried, so
// that none is forgotten, and all together.
func TestWordsOfFlags(t *testing.T) {
	all := newCertifyFlags()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	all.addSubject(fs)
	fs.VisitAll(func(flag *pflag.Flag) {
		value := settings[flag.Name]
		switch {
		case value == "" && flag.NoOptDefVal != "":
			value = flag.NoOptDefVal
		case value == "":
			value = "x y'z"
		}
		if err := fs.Set(flag.Name, value); err != nil {
			t.Fatal(err)
		}
		f := newCertifyFlags()
		one := pflag.NewFlagSet("", pflag.ContinueOnError)
		f.addSubject(one)
		if err := one.Set(flag.Name, value); err != nil {
			t.Fatal(err)
		}
		if len(subjectWords(&f.abstractFlags, f.errorLabels)) == 0 {
			t.Errorf("--%s is not recorded", flag.Name)
		}
		sameAgain(t, flag.Name, f)
	})
	sameAgain(t, "all", all)
}

func sameAgain(t *testing.T, what string, f *certifyFlags) {
	t.Helper()
	words := subjectWords(&f.abstractFlags, f.errorLabels)
	again := newCertifyFlags()
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	again.addSubject(fs)
	if err := fs.Parse(words); err != nil {
		t.Errorf("%s: %q: %v", what, words, err)
	}
	if !reflect.DeepEqual(again, f) {
		t.Errorf("%s: %q is\n%+v, want\n%+v", what, words, again, f)
	}
	if shell, err := ccflags.Words(ccflags.Quote(words)); err != nil || len(words) > 0 && !reflect.DeepEqual(shell, words) {
		t.Errorf("%s: %v: a shell reads %q, want %q", what, err, shell, words)
	}
}
