/* How the instrumentation sees vector types and atomics: this file is compiled as a student's file is, and it
 * has the simulator's functions, which note what they are told. One wide access is one access; a misaligned
 * one is noticed, also where a whole vector is copied; an atomic operation is announced and its own load and
 * store are not seen. */
#include <check.h>
#include <setjmp.h>
#include <stdint.h>

#include <cuda_fp16.h>

/* ---- what was seen ---- */

enum { MAX_SEEN = 64 };
static struct access {
    char kind; /* r, w, or a for atomic */
    uintptr_t address;
    size_t bytes;
} seen[MAX_SEEN];
static int seen_count, misaligned_count;
static jmp_buf misaligned_access;
static uintptr_t watched, watched_end;

#define UNSEEN __attribute__((noinline, no_sanitize("thread", "alignment", "bounds")))

static UNSEEN void note(char kind, const void *address, size_t bytes) {
    const uintptr_t at = reinterpret_cast<uintptr_t>(address);
    if (at >= watched && at < watched_end && seen_count < MAX_SEEN)
        seen[seen_count++] = {kind, at - watched, bytes};
}

extern "C" {
#define HOOK(bytes)                                                                                          \
    UNSEEN void __tsan_read##bytes(void *address) {                                                          \
        note('r', address, bytes);                                                                           \
    }                                                                                                        \
    UNSEEN void __tsan_write##bytes(void *address) {                                                         \
        note('w', address, bytes);                                                                           \
    }                                                                                                        \
    UNSEEN void __tsan_unaligned_read##bytes(void *address) {                                                \
        note('r', address, bytes);                                                                           \
    }                                                                                                        \
    UNSEEN void __tsan_unaligned_write##bytes(void *address) {                                               \
        note('w', address, bytes);                                                                           \
    }                                                                                                        \
    UNSEEN void __tsan_volatile_read##bytes(void *address) {                                                 \
        note('r', address, bytes);                                                                           \
    }                                                                                                        \
    UNSEEN void __tsan_volatile_write##bytes(void *address) {                                                \
        note('w', address, bytes);                                                                           \
    }
HOOK(1)
HOOK(2)
HOOK(4)
HOOK(8)
HOOK(16)
UNSEEN void __tsan_init(void) {}
UNSEEN void __tsan_vptr_update(void **, void *) {}
UNSEEN void __ubsan_handle_type_mismatch_v1(void *, void *) {
    misaligned_count++;
    longjmp(misaligned_access, 1); /* a thread ends there */
}
UNSEEN void __ubsan_handle_out_of_bounds(void *, void *) {}
UNSEEN void sim_atomic(const void *address, size_t bytes) {
    note('a', address, bytes);
}
UNSEEN uint64_t sim_shuffle(enum sim_shuffle_kind, unsigned, uint64_t bits, int, int) {
    return bits;
}
}

alignas(64) static unsigned char memory[256];

static UNSEEN void watch(void) {
    seen_count = misaligned_count = 0;
    watched = reinterpret_cast<uintptr_t>(memory);
    watched_end = watched + sizeof memory;
}

static UNSEEN void expect(const char *kinds, const size_t *addresses, const size_t *bytes) {
    ck_assert_int_eq(seen_count, static_cast<int>(__builtin_strlen(kinds)));
    for (int i = 0; i < seen_count; i++) {
        ck_assert_int_eq(seen[i].kind, kinds[i]);
        ck_assert_uint_eq(seen[i].address, addresses[i]);
        ck_assert_uint_eq(seen[i].bytes, bytes[i]);
    }
}

/* ---- what a kernel does; noinline, so that nothing is known about the pointers ---- */

#define KERNEL __attribute__((noinline)) static

/* Keeps a result in use, or the load that it comes from would go. */
static volatile float result;

KERNEL float load(const float4 *from) {
    float4 v = *from;
    return v.x + v.w;
}
KERNEL float load_cached(const float4 *from) {
    const float4 v = __ldg(from + 1);
    return v.x + v.y + v.z + v.w;
}
KERNEL void store(float4 *to, float x) {
    *to = make_float4(x, x, x, x);
}
KERNEL void store_cached(float2 *to, float x) {
    __stcs(to, float2{x, x});
}
KERNEL void copy(float4 *to, const float4 *from) {
    *to = *from;
}
KERNEL void copy_doubles(double4 *to, const double4 *from) {
    *to = *from;
}
KERNEL float by_reference(const float4 &v) {
    return v.y;
}
KERNEL float load_then_pass(const float4 *from) {
    float4 v = *from;
    return by_reference(v);
}
KERNEL float load_array(const float4 *from, int n) {
    float4 v[2] = {from[0], from[1]};
    return by_reference(v[n]);
}
KERNEL float element(const float4 *from) {
    return from->z;
}
KERNEL void scale(__half2 *pairs, float k) {
    __half2 p = pairs[1];
    pairs[1] = __floats2half2_rn(__low2float(p) * k, __high2float(p) * k);
}
KERNEL float add(float *to) {
    return atomicAdd(to, 2.0f);
}
KERNEL int swap(int *to) {
    return atomicCAS(to, 0, 5);
}

#define EXPECT(kinds, ...)                                                                                   \
    do {                                                                                                     \
        static const size_t expected[][8] = {__VA_ARGS__};                                                   \
        expect(kinds, expected[0], expected[1]);                                                             \
    } while (0)

START_TEST(one_wide_access)
{
    float4 *vectors = reinterpret_cast<float4 *>(memory);
    watch();
    result = load(vectors);
    EXPECT("r", {0}, {16});
    watch();
    result = load_cached(vectors);
    EXPECT("r", {16}, {16});
    watch();
    store(vectors + 2, 1);
    EXPECT("w", {32}, {16});
    watch();
    store_cached(reinterpret_cast<float2 *>(memory) + 1, 1);
    EXPECT("w", {8}, {8});
    watch();
    copy(vectors + 1, vectors);
    EXPECT("rw", {0, 16}, {16, 16});
    watch();
    copy_doubles(reinterpret_cast<double4 *>(memory + 64), reinterpret_cast<double4 *>(memory));
    EXPECT("rwrw", {0, 64, 16, 80}, {16, 16, 16, 16});
    watch();
    result = element(vectors);
    EXPECT("r", {8}, {4});
    watch();
    scale(reinterpret_cast<__half2 *>(memory), 2);
    EXPECT("rw", {4, 4}, {4, 4});
    ck_assert_int_eq(misaligned_count, 0);
}
END_TEST

/* A copy that must lie in memory is read once all the same. */
START_TEST(read_once_where_an_address_is_taken)
{
    float4 *vectors = reinterpret_cast<float4 *>(memory);
    watch();
    result = load_then_pass(vectors);
    EXPECT("r", {0}, {16});
    watch();
    result = load_array(vectors, 1);
    EXPECT("rr", {0, 16}, {16, 16});
}
END_TEST

#define EXPECT_MISALIGNED(access)                                                                            \
    do {                                                                                                     \
        watch();                                                                                             \
        if (!setjmp(misaligned_access))                                                                      \
            access;                                                                                          \
        ck_assert_int_eq(misaligned_count, 1);                                                               \
        ck_assert_int_eq(seen_count, 0);                                                                     \
    } while (0)

START_TEST(misaligned)
{
    float4 *aligned = reinterpret_cast<float4 *>(memory), *vectors = reinterpret_cast<float4 *>(memory + 4);
    EXPECT_MISALIGNED(result = load(vectors));
    EXPECT_MISALIGNED(result = load_cached(vectors));
    EXPECT_MISALIGNED(result = load_then_pass(vectors));
    EXPECT_MISALIGNED(result = load_array(vectors, 1));
    EXPECT_MISALIGNED(store(vectors, 1));
    EXPECT_MISALIGNED(store_cached(reinterpret_cast<float2 *>(memory + 4), 1));
    EXPECT_MISALIGNED(copy(aligned, vectors));
    EXPECT_MISALIGNED(copy(vectors, aligned));
    EXPECT_MISALIGNED(scale(reinterpret_cast<__half2 *>(memory + 2), 2));
}
END_TEST

START_TEST(atomics_are_announced)
{
    *reinterpret_cast<float *>(memory) = 1;
    *reinterpret_cast<int *>(memory + 4) = 0;
    watch();
    const float before = add(reinterpret_cast<float *>(memory));
    EXPECT("a", {0}, {4});
    ck_assert_float_eq(before, 1.0f);
    ck_assert_float_eq(*reinterpret_cast<float *>(memory), 3.0f);
    watch();
    ck_assert_int_eq(swap(reinterpret_cast<int *>(memory + 4)), 0);
    ck_assert_int_eq(seen_count, 1);
    ck_assert_int_eq(swap(reinterpret_cast<int *>(memory + 4)), 5);
}
END_TEST

START_TEST(shuffles_keep_bits)
{
    ck_assert_double_eq(__shfl_xor_sync(~0u, -0x1.8p-1000, 1), -0x1.8p-1000);
    ck_assert_int_eq(__shfl_sync(~0u, -3, 0), -3);
    ck_assert(__shfl_down_sync(~0u, -5ll, 1) == -5);
    ck_assert_uint_eq(__half_as_ushort(__shfl_up_sync(~0u, __ushort_as_half(0x8001), 1)), 0x8001);
    const __half2 pair = __shfl_sync(~0u, __floats2half2_rn(1, -2), 0);
    ck_assert(__low2float(pair) == 1 && __high2float(pair) == -2);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("vector access");
    TCase *group = tcase_create("instrumented");
    tcase_add_test(group, one_wide_access);
    tcase_add_test(group, read_once_where_an_address_is_taken);
    tcase_add_test(group, misaligned);
    tcase_add_test(group, atomics_are_announced);
    tcase_add_test(group, shuffles_keep_bits);
    suite_add_tcase(suite, group);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
