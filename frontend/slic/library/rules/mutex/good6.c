/* A mutex in memory that is freed when the last user is gone. */
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

static void put(struct obj *o)
{
	if (atomic_dec_and_mutex_lock(&o->users, &o->lock)) {
		mutex_unlock(&o->lock);
		free(o);
	}
}

int main(void)
{
	struct obj *o = malloc(sizeof(*o));

	if (o)
		put(o);
	return 0;
}
