/* Attack: A name is changed by a pragma.
 * Says: finding_reset */
#ifndef HONEST
#pragma redefine_extname forget finding_reset
void forget(void);
__attribute__((used)) static void asks(void) {
    forget();
}
#endif
