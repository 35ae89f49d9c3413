/* Attack: A function that is chosen while the program is loaded.
 * Says: ifunc */
#ifndef HONEST
static int one(void) {
    return 1;
}
__attribute__((used)) static int (*choose(void))(void) {
    return one;
}
int chosen(void) __attribute__((ifunc("choose")));
#endif
