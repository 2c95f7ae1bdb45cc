/* A section is ended by the function of another kind. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

int main(void)
{
	rcu_read_lock_bh();
	lookup(1);
	rcu_read_unlock(); /* fails: unbalanced-unlock */
	return 0;
}
