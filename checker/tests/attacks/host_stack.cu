/* Attack: The stack is moved to where the student wants it.
 * Says: the stack is moved by hand */
#ifndef HONEST
extern "C" void move(void *) __asm__("llvm.stackrestore");
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    move(y.data);
}
#else
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    for (int n = 1; n < 4; n++) {
        int many[n];
        many[n - 1] = n;
        sink = many[n - 1];
    }
}
#endif
