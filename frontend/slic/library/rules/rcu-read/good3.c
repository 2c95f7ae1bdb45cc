/* Sections of two kinds overlap. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

int main(void)
{
	rcu_read_lock();
	rcu_read_lock_bh();
	lookup(1);
	rcu_read_unlock();
	lookup(2);
	rcu_read_unlock_bh();
	return 0;
}
