/* Attack: Host code writes into device memory by va_copy.
 * Finds: Host code (reads|writes) device memory */
#ifndef HONEST
static void take(void *to, ...) {
    __builtin_va_list list;
    __builtin_va_start(list, to);
    __builtin_va_copy(*(__builtin_va_list *)to, list);
    __builtin_va_end(list);
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    take(y.data, 1, 2);
}
#else
static int take(int count, ...) {
    __builtin_va_list list, copy;
    int sum = 0;
    __builtin_va_start(list, count);
    __builtin_va_copy(copy, list);
    for (int i = 0; i < count; i++)
        sum += __builtin_va_arg(list, int) + __builtin_va_arg(copy, int);
    __builtin_va_end(copy);
    __builtin_va_end(list);
    return sum;
}
static void attack(matrix x, matrix y, cudaStream_t stream) {
    (void)x, (void)y, (void)stream;
    sink = take(2, 1, 2);
}
#endif
