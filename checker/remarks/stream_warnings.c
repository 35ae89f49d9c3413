/* Two remarks about a file as a whole.
 *
 * launch-without-stream: a function of the file is given a stream, and a launch does not name one: it goes to
 * the default stream, out of order with everything else that the caller does.
 *
 * threadfence-grid-barrier: the file has __threadfence and a loop that does nothing but look at memory until
 * another block has changed it. Blocks that have not started cannot do that, and they need not start before
 * the waiting ones have ended. */
#include "passes.h"

/* True when a function of the file has a parameter of type cudaStream_t. */
static bool takes_stream(const struct token_stream *stream) {
    for (size_t i = 0; i + 2 < stream->count; i++)
        if (token_is(stream, i, "cudaStream_t") && token_is_identifier(stream, i + 1) &&
            (token_is(stream, i + 2, ",") || token_is(stream, i + 2, ")")))
            return true;
    return false;
}

/* The number of arguments of a launch's configuration; *last is the first token of the last one. */
static int configuration_arguments(const struct token_stream *stream, const struct launch_syntax *launch,
                                   size_t *last) {
    int count = 1;
    *last = launch->open + 1;
    for (size_t i = launch->open + 1; i < launch->close; i++) {
        size_t close = stream->tokens[i].match;
        if (token_is(stream, i, "<") && token_is_identifier(stream, i - 1))
            close = template_close(stream, i);
        if (close != NO_TOKEN && close > i && close < launch->close)
            i = close;
        else if (token_is(stream, i, ",")) {
            count++;
            *last = i + 1;
        }
    }
    return count;
}

void warn_about_streams(struct reading *reading) {
    static const char *const none[] = {"0", "NULL", "nullptr", NULL};
    bool given = false;
    for (size_t s = 0; s < reading->source.stream_count && !given; s++)
        given = takes_stream(&reading->source.streams[s]);
    for (size_t s = 0; s < reading->source.stream_count && given; s++) {
        const struct token_stream *stream = &reading->source.streams[s];
        struct launch_syntax launch;
        size_t last;
        for (size_t i = 0; i < stream->count; i++) {
            if (!token_is(stream, i, "<<<") || launch_read(stream, i, &launch))
                continue;
            int arguments = configuration_arguments(stream, &launch, &last);
            bool variadic = token_is(stream, last, "__VA_ARGS__");
            bool names_default = last + 1 == launch.close && token_is_any(stream, last, none);
            if ((arguments < 4 && !variadic) || (arguments == 4 && names_default))
                report_remark(reading, stream->tokens[i].start, "launch-without-stream",
                              "This launch names no stream, so it runs on the default stream. The fourth "
                              "argument is the stream: kernel<<<grid, block, 0, stream>>>(...).");
        }
    }
}

/* True when a condition reads memory in a way that is meant to see what other threads write. */
static bool watches_memory(const struct token_stream *stream, size_t first, size_t end) {
    static const char *const words[] = {"atomicAdd", "atomicCAS", "atomicOr",      "atomicExch",
                                        "atomicMax", "volatile",  "__ldcg",        "__ldcv",
                                        "load",      "atomicSub", "__threadfence", NULL};
    for (size_t i = first; i < end; i++)
        if (token_is_any(stream, i, words))
            return true;
    return false;
}

/* True when the statement at token i does nothing: `;`, `{}`, or a block of waiting. */
static bool only_waits(const struct token_stream *stream, size_t i) {
    static const char *const words[] = {"__nanosleep", "__threadfence", "continue", ";", NULL};
    if (token_is(stream, i, ";"))
        return true;
    size_t end = token_is(stream, i, "{") ? stream->tokens[i].match : NO_TOKEN;
    if (end == NO_TOKEN)
        return false;
    for (size_t at = i + 1; at < end; at++) {
        if (token_is(stream, at, "(") && stream->tokens[at].match != NO_TOKEN)
            at = stream->tokens[at].match;
        else if (!token_is_any(stream, at, words))
            return false;
    }
    return true;
}

void warn_about_grid_barriers(struct reading *reading) {
    const struct token_stream *stream = &reading->source.streams[0];
    bool fence = false;
    for (size_t i = 0; i < stream->count && !fence; i++)
        fence = token_is(stream, i, "__threadfence");
    for (size_t i = 0; i + 1 < stream->count && fence; i++) {
        if (!token_is(stream, i, "while") || !token_is(stream, i + 1, "("))
            continue;
        size_t close = stream->tokens[i + 1].match;
        bool ends_do = i > 0 && token_is(stream, i - 1, "}");
        if (close == NO_TOKEN || !watches_memory(stream, i + 2, close) || !only_waits(stream, close + 1))
            continue;
        size_t open = ends_do ? stream->tokens[i - 1].match : NO_TOKEN;
        if (open != NO_TOKEN && open > 0 && token_is(stream, open - 1, "do") && !only_waits(stream, open))
            continue;
        report_remark(reading, stream->tokens[i].start, "threadfence-grid-barrier",
                      "This loop waits for another block. Blocks that have not started may be waiting for "
                      "this one to end. __threadfence orders memory and holds nobody: to wait for the whole "
                      "grid, end the kernel and launch the next one.");
    }
}
