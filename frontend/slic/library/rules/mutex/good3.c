/* A loop that waits, and gives up when it is killed. */
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
	while (transfer(0)) {
		if (mutex_lock_killable(&m) < 0)
			return -4;
		transfer(1);
		mutex_unlock(&m);
	}
	return 0;
}
