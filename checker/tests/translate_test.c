/* The translator: what it rewrites, what it leaves alone, what it refuses, what it remarks on. Every text
 * goes in and out through translate_source(), and comes out with as many lines. */
#include "translate/translate.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char HEAD[] = "#line 1 \"a.cu\"\n";

/* A launch up to its arguments. */
#define LAMBDA                                                                                               \
    "[=](auto... sim_arguments) __attribute__((no_sanitize(\"thread\", \"alignment\", \"bounds\")))"
#define LAUNCH_NAMED(name, configuration, kernel)                                                            \
    "sim::launch(" name ", sim::configuration(" configuration "), " LAMBDA " -> decltype(" kernel            \
    "(sim_arguments...)) { return " kernel "(sim_arguments...); }"
#define LAUNCH(name, configuration, kernel) LAUNCH_NAMED("\"" name "\"", configuration, kernel)

struct pair {
    const char *input, *expected;
};

static size_t lines(const char *text) {
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

static void check_pair(const struct pair *pair) {
    struct diagnostics diagnostics = {0};
    size_t size;
    char *result = translate_source(pair->input, strlen(pair->input), "a.cu", &diagnostics, &size);
    ck_assert_msg(result != NULL, "refused: %s\n%s", pair->input,
                  diagnostics.count ? diagnostics.items[0].text : "without a word");
    ck_assert_uint_eq(size, strlen(result));
    ck_assert_msg(strncmp(result, HEAD, sizeof HEAD - 1) == 0, "%s", result);
    ck_assert_str_eq(result + sizeof HEAD - 1, pair->expected);
    ck_assert_uint_eq(lines(pair->input), lines(pair->expected));
    free(result);
    diagnostics_free(&diagnostics);
}

static void check_pairs(const struct pair *pairs, size_t count) {
    for (size_t i = 0; i < count; i++)
        check_pair(&pairs[i]);
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

START_TEST(plain_launches)
{
    static const struct pair pairs[] = {
        {"k<<<1, 32>>>(a, b);", LAUNCH("k", "1, 32", "k") ", a, b);"},
        {"k<<<g, b, 0, s>>>();", LAUNCH("k", "g, b, 0, s", "k") ");"},
        {"k <<< g , b >>> ( a ) ;", LAUNCH("k", " g , b ", "k") " ,  a ) ;"},
        {"if (x) k<<<g, b>>>(a); else m<<<1, 2>>>(c);",
         "if (x) " LAUNCH("k", "g, b", "k") ", a); else " LAUNCH("m", "1, 2", "m") ", c);"},
        {"return k<<<g, b>>>(a), cudaGetLastError();",
         "return " LAUNCH("k", "g, b", "k") ", a), cudaGetLastError();"},
        {"k<<<dim3(n, 2), (m + 31) / 32, sizeof(float[32]), *streams[i]>>>(p[1], f(a, b), {1, 2});",
         LAUNCH("k", "dim3(n, 2), (m + 31) / 32, sizeof(float[32]), *streams[i]",
                "k") ", p[1], f(a, b), {1, 2});"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

START_TEST(kernels_of_every_form)
{
    static const struct pair pairs[] = {
        {"k<T, 256><<<g, b>>>(a);", LAUNCH("k", "g, b", "k<T, 256>") ", a);"},
        {"k<V<W<int>>><<<g, b>>>(a);", LAUNCH("k", "g, b", "k<V<W<int>>>") ", a);"},
        {"k<(a > b), sizeof(x) - 1><<<g, b>>>(a);", LAUNCH("k", "g, b", "k<(a > b), sizeof(x) - 1>") ", a);"},
        {"k<N < 4><<<g, b>>>(a);", LAUNCH("k", "g, b", "k<N < 4>") ", a);"},
        {"k<p->n, (1 >> 2), x >= y><<<g, b>>>();", LAUNCH("k", "g, b", "k<p->n, (1 >> 2), x >= y>") ");"},
        {"m::n::k<T><<<g, b>>>(a);", LAUNCH("m::n::k", "g, b", "m::n::k<T>") ", a);"},
        {"x = 1; ::k<<<g, b>>>(a);", "x = 1; " LAUNCH("::k", "g, b", "::k") ", a);"},
        {"return ::k<<<g, b>>>(a);", "return " LAUNCH("::k", "g, b", "::k") ", a);"},
        {"S<T>::k<<<g, b>>>(a);", LAUNCH("S::k", "g, b", "S<T>::k") ", a);"},
        {"S<T>::template k<1><<<g, b>>>(a);", LAUNCH("S::templatek", "g, b", "S<T>::template k<1>") ", a);"},
        {"(k)<<<g, b>>>(a);", LAUNCH("k", "g, b", "(k)") ", a);"},
        {"(h ? k<half> : k<float>)<<<g, b>>>(a);",
         LAUNCH("h?k:k", "g, b", "(h ? k<half> : k<float>)") ", a);"},
        {"table[i]<<<g, b>>>(a);", LAUNCH("table[i]", "g, b", "table[i]") ", a);"},
        {"plan.k<<<g, b>>>(a);", LAUNCH("plan.k", "g, b", "plan.k") ", a);"},
        {"plans[2]->k<<<g, b>>>(a);", LAUNCH("plans[2]->k", "g, b", "plans[2]->k") ", a);"},
        {"pick<T>(x)<<<g, b>>>(a);", LAUNCH("pick(x)", "g, b", "pick<T>(x)") ", a);"},
        {"if (x) (k)<<<g, b>>>(a);", "if (x) " LAUNCH("k", "g, b", "(k)") ", a);"},
        {"(void)k<<<g, b>>>(a);", "(void)" LAUNCH("k", "g, b", "k") ", a);"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

START_TEST(configurations_with_angles)
{
    static const struct pair pairs[] = {
        {"k<<<ceil_div<int, 4>(n), 32>>>(a);", LAUNCH("k", "ceil_div<int, 4>(n), 32", "k") ", a);"},
        {"k<<<g, V<4>>>>(a);", LAUNCH("k", "g, V<4>", "k") ", a);"},
        {"k<<<g, V<W<4>>::n>>>(a);", LAUNCH("k", "g, V<W<4>>::n", "k") ", a);"},
        {"k<<<g, V<W<X<4>>>::n>>>(a);", LAUNCH("k", "g, V<W<X<4>>>::n", "k") ", a);"},
        {"k<<<g, f<V<W<4>>>(x)>>>(a);", LAUNCH("k", "g, f<V<W<4>>>(x)", "k") ", a);"},
        {"k<<<n >> 5, 32>>>(a);", LAUNCH("k", "n >> 5, 32", "k") ", a);"},
        {"k<<<g, b, 0, a > b ? s : t>>>(a);", LAUNCH("k", "g, b, 0, a > b ? s : t", "k") ", a);"},
        {"k<<<g, b, 0, a < b ? s : t>>>(a);", LAUNCH("k", "g, b, 0, a < b ? s : t", "k") ", a);"},
        {"k<<<1 << 4, 32>>>(a << 2, b >> 3);", LAUNCH("k", "1 << 4, 32", "k") ", a << 2, b >> 3);"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

START_TEST(lines_stay)
{
    static const struct pair pairs[] = {
        {"k<T>\n  <<<g,\n     b>>>(a,\n          c);\nd",
         "sim::launch(\"k\", \nsim::configuration(g,\n     b), " LAMBDA " -> "
         "decltype(k<T>(sim_arguments...)) { return k<T>(sim_arguments...); }, a,\n          c);\nd"},
        {"k // why\n<<<g, b>>> /* how\n */ (a);",
         "sim::launch(\"k\", \nsim::configuration(g, b), " LAMBDA " -> "
         "decltype(k(sim_arguments...)) { return k(sim_arguments...); } /* how\n */ , a);"},
        {"k<<<g, b>>>(\n#ifdef A\n a,\n#else\n b,\n#endif\n c);",
         LAUNCH("k", "g, b", "k") ", \n#ifdef A\n a,\n#else\n b,\n#endif\n c);"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

START_TEST(launches_in_macros)
{
    static const struct pair pairs[] = {
        {"#define GO k<<<g, b>>>(a)\nGO;", "#define GO " LAUNCH("k", "g, b", "k") ", a)\nGO;"},
        {"#define GO(kernel, ...) kernel<<<g, b>>>(__VA_ARGS__)",
         "#define GO(kernel, ...) " LAUNCH_NAMED("\"\" #kernel \"\"", "g, b", "kernel") ", ##__VA_ARGS__)"},
        {"#define GO(kernel) kernel##_fast<<<g, b>>>(a)",
         "#define GO(kernel) " LAUNCH_NAMED("\"\" #kernel \"_fast\"", "g, b", "kernel##_fast") ", a)"},
        {"#define GO(T)     \\\n  do {            \\\n    k<T><<<g,     \\\n    b>>>(a);      \\\n  } while "
         "(0)\nx",
         "#define GO(T)     \\\n  do {            \\\n    " LAUNCH("k", "g,     \\\n    b",
                                                                   "k<T>") ", a);      \\\n  } while (0)\nx"},
        {"CHECK(k<<<g, b>>>(a));", "CHECK(" LAUNCH("k", "g, b", "k") ", a));"},
        {"RUN([&] { k<<<g, b>>>(a); }, x<<<1, 2>>>(c));",
         "RUN([&] { " LAUNCH("k", "g, b", "k") ", a); }, " LAUNCH("x", "1, 2", "x") ", c));"},
        {"k<<<g, b>>>([&] { m<<<1, 2>>>(c); return 1; }());",
         LAUNCH("k", "g, b", "k") ", [&] { " LAUNCH("m", "1, 2", "m") ", c); return 1; }());"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

/* Each stays as it is, byte for byte. */
START_TEST(what_is_no_launch)
{
    static const char *const texts[] = {
        "",
        "// k<<<g, b>>>(a)\n/* k<<<g, b>>>(a) */ x",
        "// a comment that goes on \\\nk<<<g, b>>>(a)\n",
        "s = \"k<<<g, b>>>(a)\"; c = '\"'; t = \"\\\"k<<<\"; u = u8\"<<<\";",
        "s = R\"x(\" k<<<g, b>>>(a) )\" )x\"; t = LR\"(<<<)\";",
        "n = 1'000'000 + 0x1p-3; m = '<'; s = \"<<\" \"<\";",
        "#if 0\nk<<<g, b>>>( it's broken\n#endif\nx",
        "#if 0\n#if 1\n#endif\nk<<<\n#else\nx\n#endif",
        "#error k<<<g\n#pragma unroll <<<\n#include <<<\n",
        "a << b; c <<= d; v<w<x<int>>> y; if (a < b || c > d) e->f();",
        "template <class T, int N = (3 > 2)> struct s { T operator<<(int); };",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        check_pair(&(struct pair){texts[i], texts[i]});
}
END_TEST

/* The cast of a kernel to void * hides its type, so it goes; every other cast stays. */
START_TEST(kernels_by_address)
{
    static const struct pair pairs[] = {
        {"cudaLaunchKernel((const void *)k, g, b, a, 0, s);",
         "cudaLaunchKernel(              k, g, b, a, 0, s);"},
        {"cudaLaunchKernel((void*)&k<T>, g, b, a);", "cudaLaunchKernel(       &k<T>, g, b, a);"},
        {"cudaLaunchKernel((void const *const)(k), g, b, a);",
         "cudaLaunchKernel(                   (k), g, b, a);"},
        {"cudaLaunchKernel(((void *)k), g, b, (void **)a);",
         "cudaLaunchKernel((        k), g, b, (void **)a);"},
        {"cudaLaunchKernel((const void *)(void *)k, g);", "cudaLaunchKernel(                      k, g);"},
        {"cudaLaunchKernel(reinterpret_cast<const void *>(k<T, 2>), g, b, a);",
         "cudaLaunchKernel(                              (k<T, 2>), g, b, a);"},
        {"cudaLaunchKernel(static_cast<void *>(e->k), g);",
         "cudaLaunchKernel(                   (e->k), g);"},
        {"cudaLaunchKernelExC(&c[f(1, 2)], (const void *)k, a);",
         "sim::cudaLaunchKernelExC(&c[f(1, 2)],               k, a);"},
        {"#define GO(k) cudaLaunchKernel((const void *)k, \\\n 1, 1, a)\n",
         "#define GO(k) cudaLaunchKernel(              k, \\\n 1, 1, a)\n"},
        {"cudaLaunchKernel((\nconst void *)k, g);", "cudaLaunchKernel( \n             k, g);"},
    };
    static const char *const left_alone[] = {
        "cudaLaunchKernel(k, g, b, (void **)a);",
        "cudaLaunchKernel((void (*)(int))k, g, b, a);",
        "cudaLaunchKernel((const void **)k, g, b, a);",
        "cudaLaunchKernel((void)k, g, b, a);",
        "cudaLaunchKernel(reinterpret_cast<kernel>(k), g, b, a);",
        "cudaLaunchKernel",
        "cudaLaunchKernel(",
        "cudaLaunchKernelExC(&c, k, (void **)a);",
        "cudaLaunchKernelExC((const void *)k);",
        "cudaLaunchKernelExC(&c",
        "cudaLaunchKernelEx(&c, (const void *)k, 1);",
        "cudaFuncSetAttribute((const void *)k, 1, 2);",
        "other((const void *)k);",
    };
    check_pairs(pairs, COUNT(pairs));
    for (size_t i = 0; i < COUNT(left_alone); i++)
        check_pair(&(struct pair){left_alone[i], left_alone[i]});
}
END_TEST

START_TEST(shared_memory)
{
    static const struct pair pairs[] = {
        {"extern __shared__ float s[];", "extern            float s[] __asm__(\"sim_dynamic_shared\");"},
        {"__shared__ extern float s[];", "           extern float s[] __asm__(\"sim_dynamic_shared\");"},
        {"extern __shared__ float s[], t[];",
         "extern            float s[] __asm__(\"sim_dynamic_shared\"), t[] "
         "__asm__(\"sim_dynamic_shared\");"},
        {"{ extern __shared__ __align__(16) unsigned char raw[]; }",
         "{ extern            __align__(16) unsigned char raw[] __asm__(\"sim_dynamic_shared\"); }"},
        {"extern __shared__ alignas(16) T s[];",
         "alignas(16) extern                        T s[] __asm__(\"sim_dynamic_shared\");"},
        {"#define DYN(T, s) extern __shared__ T s[]\nx",
         "#define DYN(T, s) extern            T s[] __asm__(\"sim_dynamic_shared\")\nx"},
        {"static __shared__ float s[4];", "       __shared__ float s[4];"},
        {"__shared__ static volatile int n;", "__shared__        volatile int n;"},
        {"__shared__ alignas(16) float s[4];", "alignas(16) __shared__             float s[4];"},
        {"__shared__ float s[4][33], t;", "__shared__ float s[4][33], t;"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

#define VARIABLE "__sim_device_variable__"

START_TEST(device_variables)
{
    static const struct pair pairs[] = {
        {"__device__ int n;", VARIABLE " int n;"},
        {"static __device__ float t[3] = {1, 2, 3};", "static " VARIABLE " float t[3] = {1, 2, 3};"},
        {"int __device__ n = 3;", "int " VARIABLE " n = 3;"},
        {"__device__ unsigned int a, b;", VARIABLE " unsigned int a, b;"},
        {"__device__ m::pair<int, float> p{1, 2};", VARIABLE " m::pair<int, float> p{1, 2};"},
        {"__device__ float (*f)(float) = g;", VARIABLE " float (*f)(float) = g;"},
        {"__device__ float x(1.0f);", VARIABLE " float x(1.0f);"},
        {"__device__ struct s { int a; } v;", VARIABLE " struct s { int a; } v;"},
        {"extern \"C\" __device__ int n;", "extern \"C\" " VARIABLE " int n;"},
        {"template <class T> __device__ T v = T();", "template <class T> " VARIABLE " T v = T();"},
        {"__device__ const float *p;", VARIABLE " const float *p;"},
        {"__constant__ const float c[2] = {1, 2};", "             const float c[2] = {1, 2};"},
    };
    check_pairs(pairs, COUNT(pairs));
}
END_TEST

START_TEST(what_is_no_device_variable)
{
    static const char *const texts[] = {
        "__device__ float f(float x) { return x; }",
        "static __device__ __forceinline__ float f(float);",
        "template <class T, int N = 4> __device__ inline T f(T x);",
        "__device__ __launch_bounds__(256) void f();",
        "__device__ __attribute__((noinline)) int f(int);",
        "[[nodiscard]] __device__ m::t<int> f(int);",
        "struct s { __device__ s(int x) : n(x) {} __device__ ~s(); int n; };",
        "struct s { __device__ s operator+(s) const; __device__ explicit operator bool() const; };",
        "__device__ auto f(int x) -> int;",
        "__device__ float (*get(int i))(float);",
        "auto f = [=] __device__ (int i) { return i; };",
        "auto f = [=] __host__ __device__ { return 1; };",
        "#define HD __host__ __device__\n#define D __device__ static\nHD int f(int);",
        "__constant__ float c[4];",
        "__device__ __constant__ float c[4];",
        "__device__ const float e = 2.7f;",
        "static constexpr __device__ float e[2] = {1, 2};",
        "__device__ __managed__ int n;",
        "struct __device__ s;",
    };
    for (size_t i = 0; i < COUNT(texts); i++)
        check_pair(&(struct pair){texts[i], texts[i]});
}
END_TEST

START_TEST(faults_are_placed)
{
    static const struct {
        const char *text;
        int line, column;
        const char *says;
    } faults[] = {
        {"\n  k<<<g, b;\n", 2, 4, "no matching `>>>`"},
        {"<<<g, b>>>(a);", 1, 1, "no kernel"},
        {"return <<<g, b>>>(a);", 1, 8, "no kernel"},
        {"k<<<g, b>>>;", 1, 2, "no arguments"},
        {"k<<<g, b>>>(a", 1, 2, "never closed"},
        {"k<<<>>>(a);", 1, 2, "empty configuration"},
        {"\n<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> other\n", 2, 1, "merge"},
        {"#define GO <<<g, b>>>\n", 1, 12, "no kernel"},
        {"k\n#if A\n<<<g, b>>>(a);\n#endif\n", 3, 1, "preprocessor line"},
        {"(f([] { m<<<1, 2>>>(); }))<<<g, b>>>(a);", 1, 9, "inside another"},
        {"k<<<g, (b>>>(a);", 1, 2, "no matching `>>>`"},
    };
    for (size_t i = 0; i < COUNT(faults); i++) {
        struct diagnostics diagnostics = {0};
        size_t size;
        ck_assert_ptr_null(
            translate_source(faults[i].text, strlen(faults[i].text), "a.cu", &diagnostics, &size));
        ck_assert_uint_eq(diagnostics.count, 1);
        ck_assert(diagnostics.items[0].error);
        ck_assert_int_eq(diagnostics.items[0].line, faults[i].line);
        ck_assert_int_eq(diagnostics.items[0].column, faults[i].column);
        ck_assert_msg(strstr(diagnostics.items[0].text, faults[i].says) != NULL, "%s",
                      diagnostics.items[0].text);
        diagnostics_free(&diagnostics);
    }
}
END_TEST

START_TEST(bytes_of_every_kind)
{
    static const char text[] = "\xEF\xBB\xBFint a;\0b \"open\n'\r\n\\";
    struct diagnostics diagnostics = {0};
    size_t size;
    char *result = translate_source(text, sizeof text - 1, "q\"\\.cu", &diagnostics, &size);
    static const char head[] = "#line 1 \"q\\\"\\\\.cu\"\n";
    ck_assert_uint_eq(size, sizeof head - 1 + sizeof text - 1 - 3);
    ck_assert(memcmp(result, head, sizeof head - 1) == 0);
    ck_assert(memcmp(result + sizeof head - 1, text + 3, sizeof text - 1 - 3) == 0);
    free(result);
    diagnostics_free(&diagnostics);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("translate");
    TCase *rewriting = tcase_create("rewriting");
    tcase_add_test(rewriting, plain_launches);
    tcase_add_test(rewriting, kernels_of_every_form);
    tcase_add_test(rewriting, configurations_with_angles);
    tcase_add_test(rewriting, lines_stay);
    tcase_add_test(rewriting, launches_in_macros);
    tcase_add_test(rewriting, what_is_no_launch);
    tcase_add_test(rewriting, kernels_by_address);
    tcase_add_test(rewriting, shared_memory);
    tcase_add_test(rewriting, device_variables);
    tcase_add_test(rewriting, what_is_no_device_variable);
    tcase_add_test(rewriting, faults_are_placed);
    tcase_add_test(rewriting, bytes_of_every_kind);
    suite_add_tcase(suite, rewriting);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
