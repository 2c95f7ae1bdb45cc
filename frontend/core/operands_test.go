package core

import (
	"reflect"
	"testing"
)

// TestReplaceOperands: a statement with other operands is the same in everything else. No field is lost,
// whatever its type.
func TestReplaceOperands(t *testing.T) {
	other := NewConst(7, Int32)
	for _, s := range []Stmt{&Assume{}, &Assert{}, &Assign{}, &Copy{}, &Fill{}, &Data{}, &Alloc{}, &Free{}, &Havoc{}, &Call{}} {
		fillFields(reflect.ValueOf(s).Elem())
		out := ReplaceOperands(s, func(Expr) Expr { return other })
		if reflect.TypeOf(out) != reflect.TypeOf(s) || out == s {
			t.Fatalf("%T became %T, or did not change", s, out)
		}
		old, now := reflect.ValueOf(s).Elem(), reflect.ValueOf(out).Elem()
		for i := range old.NumField() {
			name := old.Type().Field(i).Name
			if name == "Through" {
				continue // it is not evaluated
			}
			switch a, b := old.Field(i), now.Field(i); a.Interface().(type) {
			case Expr, Loc, []Expr, []Loc, []Source:
				if b.IsZero() || reflect.DeepEqual(a.Interface(), b.Interface()) {
					t.Errorf("%T.%s was not replaced", s, name)
				}
			default:
				if !reflect.DeepEqual(a.Interface(), b.Interface()) {
					t.Errorf("%T.%s is lost", s, name)
				}
			}
		}
	}
}

// fillFields gives every field of a struct a value that is not zero.
func fillFields(v reflect.Value) {
	for i := range v.NumField() {
		fillValue(v.Field(i))
	}
}

func fillValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint8:
		v.SetUint(1)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fillValue(v.Index(0))
	case reflect.Struct:
		fillFields(v)
	case reflect.Interface:
		for _, x := range []any{NewConst(1, Int32), &Mem{Addr: NewConst(1, Int32), Typ: Int32}, Int32} {
			if reflect.TypeOf(x).AssignableTo(v.Type()) {
				v.Set(reflect.ValueOf(x))
				return
			}
		}
	}
}
