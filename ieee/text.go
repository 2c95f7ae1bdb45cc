package ieee

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// This file reads and writes numbers as C does.

// Parse returns the number that a C literal without its suffix denotes, infinity if it is too
// great. ok is false if text is no such literal: 1.5, 1e3, .5 and 0x1.8p1 are, 0x1.8 and Go's
// 0x_1p1 are not.
func Parse(text string, width int) (x uint64, ok bool) {
	if hex := strings.ToLower(text); strings.HasPrefix(hex, "0x") && !strings.Contains(hex, "p") {
		return 0, false
	}
	if strings.Contains(text, "_") {
		return 0, false
	}
	// Rounded once, to the width.
	v, err := strconv.ParseFloat(text, width)
	if err != nil && !math.IsInf(v, 0) || v != v {
		// Infinity with an error is a literal out of range; a NaN is none.
		return 0, false
	}
	if width == 32 {
		return bits32(float32(v)), true
	}
	return bits64(v), true
}

// Format returns x as a C expression, as short as possible: 0.5, 1e+30, 0.1f, -INFINITY. A NaN is
// written with its bits unless they are those of NAN.
func Format(x uint64, width int) string {
	v := number(x, width)
	switch {
	case math.IsInf(v, 1):
		return "INFINITY"
	case math.IsInf(v, -1):
		return "-INFINITY"
	case v != v && x == quiet(infinity(width), width):
		return "NAN"
	case v != v:
		return fmt.Sprintf("NAN(%#x)", x)
	}
	// Numbers of a usual size have no exponent; all have a point or an exponent, as C demands.
	text := strconv.FormatFloat(v, 'g', -1, width)
	if a := math.Abs(v); a >= 1e-4 && a < 1e15 || a == 0 {
		text = strconv.FormatFloat(v, 'f', -1, width)
	}
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	if width == 32 {
		text += "f"
	}
	return text
}

// Exact returns x as a constant expression of gcc, with all its bits: 0x1p-01f, -__builtin_inf(),
// __builtin_nans("0x1").
func Exact(x uint64, width int) string {
	suffix, sign := "", ""
	if width == 32 {
		suffix = "f"
	}
	// The sign apart, so that it is kept of a NaN, too.
	if x>>(width-1)&1 == 1 {
		sign, x = "-", x&^(1<<(width-1))
	}
	v := number(x, width)
	switch {
	case math.IsInf(v, 0):
		return sign + "__builtin_inf" + suffix + "()"
	case v != v:
		kind, payload := "nan", x&(1<<(mantissa(width)-1)-1)
		if x != quiet(x, width) {
			kind = "nans"
		}
		return fmt.Sprintf("%s__builtin_%s%s(\"%#x\")", sign, kind, suffix, payload)
	}
	return sign + strconv.FormatFloat(v, 'x', -1, width) + suffix
}
