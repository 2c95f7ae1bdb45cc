package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	update, stop := newProgress(&out, "abstracting", time.Hour)
	update(1, 10)
	stop()
	if out.Len() > 0 {
		t.Errorf("short work printed %q", out.String())
	}
	update, stop = newProgress(&out, "abstracting", 0)
	update(3, 10)
	stop()
	if got := out.String(); !strings.Contains(got, "abstracting") || !strings.Contains(got, "3/10") {
		t.Errorf("long work printed %q", got)
	}
	if update, _ := (&app{}).progress("x"); update != nil {
		t.Error("progress is shown though nobody watches")
	}
}
