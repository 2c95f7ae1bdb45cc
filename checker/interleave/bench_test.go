package interleave_test

import (
	"fmt"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
)

// philosophers returns a model of n philosophers, one of whom takes the forks in the other order.
func philosophers(n int) string {
	return fmt.Sprintf(`array Forks[%[1]d] bool;
class P {
    static Forks forks = new Forks;
    static void take(int i) { atomic { select { wait(!forks[i]) -> forks[i] = true; } } }
    static void phil(int i) {
        int left = i; int right = (i + 1) %% %[1]d;
        while (true) {
            if (i == 0) { take(right); take(left); } else { take(left); take(right); }
            forks[left] = false;
            forks[right] = false;
        }
    }
    activate static void main() { int i; atomic { while (i < %[1]d) { async phil(i); i = i + 1; } } }
};`, n)
}

// BenchmarkPhilosophers reports states per second and bytes per state.
func BenchmarkPhilosophers(b *testing.B) {
	text := philosophers(5)
	states, bytes := 0, int64(0)
	for range b.N {
		r := explore(b, text, lowerzing.Options{}, interleave.Options{})
		states, bytes = states+r.Stored, r.Bytes/int64(r.Stored)
	}
	b.ReportMetric(float64(states)/b.Elapsed().Seconds(), "states/s")
	b.ReportMetric(float64(bytes), "bytes/state")
}
