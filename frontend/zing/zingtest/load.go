package zingtest

import (
	"c2bp/frontend/zing"
	"c2bp/source"
)

// This file reads the text of a model.

// Load parses and checks a model.
func Load(name, text string) (*zing.Program, error) {
	p, _, err := zing.Load([]*source.File{source.NewFile(name, []byte(text))})
	return p, err
}
