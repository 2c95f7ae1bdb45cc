/* The loop takes the next request before it has put back the last one. */
#include "rule.h"

static struct request_queue *queue;

int main(void)
{
	struct request *rq = 0;
	int i;

	for (i = 0; i < 2; i++) {
		rq = blk_get_request(queue, i, 0);
		if (IS_ERR(rq))
			return PTR_ERR(rq);
	}
	blk_put_request(rq);
	return 0;
} /* fails: left-at-end */
