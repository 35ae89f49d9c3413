/* What a finding usually means, in its circumstances: whether an allocation of the call failed, which memory it was, what the
 * other access of a race did. Each text has only the causes that these leave. */
#include "check/circumstances.h"
#include "check/case.h"
#include "check/source_lines.h"
#include "numbers/element.h"
#include <stdlib.h>
#include <string.h>

/* ---- what is known ---- */

static bool allocation_failed(const struct outcome *outcome, int32_t step) {
    for (size_t i = 0; i < outcome->allocation_count; i++)
        if (outcome->allocations[i].step == step && outcome->allocations[i].failed)
            return true;
    return false;
}

static bool is_scratch(const struct finding *finding) {
    return strncmp(finding->buffer, "allocation ", strlen("allocation ")) == 0;
}

/* The buffer of the case that it lies in, or -1. */
static int buffer_of(const struct test_case *test_case, const struct finding *finding) {
    for (uint32_t i = 0; i < test_case->header.buffers && finding->buffer[0]; i++)
        if (strcmp(test_case->buffers[i].name, finding->buffer) == 0)
            return (int)i;
    return -1;
}

/* Whether the caller's stream brings this buffer its content while the case runs. */
static bool comes_late(const struct test_case *test_case, int buffer) {
    for (uint32_t i = 0; i < test_case->header.steps; i++)
        if ((test_case->steps[i].kind == STEP_FILL_SLOWLY || test_case->steps[i].kind == STEP_COPY) &&
            test_case->steps[i].operand[0].buffer == buffer)
            return true;
    return false;
}

/* Whether nothing is in it before the submission writes it. */
static bool is_result(const struct test_case *test_case, int buffer) {
    return test_case->buffers[buffer].content_bytes == 0 &&
           (test_case->buffers[buffer].flags & BUFFER_READ_ONLY) == 0 && !comes_late(test_case, buffer);
}

static int64_t element_size(const struct operand *matrix) {
    return matrix->type == TYPE_FP32 ? 4 : 2;
}

struct matrix_place place_in_matrix(const struct test_case *test_case, const struct finding *finding) {
    struct matrix_place place = {0};
    const int buffer = buffer_of(test_case, finding);
    for (uint32_t s = 0; s < test_case->header.steps && buffer >= 0; s++)
        for (int i = 0; i < STEP_OPERANDS; i++) {
            const struct operand *operand = &test_case->steps[s].operand[i];
            if (test_case->steps[s].kind != STEP_CALL || operand->buffer != buffer || operand->rows <= 0 ||
                operand->cols <= 0 || operand->pitch <= 0) /* a vector has columns and no rows */
                continue;
            const int64_t offset = finding->offset - operand->offset,
                          element = offset / element_size(operand);
            place.matrix = operand;
            place.before = offset < 0 ? -offset : 0;
            place.row = offset < 0 ? -1 : element / operand->pitch;
            place.col = offset < 0 ? -1 : element % operand->pitch;
            return place;
        }
    return place;
}

/* ---- what it means ---- */

static const char failed_allocation[] = "In this call an allocation failed and nobody looked at its error: "
                                        "the pointer that it was to give was used all the same. "
                                        "Return the error at once, before anything is launched.";

static const char null_pointer[] = "A kernel was given a null pointer: one that was never set, or an "
                                   "argument that is null and has to be refused before "
                                   "anything is launched.";

static const char no_row[] =
    "A thread, warp or block that has no row is not kept out: if (row >= rows) return, or skip the "
    "work where all of the block are needed at a barrier. The last block may have fewer rows than "
    "the others.";

static const char no_column[] =
    "A column past the end of the row is used: it has to be compared with cols before it is loaded "
    "or stored. What lies there, up to the pitch, is padding.";

static const char small_scratch[] =
    "The allocation is smaller than what is put there. Count bytes, not elements; and look at "
    "the index: an array with one element for each row is not indexed by chunk.";

static const char array_of_states[] = "The array has one element for each row, or one for each chunk of each "
                                      "row, row after row (row * T + chunk). Either the "
                                      "index is the wrong one of the two, or a thread, warp or block that "
                                      "has no element of its own is not kept out.";

static const char off_the_matrix[] = "An index is too large or negative: a thread, warp or block that has no "
                                     "row is not kept out (if (row >= rows) return), the "
                                     "last chunk of a row, which may be shorter than the others, is treated "
                                     "as if it were whole, or a row's start was computed "
                                     "with the wrong pitch, or in 32-bit arithmetic that overflows.";

static const char local_array[] =
    "An array of the thread's own, in the function itself, is smaller than the index: count what a "
    "thread gets at most, ceil(columns / threads), and see that the loop ends there.";

static const char host_array[] =
    "The array has fewer elements than the index needs; they are counted from 0.";

static const char result_read[] =
    "This is where the result goes, and nothing is in it before: a kernel only stores there. What "
    "is needed again stays in a register or in shared memory. Or input and output were exchanged.";

static const char not_there_yet[] =
    "The caller's stream brings what is to be read here, and has not come to it: this work is "
    "on another stream. Or it is read beyond the last row or column.";

static const char stage_before[] = "Scratch holds no zeros to begin with. The stage before did not write "
                                   "every element that this one reads (the state of the "
                                   "last chunk, say), or it runs on another stream and has not run yet; or "
                                   "the index leads past what was written.";

static const char one_element[] =
    "Two threads were given one element, by the same line: what it is indexed by is the same for "
    "both, and leaves out the row, the warp or the thread that tells them apart. A barrier does "
    "not help. Or one thread was to store for all: if (threadIdx.x == 0). Which one comes last is up to the "
    "device.";

static const char rows_of_a_block[] = "Threads with different threadIdx.y use one element. Where each "
                                      "threadIdx.y has a row of its own, each row needs elements of its "
                                      "own, and no barrier helps: the array needs another dimension. Where "
                                      "they work on one row together, a __syncthreads() is missing "
                                      "between the two.";

static const char one_element_of_blocks[] =
    "Two blocks were given one element: what is computed from blockIdx has to be another for each of them. "
    "Where several blocks "
    "do contribute to one element, use an atomic, or let a second kernel combine what the first one wrote.";

static const char waits_for_blocks[] = "A block uses what another block of the same launch writes. Blocks "
                                       "run in any order and nothing inside a launch makes one "
                                       "wait for another: let a second kernel read what the first one wrote. "
                                       "Or the index is another block's by mistake.";

static const char scratch_of_streams[] =
    "Scratch is allocated, used and freed in the order of one stream, the caller's. Look for an allocation, "
    "launch or free "
    "without the stream argument. Or two calls share their scratch: each needs its own.";

static const char off_stream[] = "The memory is the caller's, whose stream fills it before the call or uses "
                                 "it after, and this work is on another stream: "
                                 "nothing makes it wait. Look for a launch, copy or fill without the stream "
                                 "argument: <<<grid, block, 0, stream>>>.";

static const char one_for_all_calls[] =
    "A __device__ or __constant__ variable is one for all calls, and two calls on two streams overwrite each "
    "other's. What "
    "belongs to a call is a parameter of the kernel, or lies in scratch of the call's own.";

static const char kept_stream[] =
    "The handle is of a stream that was destroyed, or kept in a static variable from an earlier "
    "call. Everything goes on the stream that the caller gives: <<<grid, block, 0, stream>>>.";

static const char grid_limit[] = "A grid has up to 65535 blocks in y and z, 2147483647 in x, and none may be "
                                 "0. More than 65535 rows is valid input: put rows "
                                 "on x, or loop over them. A size of 0, or a strange one, comes from a "
                                 "division that rounds down or from a product that "
                                 "overflowed an int: round up, and count in int64_t.";

static const char block_limit[] =
    "A block has 1 to 1024 threads, all dimensions multiplied. Where a row or chunk has more "
    "columns, each thread takes several, in steps of the block's width.";

static const char shared_limit[] =
    "Shared memory beyond 48 KB is given only to a kernel for which cudaFuncSetAttribute(kernel, "
    "cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) was called, and each instance of a template is a "
    "kernel of its own.";

static const char bounds_limit[] =
    "__launch_bounds__ is a promise about the threads of every launch of this kernel.";

static const char not_the_row[] = "A row begins at row * pitch, and each row of this matrix at a multiple of "
                                  "this size, for its pitch is one. So the place is none that a "
                                  "wide load or store may begin at: a row's start was not computed as row * "
                                  "pitch (row * cols?), or the column is no multiple "
                                  "of the load's width.";

static const char never_freed[] = "Nothing frees it, or one way out of the function comes before the "
                                  "cudaFreeAsync. Look at the returns on errors: a launch or a "
                                  "second allocation may fail after the first one succeeded.";

static const char never_destroyed[] = "What a call creates, it has to destroy: an event or a stream may be "
                                      "destroyed at once, the work that is queued is done all "
                                      "the same. One that is made once and kept is no fault.";

static const char *of_place(const struct outcome *outcome, const struct finding *finding) {
    const struct test_case *test_case = outcome->test_case;
    const struct matrix_place place = place_in_matrix(test_case, finding);
    if (strstr(finding->text, " local array") != NULL || strstr(finding->text, " local variable") != NULL ||
        strstr(finding->text, " of a variable of ") != NULL)
        return local_array;
    if (strstr(finding->text, "of an array of type") != NULL)
        return host_array;
    if (is_scratch(finding))
        return small_scratch;
    if (place.matrix != NULL)
        return off_the_matrix;
    return buffer_of(test_case, finding) >= 0 ? array_of_states : NULL;
}

static const char *of_unwritten(const struct outcome *outcome, const struct finding *finding) {
    const struct matrix_place place = place_in_matrix(outcome->test_case, finding);
    const int buffer = buffer_of(outcome->test_case, finding);
    if (is_scratch(finding))
        return stage_before;
    if (place.matrix != NULL && (place.row < 0 || place.row >= place.matrix->rows))
        return no_row;
    if (place.matrix != NULL && place.col >= place.matrix->cols)
        return no_column;
    if (buffer >= 0 && comes_late(outcome->test_case, buffer))
        return not_there_yet;
    return buffer >= 0 && is_result(outcome->test_case, buffer) ? result_read : NULL;
}

static const char *of_streams(const struct outcome *outcome, const struct finding *finding) {
    if (is_scratch(finding))
        return scratch_of_streams;
    if (buffer_of(outcome->test_case, finding) >= 0)
        return off_stream;
    return finding->buffer[0] ? one_for_all_calls : NULL;
}

static const char *of_launch(const struct finding *finding) {
    static const struct {
        const char *text, *means;
    } limits[] = {{"stream that does not exist", kept_stream},
                  {"__launch_bounds__", bounds_limit},
                  {"a grid of", grid_limit},
                  {"a block of", block_limit},
                  {"dynamic shared memory", shared_limit}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (strstr(finding->text, limits[i].text) != NULL)
            return limits[i].means;
    return NULL;
}

/* What the address had to be a multiple of: "... a multiple of 16; ...". A part of a wide load is smaller than that. */
static int64_t alignment_of(const struct finding *finding) {
    static const char words[] = "a multiple of ";
    const char *at = strstr(finding->text, words);
    return at != NULL ? strtoll(at + strlen(words), NULL, 10) : (int64_t)finding->bytes;
}

/* Every row begins at a multiple of that, as long as the matrix itself does. */
static bool rows_are_aligned(const struct outcome *outcome, const struct finding *finding) {
    const struct matrix_place place = place_in_matrix(outcome->test_case, finding);
    const int64_t bytes = alignment_of(finding);
    return place.matrix != NULL && bytes > 0 && place.matrix->offset % bytes == 0 &&
           place.matrix->pitch * element_size(place.matrix) % bytes == 0;
}

static bool is_one_line(struct context *context, const struct finding *finding) {
    return finding->at.pc != 0 && finding->other.pc != 0 &&
           strcmp(symbols_find(context->symbols, finding->at.pc)->where,
                  symbols_find(context->symbols, finding->other.pc)->where) == 0;
}

static bool both_write(const struct finding *finding) {
    return finding->write && (strstr(finding->text, " writes in ") != NULL);
}

const char *meaning_of(struct context *context, const struct outcome *outcome,
                       const struct finding *finding) {
    const bool failed = allocation_failed(outcome, finding->step);
    switch (finding->kind) {
    case FINDING_KERNEL_TOUCHES_HOST:
        if (failed)
            return failed_allocation;
        return strstr(finding->text, "null pointer") != NULL ? null_pointer : NULL;
    case FINDING_OUT_OF_BOUNDS:
        return failed && finding->buffer[0] == '\0' ? failed_allocation : of_place(outcome, finding);
    case FINDING_UNINITIALISED:
        return of_unwritten(outcome, finding);
    case FINDING_RACE_BLOCK:
        if (finding->at.known && finding->other.known && finding->at.thread[1] != finding->other.thread[1])
            return rows_of_a_block;
        return both_write(finding) && is_one_line(context, finding) ? one_element : NULL;
    case FINDING_RACE_GRID:
        return both_write(finding) ? one_element_of_blocks : waits_for_blocks;
    case FINDING_RACE_STREAMS:
        return of_streams(outcome, finding);
    case FINDING_LEAK:
        return strstr(finding->text, "leaves behind") != NULL ? never_destroyed : never_freed;
    case FINDING_BAD_LAUNCH:
        return of_launch(finding);
    case FINDING_MISALIGNED:
        return rows_are_aligned(outcome, finding) ? not_the_row : NULL;
    default:
        return NULL;
    }
}
