/* The caller does not know that a section has begun. */
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
	if (find(7) == 0)
		return -2;
	return 0;
} /* fails: left-at-end */
