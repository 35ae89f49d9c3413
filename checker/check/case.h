/* A case while it is being built: what will be sent to the runner. */
#ifndef CASE_H
#define CASE_H

#include "check/context.h"

struct test_case {
    struct context *context;
    struct case_header header;
    struct buffer_spec buffers[CASE_MAX_BUFFERS];
    const void *contents[CASE_MAX_BUFFERS];
    struct stream_spec streams[CASE_MAX_STREAMS];
    struct step steps[CASE_MAX_STEPS];
};

#endif
