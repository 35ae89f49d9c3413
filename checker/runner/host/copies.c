/* Calls that copy to or from memory of the host: its bytes travel with the message, or with the answer. */
#include "client.h"
#include <stdlib.h>
#include <string.h>

/* Rows of a copy, at one of its ends. */
struct rows {
    void *start;
    size_t pitch, width, count;
};

/* A source that cannot be read is met here, before half a message is out. */
static void touch(const struct rows *rows) {
    for (size_t row = 0; row < rows->count; row++) {
        const volatile char *start = (const volatile char *)rows->start + row * rows->pitch;
        for (size_t i = 0; i < rows->width; i += 4096)
            (void)start[i];
        (void)start[rows->width - 1];
    }
}

/* Does it lie in memory that only this process has? */
static bool travels(const struct rows *rows) {
    return rows->start && !client_is_shared((uintptr_t)rows->start) && rows->width && rows->count &&
           rows->width <= MOST_MESSAGE_BYTES / rows->count / 2;
}

static void gather(struct request *request, const struct rows *from) {
    if (!travels(from))
        return;
    touch(from);
    char *bytes = malloc(from->width * from->count);
    for (size_t row = 0; bytes && row < from->count; row++)
        memcpy(bytes + row * from->width, (const char *)from->start + row * from->pitch, from->width);
    request->bytes = bytes;
    request->byte_count = bytes ? from->width * from->count : 0;
}

static void scatter(struct request *request, const struct rows *to) {
    for (size_t row = 0; travels(to) && row < to->count && request->left > 0; row++)
        request_take(request, (char *)to->start + row * to->pitch, to->width);
}

static cudaError_t copy(struct request *request, const uint64_t *words, int count, struct rows to,
                        struct rows from) {
    memcpy(request->message.word, words, (size_t)count * sizeof *words);
    gather(request, &from);
    request_send(request);
    free((void *)(uintptr_t)request->bytes);
    if (travels(&to) && request->left > 0 && to.pitch >= to.width)
        scatter(request, &to);
    return request_end(request);
}

#define COPY(name, to, from, ...)                                                                            \
    struct request request = request_new(CUDA_##name, PLACE);                                                \
    const uint64_t words[] = {__VA_ARGS__};                                                                  \
    return copy(&request, words, sizeof words / sizeof *words, to, from)

#define WORD(value) (uint64_t)(value)
#define ROWS(start, pitch, width, count) ((struct rows){(void *)(uintptr_t)(start), pitch, width, count})
#define ROW(start, bytes) ROWS(start, bytes, bytes, 1)
#define NOTHING ((struct rows){0})

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    COPY(cudaMemcpy, ROW(to, bytes), ROW(from, bytes), WORD(to), WORD(from), bytes, WORD(kind));
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    COPY(cudaMemcpyAsync, ROW(to, bytes), ROW(from, bytes), WORD(to), WORD(from), bytes, WORD(kind),
         WORD(stream));
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    COPY(cudaMemcpy2D, ROWS(to, to_pitch, width, height), ROWS(from, from_pitch, width, height), WORD(to),
         to_pitch, WORD(from), from_pitch, width, height, WORD(kind));
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    COPY(cudaMemcpy2DAsync, ROWS(to, to_pitch, width, height), ROWS(from, from_pitch, width, height),
         WORD(to), to_pitch, WORD(from), from_pitch, width, height, WORD(kind), WORD(stream));
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind) {
    COPY(cudaMemcpyToSymbol, NOTHING, ROW(from, bytes), WORD(symbol), WORD(from), bytes, offset, WORD(kind));
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes, size_t offset,
                                    enum cudaMemcpyKind kind, cudaStream_t stream) {
    COPY(cudaMemcpyToSymbolAsync, NOTHING, ROW(from, bytes), WORD(symbol), WORD(from), bytes, offset,
         WORD(kind), WORD(stream));
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind) {
    COPY(cudaMemcpyFromSymbol, ROW(to, bytes), NOTHING, WORD(to), WORD(symbol), bytes, offset, WORD(kind));
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream) {
    COPY(cudaMemcpyFromSymbolAsync, ROW(to, bytes), NOTHING, WORD(to), WORD(symbol), bytes, offset,
         WORD(kind), WORD(stream));
}
