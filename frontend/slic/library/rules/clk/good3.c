/* Enabled in each round, prepared once. */
struct clk { int rate; };

extern struct clk *clk_get(void *dev, const char *id);
extern int clk_prepare(struct clk *clk);
extern void clk_unprepare(struct clk *clk);
extern int clk_enable(struct clk *clk);
extern void clk_disable(struct clk *clk);
extern int device(int n);

static struct clk uart;

int main(void)
{
	int i;

	if (clk_prepare(&uart) < 0)
		return -5;
	for (i = 0; i < 3; i++) {
		if (clk_enable(&uart))
			break;
		device(i);
		clk_disable(&uart);
	}
	clk_unprepare(&uart);
	return 0;
}
