package frontend

import "c2bp/source"

// refuse reports texts that cannot be C.
func refuse(f *source.File) source.List { return nil }
