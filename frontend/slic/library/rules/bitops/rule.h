/* Declarations of the kernel for the examples of bitops. */
extern unsigned long find_first_bit(const unsigned long *addr, unsigned long size);
extern unsigned long find_next_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long find_next_zero_bit(const unsigned long *addr, unsigned long size, unsigned long offset);
extern unsigned long input(void);
