/* A request is taken, executed and put back. */
#include "rule.h"

static struct request_queue *queue;

static int flush(struct request_queue *q)
{
	struct request *rq = blk_get_request(q, 2, 0);
	int err;

	if (IS_ERR(rq))
		return PTR_ERR(rq);
	err = execute(rq);
	blk_put_request(rq);
	return err;
}

int main(void)
{
	return flush(queue);
}
