/* Attack: A function by the name of an instrumentation, and static.
 * Says: __tsan_write4 is a name */
#ifndef HONEST
__attribute__((used)) static void mine(void *address) __asm__("__tsan\137write4");
static void mine(void *address) {
    (void)address;
}
#endif
