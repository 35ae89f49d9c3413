/* Attack: What another language takes for a string is code in C.
 * Says: inline assembly */
#ifndef HONEST
#define R
__attribute__((used)) static const char *text = R"(";
__attribute__((used)) static void asks(void) {
    __asm__ volatile("nop");
}
__attribute__((used)) static const char *more = ")";
#else
#define R
__attribute__((used)) static const char *text = R"(";
__attribute__((used)) static const char *more = ")";
#endif
