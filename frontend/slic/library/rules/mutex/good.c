/* A device on the heap; a wait that is interrupted has not taken the mutex. */
#include <stdlib.h>

struct mutex {
	long owner;
};
struct dev {
	int open;
	struct mutex lock;
};

extern int mutex_lock_interruptible(struct mutex *m);
extern void mutex_lock(struct mutex *m);
extern void mutex_unlock(struct mutex *m);

static int dev_open(struct dev *d)
{
	if (mutex_lock_interruptible(&d->lock))
		return -4;
	d->open = d->open + 1;
	mutex_unlock(&d->lock);
	return 0;
}

static void dev_close(struct dev *d)
{
	mutex_lock(&d->lock);
	d->open = 0;
	mutex_unlock(&d->lock);
}

int main(void)
{
	struct dev *d = malloc(sizeof(*d));

	if (!d)
		return 1;
	d->open = 0;
	if (dev_open(d) == 0)
		dev_close(d);
	free(d);
	return 0;
}
