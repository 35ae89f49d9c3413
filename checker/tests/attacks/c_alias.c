/* Attack: A sim_read of its own, by an alias.
 * Says: sim_read is a name of the simulator */
#ifndef HONEST
static void nothing(const void *address, unsigned long bytes, unsigned long alignment) {
    (void)address, (void)bytes, (void)alignment;
}
void see(const void *address, unsigned long bytes, unsigned long alignment) __asm__("sim_read")
    __attribute__((alias("nothing")));
#else
__attribute__((used)) static int honest_value(void) {
    return 1;
}
__attribute__((used)) static int honest_other(void) __attribute__((alias("honest_value")));
#endif
