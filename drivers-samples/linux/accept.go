package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// This file measures how c2bp reads drivers.

// accept prints for each driver whether c2bp reads it, and how many places are arbitrary.
//
//	driver	accepted	seconds	MB	arbitrary places	why not
//	drivers/x/lamp.c	yes	1.2	96	14
func accept(ctx context.Context, s *settings) error {
	list := drivers()
	fmt.Println("driver\taccepted\tseconds\tMB\tarbitrary places\twhy not")
	s.each(len(list), func(i int) string {
		driver := filepath.Join(s.source, list[i])
		// 1. Its harness, which the other calls are given.
		reading := s.reading(list[i])
		made := s.call(ctx, append([]string{"audit", "--print-harness", driver}, reading...)...)
		file := filepath.Join(s.work, strings.ReplaceAll(strings.TrimSuffix(list[i], ".c"), "/", "_")+".harness.c")
		if made.code != 0 {
			return list[i] + "\tno\t\t\t\tharness: " + firstError(made.err)
		}
		if err := os.WriteFile(file, []byte(made.out), 0o666); err != nil {
			return list[i] + "\t" + err.Error()
		}
		// 2. The core program is printed if the front end accepts every function.
		program := append([]string{driver, file}, reading...)
		whole := s.call(ctx, append([]string{"--dump", "core", "--whole"}, program...)...)
		if whole.code != 0 {
			return fmt.Sprintf("%s\tno\t%.1f\t%d\t\t%s", list[i], whole.seconds, whole.megabyte, firstError(whole.err))
		}
		arbitrary := strings.Count(s.call(ctx, append([]string{"--explain-unsupported"}, program...)...).out, "arbitrary")
		return fmt.Sprintf("%s\tyes\t%.1f\t%d\t%d\t", list[i], whole.seconds, whole.megabyte, arbitrary)
	})
	return nil
}

// firstError returns the first line with an error of text, which c2bp has written.
func firstError(text string) string {
	first, _, _ := strings.Cut(text[max(0, strings.Index(text, "error: ")):], "\n")
	return first
}
