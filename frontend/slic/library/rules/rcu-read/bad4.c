/* The loop goes on without a section. */
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
		rcu_read_unlock(); /* fails: unbalanced-unlock */
		k++;
	}
	return 0;
}
