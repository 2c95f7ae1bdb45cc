/* The callee releases on the error path, the caller otherwise. */
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

static int start(struct dev *p)
{
	mutex_lock(&p->lock);
	if (transfer(0) < 0) {
		mutex_unlock(&p->lock);
		return -5;
	}
	return 0;
}

int main(void)
{
	int err = start(&d);

	if (err)
		return err;
	mutex_unlock(&d.lock);
	return 0;
}
