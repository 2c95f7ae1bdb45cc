/* The result of the attempt is kept. */
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

struct dev { struct mutex lock; };
static struct dev d;

static int poll(struct dev *p)
{
	int got = mutex_trylock(&p->lock);
	int ret = got ? transfer(0) : -11;

	if (got == 1)
		mutex_unlock(&p->lock);
	return ret;
}

int main(void)
{
	mutex_lock(&d.lock);
	poll(&d);
	mutex_unlock(&d.lock);
	return poll(&d);
}
