/* The error path puts back both, after which the first is put back again. */
#include "rule.h"

static struct request_queue *queue;

int main(void)
{
	struct request *a, *b;
	int err = 0;

	a = blk_get_request(queue, 0, 0);
	if (IS_ERR(a))
		return PTR_ERR(a);
	b = blk_get_request(queue, 1, 0);
	if (IS_ERR(b)) {
		blk_put_request(a);
		err = -12;
	} else {
		blk_put_request(b);
	}
	blk_put_request(a); /* fails: double-destroy */
	return err;
}
