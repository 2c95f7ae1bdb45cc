/* An item that is found leaves the section open. */
struct item {
	int key, value;
};

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern struct item *lookup(int key);

static int value_of(int key)
{
	struct item *i;
	int v = -1;

	rcu_read_lock();
	i = lookup(key);
	if (i)
		return i->value;
	rcu_read_unlock();
	return v;
}

int main(void)
{
	int sum = 0;

	rcu_read_lock();
	if (value_of(1) > 0 && value_of(2) > 0)
		sum = 1;
	rcu_read_unlock();
	return sum;
} /* fails: left-at-end */
