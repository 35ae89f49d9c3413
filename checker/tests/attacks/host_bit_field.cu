/* Attack: Host code reads device memory by 24-bit fields.
 * Finds: Host code (reads|writes) device memory */
#ifndef HONEST
struct __attribute__((packed)) odd {
    unsigned low : 24;
};
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = ((const volatile struct odd *)x.data)->low;
}
#else
struct __attribute__((packed)) odd {
    unsigned low : 24;
};
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    static struct odd mine = {7};
    sink = ((const volatile struct odd *)&mine)->low;
}
#endif
