// The check of types is declared without a body in mend.go, which asks for a file of this kind.
