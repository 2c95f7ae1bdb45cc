/* An error path for a size of zero. */
extern unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long input(void);
static unsigned long map[2];

static int search(unsigned long size)
{
	if (!size)
		goto none;
	return find_next_bit(map, size, size - 1) < size;
none:
	return -22;
}

int main(void)
{
	return search(input());
}
