/* Attack: A kernel is registered by hand.
 * Says: __cudaRegisterFunction is called by what the compiler writes */
#ifndef HONEST
extern "C" int __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *,
                                      int *);
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    __cudaRegisterFunction(nullptr, (const char *)attack, nullptr, "nothing", -1, nullptr, nullptr, nullptr, nullptr,
                           nullptr);
}
#endif
