/* At the end of a sequence, next gives the mutex back, and so does stop. */
struct mutex { long owner; };
struct seq_file { void *private; };
struct seq_operations {
	void *(*start)(struct seq_file *m, long long *pos);
	void (*stop)(struct seq_file *m, void *v);
	void *(*next)(struct seq_file *m, void *v, long long *pos);
	int (*show)(struct seq_file *m, void *v);
};

extern void mutex_lock(struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
extern int transfer(int unit);
extern int publish(const struct seq_operations *ops);

static struct mutex table;
static int units[4];

static void *units_start(struct seq_file *m, long long *pos)
{
	mutex_lock(&table);
	return *pos >= 0 && *pos < 4 ? &units[*pos] : 0;
}

static void *units_next(struct seq_file *m, void *v, long long *pos)
{
	int *unit = v;

	++*pos;
	if (unit < &units[3])
		return unit + 1;
	mutex_unlock(&table);
	return 0;
}

static int units_show(struct seq_file *m, void *v)
{
	return transfer(*(int *)v);
}

static void units_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&table); /* fails: double-unlock */
}

static const struct seq_operations units_ops = {
	.start = units_start, .next = units_next, .show = units_show, .stop = units_stop,
};

int init_module(void)
{
	return publish(&units_ops);
}
