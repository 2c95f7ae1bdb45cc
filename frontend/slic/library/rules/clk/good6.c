/* A device without a clock. */
struct clk { int rate; };

extern struct clk *clk_get(void *dev, const char *id);
extern int clk_prepare(struct clk *clk);
extern void clk_unprepare(struct clk *clk);
extern int clk_enable(struct clk *clk);
extern void clk_disable(struct clk *clk);
extern int device(int n);

static int start(struct clk *c)
{
	clk_prepare(c);
	return clk_enable(c);
}

int main(void)
{
	start(0);
	clk_disable(0);
	return 0;
}
