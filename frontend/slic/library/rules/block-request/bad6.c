/* The queue stays if the disk cannot be added. */
#include "rule.h"

static struct request_queue *queue;

static spinlock_t lock;

int main(void)
{
	queue = blk_init_queue(0, &lock);
	if (!queue)
		return -12;
	if (execute(0) == 0)
		blk_cleanup_queue(queue);
	return 0;
} /* fails: left-at-end */
