/* Attack: Host code by a name that the compiler gives to what it writes.
 * Says: __cuda_register_all is a name of CUDA */
#ifndef HONEST
__attribute__((used)) static float __cuda_register_all(const float *x) {
    return *x;
}
#endif
