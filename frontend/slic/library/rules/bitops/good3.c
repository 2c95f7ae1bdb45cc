/* The callee is given a size that is large enough. */
extern unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long input(void);
static unsigned long map[2];

static unsigned long after(unsigned long size, unsigned long bit)
{
	return find_next_bit(map, size, bit + 1);
}

int main(void)
{
	unsigned long bit = input();

	return bit < 64 ? after(64, bit) == 64 : 0;
}
