/* The queue is cleaned up twice. */
#include "rule.h"

static struct request_queue *queue;

static spinlock_t lock;

static void stop(struct request_queue *q)
{
	blk_cleanup_queue(q); /* fails: double-destroy */
}

int main(void)
{
	queue = blk_init_queue(0, &lock);
	if (!queue)
		return -12;
	if (execute(0) < 0)
		stop(queue);
	stop(queue);
	return 0;
}
