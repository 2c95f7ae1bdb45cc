/* A second round of the loop takes it again. */
#include <stdlib.h>

struct mutex { long owner; };
typedef struct { int counter; } atomic_t;

extern void mutex_lock(struct mutex *lock);
extern void mutex_lock_nested(struct mutex *lock, unsigned int subclass);
extern int mutex_lock_interruptible(struct mutex *lock);
extern int mutex_lock_killable(struct mutex *lock);
extern int mutex_trylock(struct mutex *lock);
extern int atomic_dec_and_mutex_lock(atomic_t *count, struct mutex *lock);
extern void mutex_unlock(struct mutex *lock);
extern int transfer(int unit);

static struct mutex m;

int main(void)
{
	int n = 0;

	do {
		if (mutex_lock_killable(&m)) /* fails: double-lock */
			return -4;
		n++;
	} while (transfer(n) && n < 4);
	mutex_unlock(&m);
	return 0;
}
