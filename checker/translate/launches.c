/* Rewrites launches: kernel<<<grid, block>>>(a) becomes
 *
 *   sim::launch("kernel", sim::configuration(grid, block), LAMBDA, a)
 *
 * with LAMBDA, not instrumented, being
 *
 *   [=](auto... sim_arguments) -> decltype(kernel(sim_arguments...)) { return kernel(sim_arguments...); }
 *
 * The kernel is called from a generic lambda, so that templates and overloads are resolved from the arguments
 * as in a call; its return type lets sim::launch ask whether the arguments fit at all. What the lambda reads
 * itself, a pointer to the kernel for example, is no access of the student's. Configuration and arguments
 * stay where they are; only the kernel's name moves. */
#include "passes.h"

#include <stdio.h>

/* The kernel as written, on one line and without comments. */
static void add_kernel(struct buffer *out, const struct token_stream *stream, size_t first, size_t end) {
    for (size_t i = first; i < end; i++) {
        const struct token *token = &stream->tokens[i];
        if (i > first && !token_touches_next(stream, i - 1))
            buffer_add(out, " ", 1);
        buffer_add(out, stream->text + token->start, token->end - token->start);
    }
}

/* A string literal with the kernel's name, without template arguments. In a macro, a parameter's name is left
 * to the preprocessor: `#parameter`. */
static void add_kernel_name(struct buffer *out, const struct token_stream *stream, size_t first, size_t end) {
    while (token_is(stream, first, "(") && stream->tokens[first].match == end - 1) {
        first++;
        end--;
    }
    size_t arguments = token_is(stream, end - 1, ">") ? template_open(stream, end - 1) : NO_TOKEN;
    if (arguments != NO_TOKEN && arguments > first)
        end = arguments;
    buffer_add_text(out, "\"");
    for (size_t i = first; i < end; i++) {
        const struct token *token = &stream->tokens[i];
        size_t close = token_is(stream, i, "<") ? template_close(stream, i) : NO_TOKEN;
        if (close != NO_TOKEN && close < end) {
            i = close;
        } else if (stream->macro && token->kind == TOKEN_IDENTIFIER && token_is_parameter(stream, i)) {
            buffer_add_text(out, "\" #");
            buffer_add(out, stream->text + token->start, token->end - token->start);
            buffer_add_text(out, " \"");
        } else if (!token_is(stream, i, "##")) {
            buffer_add_escaped(out, stream->text + token->start, token->end - token->start);
        }
    }
    buffer_add_text(out, "\"");
}

/* The ends of line between two offsets, with the backslash a macro's have. */
static void add_newlines(struct buffer *out, const struct token_stream *stream, size_t start, size_t end) {
    for (size_t i = start; i < end; i++)
        if (stream->text[i] == '\n')
            buffer_add_text(out, stream->macro ? "\\\n" : "\n");
}

static void rewrite(struct translation *translation, const struct token_stream *stream,
                    const struct launch_syntax *launch) {
    const struct token *tokens = stream->tokens;
    struct buffer text = {0};

    buffer_add_text(&text, "sim::launch(");
    add_kernel_name(&text, stream, launch->kernel, launch->open);
    buffer_add_text(&text, ", ");
    add_newlines(&text, stream, tokens[launch->kernel].start, tokens[launch->open].start);
    buffer_add_text(&text, "sim::configuration(");
    edits_replace_bytes(&translation->edits, tokens[launch->kernel].start, tokens[launch->open].end,
                        text.text, text.size);

    struct buffer call = {0};
    add_kernel(&call, stream, launch->kernel, launch->open);
    buffer_add_text(&call, "(sim_arguments...)");
    text.size = 0;
    buffer_add_text(&text,
                    "), [=](auto... sim_arguments) "
                    "__attribute__((no_sanitize(\"thread\", \"alignment\", \"bounds\"))) -> decltype(");
    buffer_add(&text, call.text, call.size);
    buffer_add_text(&text, ") { return ");
    buffer_add(&text, call.text, call.size);
    buffer_add_text(&text, "; }");
    memory_release(call.text);
    edits_replace_bytes(&translation->edits, tokens[launch->close].start, tokens[launch->close + 2].end,
                        text.text, text.size);

    size_t first = launch->arguments + 1;
    bool variadic = token_is(stream, first, "__VA_ARGS__") && first + 1 == launch->arguments_end;
    const char *separator = first == launch->arguments_end ? "" : variadic ? ", ##" : ", ";
    edits_replace(&translation->edits, tokens[launch->arguments].start, tokens[launch->arguments].end,
                  separator);
    memory_release(text.text);
}

void translate_launches(struct translation *translation, const struct token_stream *stream) {
    for (size_t i = 0; i < stream->count && !translation->failed; i++) {
        if (!token_is(stream, i, "<<<"))
            continue;
        struct launch_syntax launch;
        const char *fault = launch_read(stream, i, &launch);
        if (fault) {
            char text[sizeof((struct diagnostic *)0)->text];
            snprintf(text, sizeof text, "This launch %s.", fault);
            report_error(translation, stream->tokens[i].start, text);
        } else {
            rewrite(translation, stream, &launch);
        }
    }
}
