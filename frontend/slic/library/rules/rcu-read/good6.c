/* An error path that ends both sections. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

static int copy(int from, int to)
{
	int ret = 0;

	rcu_read_lock();
	if (!lookup(from))
		goto none;
	rcu_read_lock();
	if (!lookup(to))
		ret = -2;
	rcu_read_unlock();
none:
	rcu_read_unlock();
	return ret;
}

int main(void)
{
	return copy(1, 2);
}
