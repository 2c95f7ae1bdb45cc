package ccfix

import "testing"

func TestScrub(t *testing.T) {
	for _, test := range []struct{ in, want string }{
		{"(int (*)(int x, long y))q", "(int (*)(int  , long  ))q"},
		{"(*)(struct T *tty, struct F *f)", "(*)(struct T *   , struct F * )"},
		{"(*)(T x, const T, unsigned u, T *p, int)", "(*)(T  , const T, unsigned  , T * , int)"},
		{"(*const)(int a[3], int (*cb)(int b))", "(*const)(int  [3], int (*  )(int  ))"},
		{"(*(*)(int a))(int b)", "(*(*)(int  ))(int  )"},
		{"(*f)(int x)", "(*f)(int x)"},
		{"f(int x) { (*p)(x); }", "f(int x) { (*p)(x); }"},
		{"(*(x))(y)", "(*(x))(y)"},
		{"(*/* c */)(int /* x */ x)", "(*/* c */)(int /* x */  )"},
		{"\"(*)(int x)\"", "\"(*)(int x)\""},
		{"'(' (*)(int x) ')'", "'(' (*)(int  ) ')'"},
		{"(*)(void)", "(*)(void)"},
		{"sizeof(int (int x))", "sizeof(int (int  ))"},
		{"(*)(", "(*)("},
		{"(*)(int x", "(*)(int x"},
	} {
		if got := string(scrub([]byte(test.in))); got != test.want {
			t.Errorf("scrub(%q)\n got %q\nwant %q", test.in, got, test.want)
		}
	}
}
