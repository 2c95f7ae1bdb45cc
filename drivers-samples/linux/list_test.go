package main

import (
	"strings"
	"testing"
)

// TestObjects: the modules of a Makefile that consist of one file.
func TestObjects(t *testing.T) {
	makefile := "obj-$(CONFIG_A) += a.o b.o \\\n c.o\nb-y := b1.o b2.o\nobj-y += always.o\nobj-$(CONFIG_D)\t+= d-core.o\nd-core-objs += x.o\n"
	if got := strings.Join(objects([]byte(makefile)), " "); got != "a c" {
		t.Errorf("objects: %s", got)
	}
}
