/* A request for each round. */
#include "rule.h"

static struct request_queue *queue;

int main(void)
{
	int i;

	for (i = 0; i < 8; i++) {
		struct request *rq = blk_get_request(queue, i, 0);

		if (IS_ERR(rq))
			continue;
		execute(rq);
		blk_put_request(rq);
	}
	return 0;
}
