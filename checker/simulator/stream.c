/* Streams: queues of operations that run when something waits for them, and not before.
 *
 * While the host waits for one stream, operations of others may run or not: which, is drawn from the seed for
 * each case (enum mood). So work that nothing orders before the wait is now done early, now late, now in
 * turns. What CUDA does order is kept: the operations of one stream; a blocking stream and the legacy default
 * stream, by the order of issue; events; and what the host had already waited for.
 *
 * Every operation that has run carries a vector clock (struct order): how many operations of each stream lie
 * before it. Two operations of which neither knows the other are unordered, whichever ran first. */
#include "simulator.h"
#include <stdlib.h>
#include <string.h>

enum { PER_THREAD = 1 }; /* its place among the streams; the legacy default stream has place 0 */

enum mood { OTHERS_FIRST, TARGET_FIRST, IN_TURN, AT_RANDOM, MOODS };

static struct stream streams[MAX_STREAMS];
static struct order host_knows;
static enum mood mood;
static int turn;
static uint64_t issued;
static struct operation **operations; /* all of the case, to free */
static size_t operation_count, operation_room;
static struct operation **with_blocks; /* those that have run and own block numbers, in that order */
static size_t with_blocks_count, with_blocks_room;
static uint32_t next_block = 1; /* never reset: shared memory remembers blocks beyond the case */

static void join(struct order *into, const struct order *other) {
    for (int i = 0; i < MAX_STREAMS; i++)
        if (other->done[i] > into->done[i])
            into->done[i] = other->done[i];
}

static void append(struct operation ***array, size_t *count, size_t *room, struct operation *operation) {
    if (*count == *room) {
        *room = *room ? *room * 2 : 64;
        *array = realloc(*array, *room * sizeof **array);
    }
    (*array)[(*count)++] = operation;
}

void stream_reset(void) {
    for (size_t i = 0; i < operation_count; i++) {
        struct operation *operation = operations[i];
        free(operation->staging);
        free(operation->launch);
        free(operation);
    }
    operation_count = with_blocks_count = 0;
    issued = 0;
    turn = 0;
    mood = (enum mood)(sim_random() % MOODS);
    memset(&host_knows, 0, sizeof host_knows);
    memset(streams, 0, sizeof streams);
    streams[0] =
        (struct stream){.live = true, .legacy = true, .lasting = true, .index = STREAM_INDEX_DEFAULT};
    streams[PER_THREAD] = (struct stream){
        .live = true, .blocking = true, .lasting = true, .slot = PER_THREAD, .index = STREAM_INDEX_OTHER};
}

/* The legacy default stream is 0, or cudaStreamLegacy. The default stream of the (only) thread of the host,
 * cudaStreamPerThread, is another: a blocking stream, which nobody creates or destroys. */
struct stream *stream_of(cudaStream_t handle) {
    uintptr_t value = (uintptr_t)handle;
    if (handle == cudaStreamPerThread)
        return &streams[PER_THREAD];
    if (!handle || handle == cudaStreamLegacy)
        return &streams[0];
    for (int i = 1; i < MAX_STREAMS; i++)
        if (value == (uintptr_t)&streams[i])
            return streams[i].live ? &streams[i] : NULL;
    return NULL;
}

struct stream *stream_create(bool blocking) {
    for (int i = PER_THREAD + 1; i < MAX_STREAMS; i++) {
        struct stream *stream = &streams[i];
        if (stream->live || stream->head)
            continue;
        stream->live = true;
        stream->blocking = blocking;
        stream->slot = i;
        stream->index = STREAM_INDEX_OTHER;
        return stream;
    }
    return NULL;
}

/* What is queued still runs. */
void stream_destroy(struct stream *stream) {
    stream->live = false;
}

struct operation *stream_issue(struct stream *stream, enum operation_kind kind) {
    struct operation *operation = calloc(1, sizeof *operation);
    append(&operations, &operation_count, &operation_room, operation);
    operation->kind = kind;
    operation->stream = stream;
    operation->stream_slot = stream->slot;
    operation->issued = ++issued;
    operation->host_knew = host_knows;
    operation->step = runtime_step();
    if (stream->tail)
        stream->tail->next = operation;
    else
        stream->head = operation;
    stream->tail = operation;
    return operation;
}

bool stream_idle(const struct stream *stream) {
    return !stream->head;
}

static bool can_run(const struct stream *stream) {
    const struct operation *operation = stream->head;
    if (!operation)
        return false;
    if (operation->kind == OPERATION_WAIT && operation->event->completed < operation->event_version)
        return false;
    if (stream->legacy) {
        for (int i = 1; i < MAX_STREAMS; i++)
            if (streams[i].blocking && streams[i].head && streams[i].head->issued < operation->issued)
                return false;
    } else if (stream->blocking) {
        return !streams[0].head || streams[0].head->issued > operation->issued;
    }
    return true;
}

/* What CUDA's rules put before an operation that is about to run. */
static void learn(struct operation *operation) {
    struct stream *stream = operation->stream;
    operation->before = stream->order;
    join(&operation->before, &operation->host_knew);
    if (operation->kind == OPERATION_WAIT)
        join(&operation->before, &operation->event->order);
    if (stream->legacy) {
        for (int i = 1; i < MAX_STREAMS; i++)
            if (streams[i].blocking)
                join(&operation->before, &streams[i].order);
    } else if (stream->blocking) {
        join(&operation->before, &streams[0].order);
    }
    operation->position = ++stream->position;
    operation->before.done[stream->slot] = operation->position;
    stream->order = operation->before;
}

static void carry_out(struct operation *operation) {
    switch (operation->kind) {
    case OPERATION_LAUNCH:
        launch_execute(operation);
        break;
    case OPERATION_COPY:
        copy_execute(operation);
        break;
    case OPERATION_FILL:
        fill_execute(operation);
        break;
    case OPERATION_ALLOCATE:
        allocate_execute(operation);
        break;
    case OPERATION_FREE:
        free_execute(operation);
        break;
    case OPERATION_RECORD:
        operation->event->completed = operation->event_version;
        operation->event->order = operation->before;
        break;
    case OPERATION_WAIT:
        break;
    case OPERATION_HOST:
        operation->host(operation->host_argument);
        break;
    }
}

/* Runs the first operation of a stream. In a broken context nothing runs any more, but events complete. */
static void run_first(struct stream *stream) {
    struct operation *operation = stream->head;
    learn(operation);
    if (error_sticky() == cudaSuccess || operation->kind == OPERATION_RECORD)
        carry_out(operation);
    operation->done = true;
    stream->head = operation->next;
    if (!stream->head)
        stream->tail = NULL;
}

/* Picks the stream that moves on while the host waits for target (NULL: for all). */
static struct stream *choose(struct stream *target) {
    struct stream *able[MAX_STREAMS];
    int count = 0;
    for (int i = 0; i < MAX_STREAMS; i++)
        if (can_run(&streams[i]))
            able[count++] = &streams[i];
    if (!count)
        return NULL;
    switch (mood) {
    case OTHERS_FIRST:
        for (int i = 0; i < count; i++)
            if (able[i] != target)
                return able[i];
        return able[0];
    case TARGET_FIRST:
        for (int i = 0; i < count; i++)
            if (able[i] == target)
                return able[i];
        return able[count - 1];
    case IN_TURN:
        return able[turn++ % count];
    default:
        return able[sim_random() % (uint64_t)count];
    }
}

void stream_wait(struct stream *stream) {
    while (stream->head) {
        struct stream *next = choose(stream);
        if (!next)
            return;
        run_first(next);
    }
    join(&host_knows, &stream->order);
}

void stream_wait_all(void) {
    struct stream *next;
    while ((next = choose(NULL)))
        run_first(next);
    for (int i = 0; i < MAX_STREAMS; i++)
        join(&host_knows, &streams[i].order);
}

void stream_wait_event(struct event *event) {
    while (event->completed < event->version) {
        struct stream *next = choose(event->stream);
        if (!next)
            return;
        run_first(next);
    }
    join(&host_knows, &event->order);
}

bool operation_before(const struct operation *first, const struct operation *second) {
    return second->before.done[first->stream_slot] >= first->position;
}

void operation_take_blocks(struct operation *operation, uint32_t blocks) {
    operation->first_block = next_block;
    next_block += blocks;
    append(&with_blocks, &with_blocks_count, &with_blocks_room, operation);
}

struct operation *operation_of_block(uint32_t block) {
    size_t low = 0, high = with_blocks_count;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (with_blocks[middle]->first_block <= block)
            low = middle;
        else
            high = middle;
    }
    return with_blocks[low];
}
