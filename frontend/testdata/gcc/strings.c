// Strings: literals, loops over characters, own versions of the library's functions.
unsigned long sum;
static void add(long v) { sum = sum * 31 + (unsigned long)v; }
static unsigned long length(const char *s) { const char *p = s; while (*p) p++; return p - s; }
static char *copy(char *to, const char *from) { char *r = to; while ((*to++ = *from++)) ; return r; }
static int compare(const char *a, const char *b) { while (*a && *a == *b) a++, b++; return (unsigned char)*a - (unsigned char)*b; }
static char *find(char *s, char c) { for (; *s; s++) if (*s == c) return s; return 0; }
static int number(const char *s) { int n = 0, neg = *s == '-' && s++; while (*s >= '0' && *s <= '9') n = n * 10 + *s++ - '0'; return neg ? -n : n; }
static void reverse(char *s) { char *e = s + length(s); while (s < e) { char t = *s; *s++ = *--e; *e = t; } }
const char *const days[] = { "mo", "tu", "we" }; char buffer[32]; static const char *state = "idle";
const char *name(int k) { return k ? __func__ : "none"; }
int main(void)
{
  add(length("hello")); copy(buffer, "some text"); add(length(buffer)); add(compare(buffer, "some text")); add(compare("abc", "abd") < 0); add(compare("\xff", "a") > 0); add(find(buffer, 't') - buffer); add(find(buffer, 'z') == 0); *find(buffer, ' ') = '_'; add(buffer[4]); add(number("-1234")); add(number("77x")); reverse(buffer); for (char *p = buffer; *p; p++) add(*p);
  for (int i = 0; i < 3; i++) add(days[i][1]); char s[] = "abc" "def", t[10] = "q"; add(sizeof s); add(s[4]); add(t[5]); state = "busy"; add(state[0]); add(length(name(1))); add(*name(0)); const char *p = "x\0y"; add(p[2]); char c = "0123456789"[7]; add(c); add(sizeof("a\0b")); const char *q = sum & 1 ? "odd" : "even"; add(q[0] == 'o' || q[0] == 'e'); add(L"wide"[2]); add("\101\x42"[1]); char m[2][3] = {"ab", "c"}; add(m[0][1]); add(m[1][1]); char (*mp)[3] = m; add(mp[1][0]); add(*"");
  return 0;
}
