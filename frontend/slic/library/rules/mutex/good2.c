/* Two mutexes in the order of their units, one of them with a subclass. */
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

struct dev { int unit; struct mutex lock; };
static struct dev left, right;

static int swap(struct dev *a, struct dev *b)
{
	int ret;

	mutex_lock(&a->lock);
	mutex_lock_nested(&b->lock, 1);
	ret = transfer(a->unit);
	mutex_unlock(&b->lock);
	mutex_unlock(&a->lock);
	return ret;
}

int main(void)
{
	return swap(&left, &right) + swap(&right, &left);
}
