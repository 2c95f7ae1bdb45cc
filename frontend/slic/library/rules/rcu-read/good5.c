/* A function that begins a section only if it finds something. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

static struct item *find(int key)
{
	struct item *i;

	rcu_read_lock();
	i = lookup(key);
	if (!i)
		rcu_read_unlock();
	return i;
}

int main(void)
{
	struct item *i = find(7);

	if (!i)
		return -2;
	rcu_read_unlock();
	return 0;
}
