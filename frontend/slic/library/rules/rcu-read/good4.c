/* The section is left for a moment in a loop. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

int main(void)
{
	int k = 0;

	rcu_read_lock();
	while (lookup(k)) {
		rcu_read_unlock();
		k++;
		rcu_read_lock();
	}
	rcu_read_unlock();
	return 0;
}
