package ccfix

import "testing"

func TestSpell(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"x = 'ab' + 'a' + L'b';", "x = $0   + 'a' + L'b';"},
		{"x = L'\\xabcd';", "x = $0       ;"},
		{"18446744073699061760 18446744073699061760u 9223372036854775807", "$0                   18446744073699061760u 9223372036854775807"},
		{"UINT64_C(18446744073709551615) (18446744073709551615)", "UINT64_C(18446744073709551615) ($0                  )"},
		{"0xffffffffffffffffffff 99999999999999999999999", "0xffffffffffffffffffff $0                     "},
		{"\"a\" L\"b\" L\"c\" L\"d\"", "L\"a\" \"b\" \"c\" \"d\"  "},
		{`u8"x" "\x012"`, `"x" "\022"   `},
		{`"a\\1"`, "\"a\x1c1\" "},
		{`L"\xe9z\x41"`, "L\"\U000F0000z\\x41\""},
		{"\"a\"\n  L\"b\"", "L\"a\"\n  \"b\""},
		{"int a[*], b[ * ], c[*p];", "int a[1], b[ 1 ], c[*p];"},
		{"{ [1] 2, [3]4, [5] = 6, [7][8] 9, [1].x 1 }", "{ [1]=2, [3]4, [5] = 6, [7][8] 9, [1].x 1 }"},
		{"f(a, [1] 2) { x = a[1] 2; }", "f(a, [1] 2) { x = a[1] 2; }"},
		{"typeof(int) a; typeof(x) b; __typeof__(struct s *) c; typeof(int[3]) d; typeof(int (*)(void)) e; typeof(void) f; typeof(volatile int) g;",
			"$tof  (int) a; typeof(x) b; $tof      (struct s *) c; typeof(int[3]) d; typeof(int (*)(void)) e; typeof(void) f; typeof(volatile int) g;"},
		{"typedef int T; typeof(T) a; typedef struct { int b; } U; typeof(U *) c;", "typedef int T; $tof  (T) a; typedef struct { int b; } U; $tof  (U *) c;"},
		{"typeof(int (struct s *, int)) f; typeof(void(void)) *g; typeof ( char * ( int ( * ) ( void ) ) ) h; typeof(f(x)) y; typeof(int()) z; typeof(*(p)) a; typeof(n * (p)) b; typeof(size_t (x)) c;",
			"$tfn  (int ,struct s *, int ) f; $tfn  (void,void ) *g; $tfn   ( char * , int ( * ) ( void )   ) h; typeof(f(x)) y; $tfn  (int, ) z; typeof(*(p)) a; typeof(n * (p)) b; $tfn  (size_t ,x ) c;"},
		{"char a[c ? 1 : -1]; typedef int a ## b[c ? 1 : -1];", "char a[c ? 1 :  1]; typedef int a ## b[c ? 1 :  1];"},
		{"sizeof(char[1 - 2*!!(c)])", "sizeof(char[1 - 0*!!(c)])"},
		{"return a[c ? 1 : -1] + b[1 - 2*!!(c)];", "return a[c ? 1 : -1] + b[1 - 2*!!(c)];"},
		{"int f() { if (x) a[c ? 1 : -1] = 1; }", "int f() { if (x) a[c ? 1 : -1] = 1; }"},
		{"'", "'"},
		{"L'", "L'"},
		{"'ab", "'ab"},
		{"'a\\", "'a\\"},
		{"[", "["},
		{"typeof(", "typeof("},
		{"// 'ab'\n/* 'cd' */ \"'ef'\"", "// 'ab'\n/* 'cd' */ \"'ef'\""},
	} {
		p := New()
		got, _ := p.spell([]byte(test.in))
		if string(got) != test.want {
			t.Errorf("spell(%q)\n got %q\nwant %q", test.in, got, test.want)
		}
	}
}
