int main(void) {
    int x = 1 +; return x; //! .
}
---
int main(void) {
    return y; //! y
}
---
#include "nowhere.h" //! nowhere.h
int main(void) { return 0; }
---
int main(void) {
    int x = 1;
    x = "a" * 2; //! .
    return x;
}
---
#include <setjmp.h>
jmp_buf b;
int main(void) {
    if (setjmp(b)) //! setjmp
        return 1;
    return 0;
}
---
int f(int a);
int main(void) {
    return f(1, 2); //! .
}
---
int main(void) {
    goto out; //! out
    return 0;
}
---
int main(void) {
    break; //! break
    return 0;
}
---
#error "not this machine" //! not this machine
int main(void) { return 0; }
---
int a[2][4];
int main(void) {
    __typeof__(a[1]) row; //! spell the type
    __auto_type p = &a[1]; //! spell the type
    return sizeof(__typeof__(&a[0] + 1)); //! spell the type
}
---
int f(int a[7]) {
    int k[] = { [sizeof(a)] = 1 }; //! an index of which the parser has a wrong value
    return sizeof(k);
}
int main(void) { return f(0); }
