package harness

import (
	"context"
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/internal/testkit"
	"c2bp/sandbox"
	"c2bp/source"
)

// What becomes of assembly in a preprocessed text; "" means that the text is refused.
func TestWithoutAssembly(t *testing.T) {
	const value = "{ __typeof__(x) c2bp_value; c2bp_assembly(1, 0, (void *) &c2bp_value, sizeof c2bp_value); (x) = c2bp_value; }"
	for _, c := range []struct{ name, text, want string }{
		{"none", "int x;", "int x;"},
		{"statement", `void f(void) { asm("nop"); }`, "void f(void) { do { } while (0); }"},
		{"spellings", `void f(void) { __asm__ __volatile__ ("nop"); __asm volatile("nop" : : : "memory"); }`, "void f(void) { do { } while (0); do { } while (0); }"},
		{"after if", `void f(int x) { if (x) asm("nop"); else asm("nop"); }`, "void f(int x) { if (x) do { } while (0); else do { } while (0); }"},
		{"after a label", `void f(int x) { l: asm("nop"); for (;;) asm(""); }`, "void f(int x) { l: do { } while (0); for (;;) do { } while (0); }"},
		{"output", `void f(int x) { asm("mov" : "=r" (x)); }`, "void f(int x) { do { " + value + " } while (0); }"},
		{"names and inputs", `void f(int x) { asm("mov" : [out] "=r" (x) : [in] "r" (x ? 1 : 2), "m" (x) : "cc"); }`, "void f(int x) { do { (void) (x ? 1 : 2); (void) (x); " + value + " } while (0); }"},
		{"no inputs", `void f(int x) { asm("mov" : "=r" (x) :: "cc"); }`, "void f(int x) { do { " + value + " } while (0); }"},
		{"memory", `void f(int *p) { asm("mov" : "+m" (*p)); }`, "void f(int *p) { do { c2bp_assembly(1, 0, (void *) &(*p), sizeof (*p)); } while (0); }"},
		{"goto", `void f(void) { asm goto ("jmp %l0" : : : : l); l: ; }`, "void f(void) { do { int c2bp_way; c2bp_assembly(-1, 0, (void *) &c2bp_way, sizeof c2bp_way); if (c2bp_way == 1) goto l; } while (0); l: ; }"},
		{"a test", `void f(void) { asm goto ("testb %0, %P1(%%rip); jnz %l2" : : "i" (8), "i" (&x) : : l); l: ; }`, "void f(void) { do { if (*(unsigned char *) (&x) & (unsigned char) (8)) goto l; break; (void) (8); (void) (&x); int c2bp_way; c2bp_assembly(-1, 0, (void *) &c2bp_way, sizeof c2bp_way); if (c2bp_way == 1) goto l; } while (0); l: ; }"},
		{"file scope", "int x; asm(\".incbin \\\"f\\\"\"); int y;", "int x; ; int y;"},
		{"name", `int f(void) asm("" "g_1.x"); extern int a[3] __asm__("b");`, `int f(void) asm("" "g_1.x"); extern int a[3] __asm__("b");`},
		{"register", `register long sp asm("rsp"); void f(void) { register int a asm("%rdi") = 1, b asm("rsi"); }`, `register long sp asm("rsp"); void f(void) { register int a  = 1, b ; }`},
		{"lines stay", "void f(int x) { asm(\"a\"\n\"b\"\n# 7 \"g.c\"\n: \"=r\"\n(x)); }", "void f(int x) { do { " + value + " } while (0)\n\n\n# 7 \"g.c\"\n\n; }"},
		{"pragmas", "#pragma pack(1)\n#pragma GCC optimize \"-fplugin=x\"\n#pragma GCC pch_preprocess \"x\"\n#ident \"x\"\nint x;", "#pragma pack(1)\n\n\n\nint x;"},
		{"in strings", `char *s = "asm(\"\\\"nop\");", c = '"';`, `char *s = "asm(\"\\\"nop\");", c = '"';`},
		{"attributes", `int x __attribute__((section(".data.x"), deprecated("a\nb"), aligned(8)));`, `int x __attribute__((section(".data.x"), deprecated("a\nb"), aligned(8)));`},

		{"a name that is more", `int f(void) asm("g\n.incbin \"f\"");`, ""},
		{"a name of several parts that is more", `int f(void) asm("g;" "x");`, ""},
		{"a section that is more", `int x __attribute__((section(".data\n.incbin \"f\"")));`, ""},
		{"a section in brackets", `[[gnu::section(".data\n.incbin \"f\"")]] int x;`, ""},
		{"an attribute in an operand", `void f(int x) { asm("" : "=r" (*({ static int y __attribute__((section("a\nb"))); &y; }))); }`, ""},
		{"assembly in an operand", `void f(int x) { asm("" : : "r" (({ asm("nop"); x; }))); }`, ""},
		{"naked", `__attribute__((naked)) void f(void) { asm("ret"); }`, ""},
		{"a raw string", "char *s = R\"(\" ; asm(\"nop\"); \")\";", ""},
		{"a backslash between lines", "void f(void) { as\\\nm(\"nop\"); }", ""},
		{"a spelt letter", `void f(void) { \u0061sm("nop"); }`, ""},
		{"a literal without an end", "char *s = \"abc\n;", ""},
		{"a comment", "void f(void) { /* \" */ asm(\"nop\"); /* \" */ }", ""},
		{"_Pragma", `_Pragma("GCC optimize \"x\"") int x;`, ""},
		{"a directive", "#include \"x\"\nint x;", ""},
		{"a directive of two lines", "#pragma x \\\nasm(\"nop\");", ""},
		{"brackets", "void f(void) { asm(\"nop\"); ", ""},
		{"an unknown place", `int x = 1 + asm("nop");`, ""},
		{"an unknown word", `void f(void) { asm often ("nop"); }`, ""},
		{"without parentheses", `void f(void) { asm { nop } }`, ""},
		{"an unknown operand", `void f(int x) { asm("" : "=r" x); }`, ""},
	} {
		got, err := withoutAssembly([]byte("# 0 \"in.c\"\n" + c.text + "\n"))
		want := "# 0 \"in.c\"\n" + assemblyDeclaration + c.want + "\n"
		switch {
		case c.want == "" && err == nil:
			t.Errorf("%s: not refused:\n%s", c.name, got)
		case c.want != "" && (err != nil || string(got) != want):
			t.Errorf("%s: %v\ngot  %q\nwant %q", c.name, err, got, want)
		}
	}
}

// Assembly is not executed, and its outputs are those that the run chose.
func TestAssemblyIsSupplied(t *testing.T) {
	testkit.NeedGCC(t, "addr2line")
	for _, c := range []struct {
		name, body string
		want       Result
	}{
		{"a register", `int x; asm("ud2" : "=r"(x)); assert(x != 3);`, Reproduced},
		{"two", `int x; short y; asm volatile("ud2" : "=r"(x), "=r"(y) : : "cc"); assert(x != 3 || y != 2);`, Reproduced},
		{"several times", `int x, n = 0; for (int i = 0; i < 3; i++) { asm("ud2" : "=r"(x)); n = n * 8 + (x & 7); } assert(n != 8 + 5);`, Reproduced},
		{"memory", `static int x; asm("ud2" : "+m"(x)); assert(x != 3);`, Reproduced},
		{"a local register", `register int x asm("edi") = 1; asm("ud2" : "+r"(x)); assert(x != 3);`, Reproduced},
		{"outside of functions", `asm(".error"); int x = __VERIFIER_nondet_int(); assert(x != 3);`, Reproduced},
		{"not reached", `int x = __VERIFIER_nondet_int(); if (x == 1000) asm goto ("ud2" : : : : l); l: assert(x != 3);`, Reproduced},
		{"a jump", `int x = __VERIFIER_nondet_int(); asm goto ("nop" : : : : l); l: assert(x != 3);`, Reproduced},
		{"a section", `static int x __attribute__((section("a\nud2"))) = 3; x = __VERIFIER_nondet_int(); assert(x != 3);`, NotWatched},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(recorded, "int x = __VERIFIER_nondet_int();\n\tassert(x != 1);", c.body, 1)
			if first, rest, ok := strings.Cut(c.body, "asm(\".error\"); "); ok && first == "" {
				text = strings.Replace(recorded, "int x = __VERIFIER_nondet_int();\n\tassert(x != 1);", rest, 1) + "asm(\".error\");\n"
			}
			files := []*source.File{source.NewFile("in.c", []byte(text))}
			f := failing(t, load(t, files, frontend.Options{}), 10_000)
			if f == nil {
				t.Fatal("no run fails")
			}
			if h, o := reproduce(t, files, f); o.Result != c.want {
				t.Errorf("%s: %s\n%s\n%s", o.Result, o, o.Output, h.Text+h.support)
			}
		})
	}
}

// Where nothing confines processes, nothing is compiled or run, and the reason says so.
func TestNotConfined(t *testing.T) {
	testkit.NeedGCC(t, "addr2line")
	files := []*source.File{source.NewFile("in.c", []byte(recorded))}
	f := failing(t, load(t, files, frontend.Options{}), 100)
	_, o, err := Reproduce(context.Background(), files, f.recording, f.property, Options{Confinement: sandbox.None()})
	if err != nil || o.Result != NotConfined || !strings.Contains(o.String(), "nothing was compiled or run: this system offers neither Landlock") {
		t.Errorf("%s %v", o, err)
	}
}
