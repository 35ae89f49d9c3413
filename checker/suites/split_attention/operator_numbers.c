/* The whole operator: its numbers. */
#include "parts.h"

#include <math.h>

/* One key, one key more than a chunk, a few chunks, and the most keys there can be; every type, dim and chunk size. */
void attention_operator_shapes(struct context *context) {
    static const int64_t shapes[3][2] = {{1, 1}, {3, 65}, {1, 1025}};
    for (int shape = 0; shape < 3; shape++)
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                struct problem problem =
                    attention_drawn(context, supported_types[i], shapes[shape][0], shapes[shape][1],
                                    attention_dims[(i + j + shape) % 2], attention_chunk_sizes[j]);
                if ((i + j) % 2)
                    attention_without_bias(&problem);
                attention_expect(context, &problem, shape < 2 ? GUARD : NO_GUARD);
            }
    for (int j = 0; j < 3; j++) {
        struct problem problem = attention_drawn(context, supported_types[j], 1, 8195, attention_dims[j % 2],
                                                 attention_chunk_sizes[j]);
        attention_expect(context, &problem, NO_GUARD);
    }
}

/* Large scores, and one that dominates: in the first chunk, in the last, and far from both. The products are exact,
 * and so are the scores. */
void attention_operator_values(struct context *context) {
    enum { LENGTH = 600 };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            struct problem problem = attention_new(context, supported_types[i], 6, LENGTH,
                                                   attention_dims[(i + j) % 2], attention_chunk_sizes[j]);
            for (int64_t row = 0; row < problem.heads * problem.length; row++)
                for (int col = 0; col < problem.dim; col++)
                    table_set(&problem.v, row, col, check_uniform(context, 0.5, 1.5));
            for (int64_t key = 0; key < LENGTH; key++) {
                attention_set_bias(&problem, 0, key, 1000);
                attention_set_bias(&problem, 1, key, -1000);
                attention_set_bias(&problem, 2, key, 1000 + 0.5 * (double)(key % 7));
                for (int64_t head = 3; head < 6; head++)
                    attention_set_bias(&problem, head, key, -2 + (double)(key % 3));
            }
            attention_set_bias(&problem, 3, 0, 100);
            attention_set_bias(&problem, 4, LENGTH - 1, 100);
            attention_set_bias(&problem, 5, 300, 100);
            attention_expect(context, &problem, NO_GUARD);
        }
}

/* Masked keys, chunks and heads; NaN and +inf at the beginning, in a chunk of its own, and in the tail, by the bias
 * and by k itself. */
void attention_operator_special(struct context *context) {
    enum { HEADS = 11, LENGTH = 261 };
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            struct problem problem = attention_drawn(context, supported_types[i], HEADS, LENGTH,
                                                     attention_dims[(i + j) % 2], attention_chunk_sizes[j]);
            for (int64_t key = 0; key < LENGTH; key++) {
                if (check_random(context) % 2)
                    attention_set_bias(&problem, 0, key, -INFINITY); /* head 0: here and there */
                if (key >= 64 && key < 192)
                    attention_set_bias(&problem, 1, key, -INFINITY); /* head 1: whole chunks */
                if (key < LENGTH - 5)
                    attention_set_bias(&problem, 2, key, -INFINITY); /* head 2: all but the tail */
                attention_set_bias(&problem, 3, key, -INFINITY);     /* head 3: everything */
                attention_set_bias(&problem, 6, key, -INFINITY);
            }
            attention_set_bias(&problem, 4, 200, NAN);
            attention_set_bias(&problem, 5, LENGTH - 1, INFINITY);
            attention_set_bias(&problem, 6, 100, NAN); /* among masked keys */
            for (int64_t key = 64; key < 128; key++)
                attention_set_bias(&problem, 7, key, NAN);
            table_set(&problem.k, 8 * LENGTH + 70, 5, NAN);
            table_set(&problem.q, 9, 6, INFINITY);         /* scores of both infinities: some key has +inf */
            attention_expect(context, &problem, NO_GUARD); /* head 10: not to be harmed */
        }
}
