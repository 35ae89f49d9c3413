/* Faulty (operator.errors), a twin of the construct c_unity_and_tables. Shows: a .c that includes another .c and a header of a subfolder with extern "C" guards, an X-macro list of rules, a table of
 * function pointers as stages, static inline functions, an enum of errors, a do-while(0) macro with a goto, four allocations. */
#include "parts/rules.h"
#include "split_softmax.h"
#include "parts/plan.c"

#define TRY(call)                                                                                            \
    do {                                                                                                     \
        if ((error = (call)) != cudaSuccess)                                                                 \
            return error;                                                                                        \
    } while (0)

struct run { matrix x, y; int chunk; int64_t chunks; float *part[4]; cudaStream_t stream; };
typedef cudaError_t stage(const struct run *);

static cudaError_t partials(const struct run *r) { return split_softmax_partials(r->x, r->chunk, r->part[0], r->part[1], r->stream); }
static cudaError_t merge(const struct run *r) {
    return split_softmax_merge(r->part[0], r->part[1], r->x.rows, r->chunks, r->part[2], r->part[3], r->stream);
}
static cudaError_t normalize(const struct run *r) { return split_softmax_normalize(r->x, r->chunk, r->part[2], r->part[3], r->y, r->stream); }

static stage *const stages[] = {partials, merge, normalize, NULL};

cudaError_t split_softmax(matrix x, matrix y, int chunk, cudaStream_t stream) {
    enum rule broken = first_broken_rule(&x, &y, chunk);
    if (broken != RULE_NONE)
        return broken == RULE_EMPTY ? cudaSuccess : cudaErrorInvalidValue;
    struct run r = {x, y, chunk, split_softmax_chunks(x.cols, chunk), {0}, stream};
    cudaError_t error = cudaSuccess;
    for (int i = 0; i < 4; i++)
        TRY(cudaMallocAsync((void **)&r.part[i], sizeof(float) * x.rows * (i < 2 ? r.chunks : 1), stream));
    for (stage *const *s = stages; *s; s++)
        TRY((*s)(&r));
    for (int i = 0; i < 4 && r.part[i]; i++) {
        cudaError_t freed = cudaFreeAsync(r.part[i], stream);
        if (error == cudaSuccess)
            error = freed;
    }
    return error;
}
