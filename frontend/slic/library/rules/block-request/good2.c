/* A queue for the life of the driver. */
#include "rule.h"

static struct request_queue *queue;

static spinlock_t lock;

int main(void)
{
	queue = blk_init_queue(0, &lock);
	if (!queue)
		return -12;
	execute(0);
	blk_cleanup_queue(queue);
	return 0;
}
