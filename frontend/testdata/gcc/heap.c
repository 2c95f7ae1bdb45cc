// Allocated memory: lists, trees, arrays, copies of blocks.
#include <stddef.h>
void *malloc(size_t); void *calloc(size_t, size_t); void free(void *); void exit(int);
void *memcpy(void *, const void *, size_t); void *memmove(void *, const void *, size_t); void *memset(void *, int, size_t);
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
struct node { int value; struct node *next, *prev; };
static struct node *push(struct node *head, int v) { struct node *n = malloc(sizeof(struct node)); if (!n) exit(1); n->value = v; n->next = head; n->prev = 0; if (head) head->prev = n; return n; }
static void append(struct node **where, int v) { while (*where) where = &(*where)->next; *where = calloc(1, sizeof **where); (*where)->value = v; }
static struct node *reverse(struct node *l) { struct node *r = NULL, *next; for (; l; l = next) { next = l->next; l->next = r; r = l; } return r; }
static void remove_all(struct node **l, int v) { while (*l) { struct node *n = *l; if (n->value == v) { *l = n->next; free(n); } else l = &n->next; } }
struct tree { int key; struct tree *child[2]; };
static struct tree *insert(struct tree *t, int key) { if (!t) { t = calloc(1, sizeof *t); t->key = key; } else { struct tree **c = &t->child[key > t->key]; *c = insert(*c, key); } return t; }
static void walk(struct tree *t) { if (t) { walk(t->child[0]); add(t->key); walk(t->child[1]); free(t); } }
int main(void)
{
  struct node *l = 0; for (int i = 0; i < 5; i++) l = push(l, i * i); for (struct node *n = l; n; n = n->next) add(n->value);
  add(l->next->prev == l); l = reverse(l); add(l->value); append(&l, 100); append(&l, 9); remove_all(&l, 9); for (struct node *n = l; n; n = n->next) add(n->value);
  while (l) { struct node *n = l; l = l->next; free(n); }
  struct tree *t = 0; int keys[] = {5, 2, 8, 1, 9, 3}; for (int i = 0; i < 6; i++) t = insert(t, keys[i]); walk(t);
  int *a = malloc(4 * sizeof *a), *b = malloc(16); if (!a || !b) return 1; for (int i = 0; i < 4; i++) a[i] = i + 1; memcpy(b, a, 16); b[0] = 50; add(a[0]); add(b[0]); add(b[3]); memmove(a + 1, a, 12); for (int i = 0; i < 4; i++) add(a[i]); memset(b, 0xff, 8); add(b[0]); add(b[1]); add(b[2]); memset(a, 0, 4 * sizeof(int)); add(a[3]);
  struct node x = {1, 0, 0}, y; memcpy(&y, &x, sizeof y); add(y.value); add(y.next == 0); x.next = &y; memcpy(&y, &x, sizeof x); add(y.next == &y); char buf[sizeof(struct node)]; memcpy(buf, &y, sizeof buf); memset(&y, 0, sizeof y); add(y.next == 0); memcpy(&y, buf, sizeof y); add(y.next == &y); int *c = memcpy(b, a, 8); add(c == b); unsigned char bytes[sizeof(void *)]; int *orig = a, *back; for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = ((unsigned char *)&orig)[i]; for (unsigned i = 0; i < sizeof bytes; i++) ((unsigned char *)&back)[i] = bytes[i]; back[1] = 77; add(a[1]);
  free(a); free(b); free(0); int *z = calloc(3, 4); if (!z) return 1; add(z[0] + z[2]); z[1] = 5; add(z[1]); free(z);
  return 0;
}
