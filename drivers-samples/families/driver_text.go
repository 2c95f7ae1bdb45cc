package families

// This file writes the parts that all drivers have in common, and the main loop.

// driverHead has the procedures for locks, references and completion.
const driverHead = `extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

#define STATUS_OK       0
#define STATUS_IO      -5
#define STATUS_BUSY    -16
#define STATUS_INVALID -22
#define STATUS_TIMEOUT -110
#define STATUS_PENDING 259

int device_lock = 0;
int queue_lock = 0;
int refs = 0;
int completed = 0;
int queued = 0;
int last_status = STATUS_OK;

/* set by the procedures, for statistics */
int stat_mode = 0;
int stat_error = 0;

static void check(int holds)
{
    if (!holds)
        reach_error();
}

static void lock_device(void)
{
    check(device_lock == 0);
    check(queue_lock == 0);
    device_lock = 1;
}

static void unlock_device(void)
{
    check(device_lock == 1);
    device_lock = 0;
}

static void lock_queue(void)
{
    check(queue_lock == 0);
    queue_lock = 1;
}

static void unlock_queue(void)
{
    check(queue_lock == 1);
    queue_lock = 0;
}

static void get_device(void)
{
    refs = refs + 1;
}

static void put_device(void)
{
    check(refs > 0);
    refs = refs - 1;
}

static void complete(int status)
{
    check(completed == 0);
    check(device_lock == 0);
    check(queue_lock == 0);
    completed = 1;
    last_status = status;
}

static void queue_request(void)
{
    check(queued == 0);
    queued = 1;
}

static void finish_queued(void)
{
    check(queued == 1);
    queued = 0;
    complete(STATUS_OK);
}
`

// text returns the driver as C.
//
//	switch (request) {
//	case 1:
//	    status = dispatch_open(argument);
//	    break;
//	…
//	}
//	if (status == STATUS_PENDING)
//	    finish_queued();
//	check(completed == 1);
func (d *driver) text(name string) string {
	var t text
	t.line("/* %s: locks, references and completion of requests */", name)
	t.WriteString(driverHead)
	for _, w := range d.workers {
		t.WriteString("\n" + w.text.String())
	}
	t.line("")
	t.line("int main(void)")
	t.line("{")
	t.line("int request, argument, status;")
	t.line("")
	t.line("get_device();")
	// The main loop: each request is dispatched and checked.
	t.line("while (1) {")
	t.line("request = __VERIFIER_nondet_int();")
	t.line("if (request == 0)")
	t.line("    break;")
	t.line("argument = __VERIFIER_nondet_int();")
	t.line("completed = 0;")
	t.line("queued = 0;")
	t.line("switch (request) {")
	for i, w := range d.handlers() {
		t.line("case %d:", i+1)
		t.line("    status = %s(argument);", w.name)
		t.line("    break;")
	}
	t.line("default:")
	t.line("    status = STATUS_INVALID;")
	t.line("    complete(status);")
	t.line("    break;")
	t.line("}")
	t.line("if (status == STATUS_PENDING)")
	t.line("    finish_queued();")
	t.line("check(completed == 1);")
	t.line("check(queued == 0);")
	t.line("check(device_lock == 0);")
	t.line("check(queue_lock == 0);")
	t.line("check(refs == 1);")
	t.line("}")
	t.line("put_device();")
	t.line("check(refs == 0);")
	t.line("return 0;")
	t.line("}")
	return t.String()
}
