/* The start is checked. */
extern unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long input(void);
static unsigned long map[2];

int main(void)
{
	unsigned long start = input();

	if (start > 128)
		return -22;
	return find_next_bit(map, 128, start) < 128;
}
