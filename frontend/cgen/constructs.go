package cgen

import "regexp"

// Construct is something that programs with memory may contain.
type Construct struct {
	Name    string
	pattern *regexp.Regexp
}

// In reports whether the program has the construct.
func (c Construct) In(program string) bool { return c.pattern.MatchString(program) }

// Constructs lists constructs that programs with memory may contain, for counting. The patterns depend
// on how this package writes C.
var Constructs = func() (list []Construct) {
	for _, c := range [][2]string{
		{"struct", `struct \w+S\d+ \{`},
		{"union", `union \w+U\d+ \{`},
		{"bit-field", ` : \d+;`},
		{"nested struct", `struct \w+S\d+ \{.*struct \w+S\d+ \w+;`},
		{"anonymous struct", `struct \{`},
		{"array of arrays", `\w\[\d+\]\[\d+\];`},
		{"pointer to a row", `\(&\S+\[\d\] - \d\)`},
		{"array of structs", `struct \w+ \w+\[\d\]`},
		{"pointer to struct", `struct \w+ \*\w+q\d+`},
		{"pointer to array", `\(\*\w+\)\[\d\]`},
		{"pointer to pointer", `\*\*\w+z\d+ = &`},
		{"pointer in a struct", `struct \w+S\d+ \{.*\*`},
		{"pointer to a local", `main[^$]*q\d+ = &\w*o\d\d`},
		{"arrow", `->`},
		{"null pointer", `\?: &`},
		{"function pointer variable or member", `\(\*\w+[om]\d+\)\(`},
		{"table of functions", `\(\*\w+o\d+\[\d\]\)\(`},
		{"call through a pointer", `\w(\.\w+m\d+|\])\)?\([^)]`},
		{"struct assignment", `(?m)^ *\S+ = \w+o\d+(\[.*\])?(\.\w+)?;$`},
		{"struct parameter", `static \w+( \w+)* \w+f\d+\(.*(struct|union) \w+ \w+a\d+[,)]`},
		{"struct result", `static (struct|union) \w+ \w+f\d+\(`},
		{"pointer result", `static (\w+ )+\*\w+f\d+\(`},
		{"designated initialiser", `\{ \.\w+ = `},
		{"index designator", `\[\d\] = `},
		{"range designator", `\[\d+ \.\.\. \d+\] = `},
		{"string initialiser", `= (\{ )?"`},
		{"string literal", `"\[`},
		{"bytes of an object", `\(\((un)?signed char \*\)`},
		{"memcpy", `(?m)^ +memcpy\(`},
		{"memmove", `(?m)^ +memmove\(`},
		{"memset", `memset\(&`},
		{"malloc and free", `malloc\(sizeof\(`},
		{"linked list", `reverse\(\w+z`},
		{"flexible array", `data\[\]`},
		{"variable arguments", `var\("`},
		{"compound literal", `\((struct|union) \w+\)\{`},
		{"statement expression", `\(\{`},
		{"pointer arithmetic", `\(\*\(\w+ \+ `},
		{"pointer walk", `\w+q\d+\+\+\)`},
		{"pointer comparison", `q\d+ > \w+z\d+`},
		{"pointer difference", `\) - \(\w+`},
		{"pointer through unsigned long", `\*\)\(unsigned long\)`},
		{"pointer through char *", `\(char \*\)`},
		{"offset arithmetic", `\(unsigned long\)\S+ \+ __builtin_offsetof`},
		{"container of a member", `\(char \*\)\S+ - __builtin_offsetof`},
		{"object in a buffer", `\(16\)`},
		{"array of variable length", `\[\(?\w+z\d+( \+ 2\))?\]`},
		{"recursion with memory", `\w+f\d+\(depth - 1.*&`},
		{"switch", `switch \(`},
		{"goto", `\bgoto \w+L`},
		{"static local", `(?m)^ +static (struct|union|\w+ \w+o)`},
	} {
		list = append(list, Construct{c[0], regexp.MustCompile(c[1])})
	}
	return list
}()
