/* The result of the attempt is read the wrong way round. */
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

static void poll(void)
{
	if (mutex_trylock(&m))
		return;
	transfer(0);
}

int main(void)
{
	poll();
	return 0;
} /* fails: held-at-end */
