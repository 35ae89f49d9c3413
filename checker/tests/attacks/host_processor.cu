/* Attack: An instruction of this processor that stores.
 * Says: needs an instruction of this computer */
#ifndef HONEST
__attribute__((used)) static void past_the_cache(float *to) {
    typedef char sixteen __attribute__((vector_size(16)));
    const sixteen all = {-1, -1, -1, -1};
    __builtin_ia32_maskmovdqu(all, all, (char *)to);
}
#endif
