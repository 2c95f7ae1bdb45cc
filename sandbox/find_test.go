package sandbox

import (
	"context"
	"errors"
	"testing"
)

// Without confinement nothing is run.
func TestNone(t *testing.T) {
	if _, err := None().Run(context.Background(), Command{Path: "/bin/true", Dir: "/"}); !errors.Is(err, ErrUnavailable) {
		t.Error(err)
	}
}
