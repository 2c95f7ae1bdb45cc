/* It stays prepared if it cannot be enabled. */
struct clk { int rate; };

extern struct clk *clk_get(void *dev, const char *id);
extern int clk_prepare(struct clk *clk);
extern void clk_unprepare(struct clk *clk);
extern int clk_enable(struct clk *clk);
extern void clk_disable(struct clk *clk);
extern int device(int n);

static struct clk *clk;

int main(void)
{
	int err;

	clk = clk_get(0, "bus");
	err = clk_prepare(clk);
	if (err)
		return err;
	err = clk_enable(clk);
	if (err)
		return err;
	clk_disable(clk);
	clk_unprepare(clk);
	return 0;
} /* fails: prepared-at-end */
