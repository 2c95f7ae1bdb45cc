package rules

import (
	"strings"
	"testing"

	"c2bp/frontend"
	"c2bp/frontend/harness"
	"c2bp/frontend/slic/syntax"
	"c2bp/source"
)

// The files are whole drivers, with a hole for what ends a sequence of calls.
const (
	seqDriver = `
struct mutex { int raw; };
struct seq_file { void *private; };
struct seq_operations {
	void *(*start)(struct seq_file *, long long *);
	void (*stop)(struct seq_file *, void *);
	void *(*next)(struct seq_file *, void *, long long *);
	int (*show)(struct seq_file *, void *);
};
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *), rcu_read_lock(void), rcu_read_unlock(void);
extern int mutex_lock_interruptible(struct mutex *);
extern int publish(const struct seq_operations *);
extern void print(struct seq_file *, void *);
static struct mutex table;
static int units[2];
static void *start(struct seq_file *m, long long *pos)
{
	LOCK
	return *pos < 2 ? &units[*pos & 1] : 0;
}
static void *next(struct seq_file *m, void *v, long long *pos) { ++*pos; return *pos < 2 ? &units[1] : 0; }
static int show(struct seq_file *m, void *v) { print(m, v); return 0; }
static void stop(struct seq_file *m, void *v) { UNLOCK }
static const struct seq_operations ops = { start, stop, next, show };
int init_module(void) { return publish(&ops); }
`
	usbDriver = `
struct mutex { int raw; };
struct usb_interface { int number; };
struct usb_driver {
	int (*probe)(struct usb_interface *, const void *);
	void (*disconnect)(struct usb_interface *);
	int (*pre_reset)(struct usb_interface *);
	int (*post_reset)(struct usb_interface *);
};
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
extern int mutex_lock_interruptible(struct mutex *);
extern int add(struct usb_driver *);
static struct mutex io;
static int probe(struct usb_interface *i, const void *id) { return 0; }
static void disconnect(struct usb_interface *i) { mutex_lock(&io); mutex_unlock(&io); }
static int pre_reset(struct usb_interface *i) { LOCK return 0; }
static int post_reset(struct usb_interface *i) { UNLOCK return 0; }
static struct usb_driver driver = { probe, disconnect, pre_reset, post_reset };
int init_module(void) { return add(&driver); }
`
	lockDriver = `
struct mutex { int raw; };
struct bus { int users; struct mutex lock; };
extern void mutex_lock(struct mutex *), mutex_unlock(struct mutex *);
extern int mutex_lock_interruptible(struct mutex *);
static struct mutex list;
void acquire_list_lock(void) { LOCK }
void release_list_lock(void) { UNLOCK }
int bus_lock(struct bus *b) { return mutex_lock_interruptible(&b->lock); }
void bus_unlock(struct bus *b) { mutex_unlock(&b->lock); }
void bus_add(struct bus *b) { mutex_lock(&list); b->users++; mutex_unlock(&list); }
`
)

// TestSequences: the lock that the first call of a sequence leaves to the last is not held at the end of an entry, but
// one that the last forgets is.
func TestSequences(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ rule, driver, lock, unlock, want string }{
		{"mutex", seqDriver, "mutex_lock(&table);", "mutex_unlock(&table);", "mutex holds"},
		{"mutex", seqDriver, "mutex_lock(&table);", "", "mutex fails held-at-end"},
		{"mutex", seqDriver, "mutex_lock(&table);", "if (v) mutex_unlock(&table);", "mutex fails held-at-end"},
		{"mutex", seqDriver, "if (mutex_lock_interruptible(&table)) return (void *)-4;", "mutex_unlock(&table);", "mutex fails double-unlock"},
		{"mutex", seqDriver, "if (mutex_lock_interruptible(&table)) return (void *)-4;", "if (v != (void *)-4) mutex_unlock(&table);", "mutex holds"},
		{"rcu-read", seqDriver, "rcu_read_lock();", "rcu_read_unlock();", "rcu_read holds"},
		{"rcu-read", seqDriver, "rcu_read_lock();", "", "rcu_read fails left-at-end"},
		{"mutex", usbDriver, "mutex_lock(&io);", "mutex_unlock(&io);", "mutex holds"},
		{"mutex", usbDriver, "mutex_lock(&io);", "", "mutex fails held-at-end"},
		{"mutex", lockDriver, "mutex_lock(&list);", "mutex_unlock(&list);", "mutex holds"},
		{"mutex", lockDriver, "mutex_lock(&list);", "", "mutex fails held-at-end"},
		{"mutex", lockDriver, "if (mutex_lock_interruptible(&list)) return;", "mutex_unlock(&list);", "mutex fails double-unlock"},
		{"mutex", lockDriver, "mutex_lock(&list);", "mutex_unlock(&list); mutex_unlock(&list);", "mutex fails double-unlock"},
		{"mutex", usbDriver, "if (mutex_lock_interruptible(&io)) return -4;", "mutex_unlock(&io);", "mutex holds"},
	} {
		t.Run(c.rule+" "+c.lock+" "+c.unlock, func(t *testing.T) {
			t.Parallel()
			set, err := lib.Rule(c.rule)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.NewReplacer("UNLOCK", c.unlock, "LOCK", c.lock).Replace(c.driver)
			files, fo, err := frontend.WithHarness(t.Context(), []*source.File{source.NewFile("in.c", []byte(text))}, frontend.Options{}, harness.Options{})
			if err != nil {
				t.Fatal(err)
			}
			r, err := Audit(t.Context(), files, []*syntax.Set{set}, Options{Frontend: fo, Harnessed: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := rows(r); !strings.Contains(got, c.want) {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}
