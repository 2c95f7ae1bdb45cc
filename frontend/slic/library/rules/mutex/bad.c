/* dev_open releases the mutex although the wait was interrupted. */
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
		goto out;
	d->open = d->open + 1;
out:
	mutex_unlock(&d->lock); /* fails: double-unlock */
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
