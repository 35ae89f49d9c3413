/* The mutator: which edits it makes of a line, and which it leaves alone. */
#include "mutants/mutant.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* True when one of the mutants of text is an edit of this kind that gives this text. */
static bool made(const char *text, const char *operator, const char * result) {
    struct mutants mutants = mutants_of(text, strlen(text));
    bool found = false;
    for (size_t i = 0; i < mutants.count; i++) {
        char *mutated = mutant_write(&mutants.items[i], text, strlen(text));
        found |= strcmp(mutated, result) == 0 && strcmp(mutants.items[i].operator, operator) == 0;
        free(mutated);
    }
    mutants_free(&mutants);
    return found;
}

struct example {
    const char *text, *operator, * result;
};

static const struct example examples[] = {
    {"f() { if (a < b) g(); }", "comparison", "f() { if (a <= b) g(); }"},
    {"f() { if (a < b) g(); }", "offset", "f() { if (a < b - 1) g(); }"},
    {"f() { if (a < b) g(); }", "condition", "f() { if (1) g(); }"},
    {"f() { if (a < b) g(); }", "statement", "f() { if (a < b) ; }"},
    {"f() { a = b / 2; }", "arithmetic", "f() { a = b * 2; }"},
    {"f() { a = b / 2; }", "offset", "f() { a = b / 3; }"},
    {"f() { a[i] = 0; }", "offset", "f() { a[i + 1] = 0; }"},
    {"f() { int a = b; }", "offset", "f() { int a = b - 1; }"},
    {"f() { T *p = q + r; }", "offset", "f() { T *p = q + r + 1; }"},
    {"f() { x = -INFINITY; }", "constant", "f() { x = 0; }"},
    {"f() { float s = 0.0f; }", "constant", "f() { float s = 1.0f; }"},
    {"f() { return a || b && c; }", "logical", "f() { return a || b && 1; }"},
    {"f() { return a || b; }", "logical", "f() { return 0 || b; }"},
    {"f() { return a || b; }", "logical", "f() { return a && b; }"},
    {"f() { return a ? b : g(c, d); }", "ternary", "f() { return a ? g(c, d) : b; }"},
    {"f() { x = 1; __syncthreads(); }", "barrier", "f() { x = 1; ; }"},
    {"f() { x = 1; __syncthreads(); }", "barrier", "f() { x = 1; __syncwarp(); }"},
    {"f() { v = __shfl_xor_sync(m, v, d); }", "shuffle", "f() { v = __shfl_xor_sync(0x7fffffffu, v, d); }"},
    {"f() { v = __shfl_xor_sync(m, v, d); }", "shuffle", "f() { v = __shfl_xor_sync(m, v, d / 2); }"},
    {"f() { v = expf(a - b); }", "function", "f() { v = expf(-(a - b)); }"},
    {"f() { v = fmaxf(a, b); }", "function", "f() { v = fminf(a, b); }"},
    {"f() { h = __float2half_rn(a); }", "rounding", "f() { h = __float2half_rz(a); }"},
    {"f() { k<T><<<g, b, 0, stream>>>(a); }", "stream", "f() { k<T><<<g, b, 0, 0>>>(a); }"},
    {"f() { k<T><<<g, b, 0, stream>>>(a); }", "stream", "f() { k<T><<<g, b>>>(a); }"},
    {"f() { k<T><<<g, b, 0, stream>>>(a); }", "offset", "f() { k<T><<<g - 1, b, 0, stream>>>(a); }"},
    {"f() { k<T><<<g, b, 0, stream>>>(a); }", "statement", "f() { ; }"},
    {"f() { g(a, stream); }", "stream", "f() { g(a, 0); }"},
    {"f() { e = cudaFreeAsync(p, s); }", "memory", "f() { e = cudaSuccess; }"},
    {"f() { if (a)\n return b;\n g(); }", "guard", "f() { ;\n\n g(); }"},
    {"f() { return cudaGetLastError(); }", "status", "f() { return cudaSuccess; }"},
    {"f() { return cudaErrorInvalidValue; }", "status", "f() { return cudaSuccess; }"},
    {"f() { return x.rows; }", "name", "f() { return y.rows; }"},
    {"f() { return x.rows; }", "name", "f() { return x.cols; }"},
};

START_TEST(edits)
{
    const struct example *example = &examples[_i];
    ck_assert_msg(made(example->text, example->operator, example->result), "%s is no %s of: %s",
                  example->result, example->operator, example->text);
}
END_TEST

static size_t count(const char *text) {
    struct mutants mutants = mutants_of(text, strlen(text));
    const size_t counted = mutants.count;
    mutants_free(&mutants);
    return counted;
}

START_TEST(left_alone)
{
    /* types, templates, comments, strings, directives, declarations: nothing there is an operator */
    ck_assert_uint_eq(count("static const T *larger(const T *a, struct s b);"), 0);
    ck_assert_uint_eq(count("template <typename T> static void k(quad<T> in);"), 0);
    ck_assert_uint_eq(count("/* a < b */ // a + b"), 0);
    ck_assert_uint_eq(count("#define A (b + 1)\n#include <a.h>\n"), 0);
    ck_assert_uint_eq(count("#if 0\nf() { a = b + 1; }\n#endif\n"), 0);
    ck_assert_uint_eq(count(""), 0);
    /* the head of a for is no statement: the condition stays */
    ck_assert(!made("f() { for (i = a; b; c)\n g(); }", "statement", "f() { for (i = a; ; c)\n g(); }"));
}
END_TEST

START_TEST(every_edit_is_one_of_a_kind)
{
    const char *text = "f() { if (a < 1 || b[i + 1] != -INFINITY) return 0; x = a ? b : 1.0f; }";
    struct mutants mutants = mutants_of(text, strlen(text));
    ck_assert_uint_gt(mutants.count, 20);
    char **mutated = calloc(mutants.count, sizeof *mutated);
    for (size_t i = 0; i < mutants.count; i++) {
        mutated[i] = mutant_write(&mutants.items[i], text, strlen(text));
        ck_assert_str_ne(mutated[i], text);
        for (size_t j = 0; j < i; j++)
            ck_assert_str_ne(mutated[i], mutated[j]);
    }
    for (size_t i = 0; i < mutants.count; i++)
        free(mutated[i]);
    free(mutated);
    mutants_free(&mutants);
}
END_TEST

START_TEST(lines_are_known_by_their_words)
{
    const char *text = "f() {\n    g(a,\n      b < c);\n}\n";
    struct mutants mutants = mutants_of(text, strlen(text));
    bool seen = false;
    for (size_t i = 0; i < mutants.count; i++) {
        char *before = mutant_lines(&mutants.items[i], text, strlen(text), false);
        char *after = mutant_lines(&mutants.items[i], text, strlen(text), true);
        ck_assert(strcmp(before, "b < c);") == 0 || strcmp(before, "g(a, b < c);") == 0);
        seen |= strcmp(after, "b <= c);") == 0;
        free(before);
        free(after);
    }
    ck_assert(seen);
    mutants_free(&mutants);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mutants");
    TCase *cases = tcase_create("mutants");
    suite_add_tcase(suite, cases);
    tcase_add_loop_test(cases, edits, 0, sizeof examples / sizeof *examples);
    tcase_add_test(cases, left_alone);
    tcase_add_test(cases, every_edit_is_one_of_a_kind);
    tcase_add_test(cases, lines_are_known_by_their_words);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed > 0;
}
