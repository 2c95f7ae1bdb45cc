/* An error path ends the inner section only. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

static int copy(int from, int to)
{
	rcu_read_lock();
	rcu_read_lock();
	if (!lookup(from)) {
		rcu_read_unlock();
		return -2;
	}
	lookup(to);
	rcu_read_unlock();
	rcu_read_unlock();
	return 0;
}

int main(void)
{
	return copy(1, 2);
} /* fails: left-at-end */
