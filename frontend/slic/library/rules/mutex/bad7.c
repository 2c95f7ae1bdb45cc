/* The mutex is held when the last user goes. */
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

struct obj { atomic_t users; struct mutex lock; };
static struct obj o;

int main(void)
{
	mutex_lock(&o.lock);
	if (atomic_dec_and_mutex_lock(&o.users, &o.lock)) /* fails: double-lock */
		transfer(0);
	mutex_unlock(&o.lock);
	return 0;
}
