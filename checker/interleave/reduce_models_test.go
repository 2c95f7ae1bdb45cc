package interleave_test

import (
	"fmt"
	"strings"
	"testing"

	"c2bp/checker/interleave"
	"c2bp/checker/lowerzing"
	"c2bp/internal/testkit"
)

// This file measures how many states a reduction saves.

// producers returns a model of n processes, of which half put numbers into a buffer and half take them out, under
// one lock; a semaphore of the items and one of the places say who may.
func producers(n int) string {
	var starts strings.Builder
	for i := range n {
		fmt.Fprintf(&starts, "async %s(); ", []string{"produce", "consume"}[i%2])
	}
	return fmt.Sprintf(`array Slots[4] int;
class Buffer {
    static bool lock; static int head; static int count; static Slots slots = new Slots;
    static atomic void take() { select { wait(!lock) -> lock = true; } }
    static void produce() {
        int i;
        while (i < 2) {
            take();
            if (count < 4) {
                slots[(head + count) %% 4] = i;
                count = count + 1;
                i = i + 1;
            }
            lock = false;
        }
    }
    static void consume() {
        int i; int got;
        while (i < 2) {
            take();
            if (count > 0) {
                got = slots[head];
                head = (head + 1) %% 4;
                count = count - 1;
                assert(got < 2);
                i = i + 1;
            }
            lock = false;
        }
    }
    activate static void start() { atomic { %s} }
};`, starts.String())
}

// accounts returns a model of n processes that move money between two accounts, each with a lock of its own;
// the locks are taken in the order of the accounts.
func accounts(n int) string {
	return fmt.Sprintf(`class Account {
    bool held; int balance = 10;
    atomic void lock() { select { wait(!held) -> held = true; } }
    void unlock() { held = false; }
};
class Bank {
    static Account a = new Account; static Account b = new Account;
    static void move(int sum) {
        a.lock();
        b.lock();
        a.balance = a.balance - sum;
        b.balance = b.balance + sum;
        assert(a.balance + b.balance == 20);
        b.unlock();
        a.unlock();
    }
    static void client(int sum) { move(sum); move(0 - sum); }
    activate static void start() { atomic { int i; while (i < %d) { async client(i + 1); i = i + 1; } } }
};`, n)
}

// transactions returns a model of a manager of transactions, after the shape of such programs: a table of
// transactions under one lock, each with a state and a count of its users under a lock of its own. Clients begin a
// transaction, work in it and commit it; a process in the background purges what is committed and unused.
func transactions(clients int) string {
	return fmt.Sprintf(`enum Status { free, active, committed };
class Txn {
    bool held; Status status; int users; int work;
    atomic void lock() { select { wait(!held) -> held = true; } }
    void unlock() { held = false; }
};
array Table[%[1]d] Txn;
class Manager {
    static bool lock; static int live; static Table table = new Table;
    static atomic void take() { select { wait(!lock) -> lock = true; } }
    static void begin(int i) {
        Txn t;
        take();
        t = table[i];
        t.lock();
        t.status = Status.active;
        t.users = t.users + 1;
        t.unlock();
        live = live + 1;
        lock = false;
    }
    static void client(int i) {
        Txn t;
        begin(i);
        take(); t = table[i]; lock = false;
        t.lock();
        assert(t.status == Status.active);
        t.work = t.work + 1;
        t.unlock();
        t.lock();
        t.status = Status.committed;
        t.users = t.users - 1;
        t.unlock();
    }
    static void purge() {
        int i; Txn t; bool gone;
        while (i < %[1]d) {
            take();
            t = table[i];
            t.lock();
            gone = t.status == Status.committed && t.users == 0;
            if (gone) { t.status = Status.free; live = live - 1; }
            assert(live >= 0);
            t.unlock();
            lock = false;
            if (gone) i = i + 1;
        }
    }
    activate static void start() {
        atomic {
            int i;
            while (i < %[1]d) { table[i] = new Txn; i = i + 1; }
            i = 0;
            while (i < %[1]d) { async client(i); i = i + 1; }
            async purge();
        }
    }
};`, clients)
}

// TestReductionSaves compares the numbers of states on models whose shared data are protected by locks. With -v it
// prints a table.
func TestReductionSaves(t *testing.T) {
	type row struct {
		name  string
		text  string
		least int // plain exploration has at least so many times as many states
	}
	var rows []row
	for n := 2; n <= testkit.Count(3, 5); n++ {
		rows = append(rows, row{fmt.Sprintf("%d producers and consumers", n), producers(n), 10})
		rows = append(rows, row{fmt.Sprintf("%d clients of two accounts", n), accounts(n), 10})
		rows = append(rows, row{fmt.Sprintf("transaction manager, %d clients", n-1), transactions(n - 1), 10})
	}
	t.Logf("%-34s %9s %9s %9s %9s %6s", "model", "plain", "reduced", "inside", "restarts", "times")
	for _, r := range rows {
		opts := interleave.Options{MaxStates: 1000000}
		plain := explore(t, r.text, lowerzing.Options{}, opts)
		opts.Reduce = true
		reduced := explore(t, r.text, lowerzing.Options{}, opts)
		if len(plain.Failures)+len(reduced.Failures) > 0 || reduced.Open != "" {
			t.Errorf("%s: %q, %d and %d failures", r.name, reduced.Open, len(plain.Failures), len(reduced.Failures))
			continue
		}
		times := plain.Stored / reduced.Stored
		t.Logf("%-34s %8d%s %9d %9d %9d %6d", r.name, plain.Stored, map[bool]string{true: "+", false: " "}[plain.Open != ""], reduced.Stored,
			reduced.Reduction.Inside, reduced.Reduction.Restarts, times)
		if times < r.least {
			t.Errorf("%s: %d states without and %d with a reduction, want %d times fewer", r.name, plain.Stored, reduced.Stored, r.least)
		}
	}
}
