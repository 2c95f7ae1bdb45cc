/* The walk ends the section in each round. */
struct item { int key, value; struct item *next; };

extern void rcu_read_lock(void);
extern void rcu_read_unlock(void);
extern void rcu_read_lock_bh(void);
extern void rcu_read_unlock_bh(void);
extern struct item *lookup(int key);

static struct item c, b = { 2, 0, &c }, a = { 1, 0, &b };

int main(void)
{
	struct item *i;
	int n = 0;

	rcu_read_lock();
	for (i = &a; i; i = i->next) {
		n = n + i->value;
		rcu_read_unlock(); /* fails: unbalanced-unlock */
	}
	return n;
}
