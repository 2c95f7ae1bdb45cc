package certificate_test

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"

	"c2bp/refine/certificate"
	"c2bp/source"
)

// This file tests the subjects of certificates.

// subject is one with all that there can be.
func subject() *certificate.Subject {
	text := func(name, text string) certificate.Text { return certificate.TextOf(name, []byte(text)) }
	return &certificate.Subject{
		Flags:    []string{"--open", "--cc-flags=-I 'a dir' -DX=\"y\"", ""},
		Sources:  []certificate.Text{text("a b.c", "int a;"), text("dir/(c).c", "int c;")},
		Commands: []certificate.Text{text("a b.c", "-m32")},
		Models:   []certificate.Text{text("models.c", "int f(void) { return 0; }")},
		Included: []certificate.Text{text("x.h", "int x;"), text("y.h", "int y;")},
		Assumed:  []string{"library functions do no more than their models in models.c: f", "ü; (\n"},
	}
}

// What is written is read, and the proof after it is the same.
func TestSubjectIsRead(t *testing.T) {
	prog := loaded(t, tiny)
	proof, err := certificate.Read(source.NewFile("t.cert", []byte(certified(t, tiny))), prog)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []*certificate.Subject{subject(), {}, nil} {
		var b bytes.Buffer
		if err := certificate.Write(&b, s, proof); err != nil {
			t.Fatal(err)
		}
		file := source.NewFile("t.cert", b.Bytes())
		got, err := certificate.ReadSubject(file)
		if err != nil || !reflect.DeepEqual(got, s) {
			t.Errorf("%v\n%+v, want %+v", err, got, s)
		}
		again, err := certificate.Read(file, prog)
		if err != nil || textOf(t, again) != textOf(t, proof) {
			t.Errorf("%v: the proof is not the same behind its subject", err)
		}
	}
}

// Whatever is changed, added or removed is a difference; names, and the order of texts, are none,
// and neither is an assumption that is not needed.
func TestSubjectDiffers(t *testing.T) {
	now := subject()
	if why := subject().Differs(now); why != "" {
		t.Errorf("the same: %s", why)
	}
	// The parts, by reflection, so that none is forgotten.
	v := reflect.ValueOf(now).Elem()
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		list, ok := v.Field(i).Addr().Interface().(*[]certificate.Text)
		if !ok {
			continue
		}
		old := slices.Clone(*list)
		for what, changed := range map[string][]certificate.Text{
			"changed": append([]certificate.Text{certificate.TextOf(old[0].Name, []byte("other"))}, old[1:]...),
			"added":   append(slices.Clone(old), certificate.TextOf("more", []byte("more"))),
			"removed": old[1:],
			"twice":   append(slices.Clone(old), old[0]),
		} {
			*list = changed
			why := subject().Differs(now)
			t.Logf("%s %s: %s", name, what, why)
			if why == "" {
				t.Errorf("%s %s: no difference", name, what)
			}
		}
		for i := range old {
			old[i].Name = "moved/" + old[i].Name
		}
		slices.Reverse(old)
		*list = old
	}
	now.Assumed[0] = strings.ReplaceAll(now.Assumed[0], "models.c", "moved/models.c")
	if why := subject().Differs(now); why != "" {
		t.Errorf("moved: %s", why)
	}
	for _, c := range []struct {
		assumed []string
		want    string
	}{
		{[]string{now.Assumed[1]}, ""},
		{append(now.Assumed, "more"), "the audit did not assume this: more"},
	} {
		now.Assumed = c.assumed
		if why := subject().Differs(now); why != c.want {
			t.Errorf("%q: %q, want %q", c.assumed, why, c.want)
		}
	}
}

func TestUnreadableSubject(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"(certificates (subject))", "t.cert:1:1: error: expected (certificate …) behind the subject"},
		{"(certificates (subject (source a)) (certificate 1 (global)))", "t.cert:1:24: error: expected (source …) with 2 operands"},
		{"(certificates (subject (source a (b))) (certificate 1 (global)))", "t.cert:1:34: error: expected a name"},
		{"(certificates (subject (flag)) (certificate 1 (global)))", "t.cert:1:24: error: expected (flag …) with 1 operands"},
		{"(certificates (subject (sources a b)) (certificate 1 (global)))", "t.cert:1:24: error: expected (flag …), (assuming …), (source …)"},
		{"(certificates (subject a) (certificate 1 (global)))", "t.cert:1:24: error: expected (flag …)"},
		{"(certificates (certificate 1 (global)) (subject))", "t.cert:1:40: error: expected (certificate …)"},
		{"(certificate 1 (subject) (global))", "t.cert:1:16: error: expected (global …)"},
	} {
		file := source.NewFile("t.cert", []byte(c.text))
		_, err := certificate.Read(file, loaded(t, tiny))
		if err == nil || !source.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", c.text, err, c.want)
		}
		if _, err := certificate.ReadSubject(file); err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: the subject: %v, want %s", c.text, err, c.want)
		}
	}
}
