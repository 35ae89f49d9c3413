/* The records of a runner, down to what a check makes of them. The first byte picks a check of any exercise.
 * Each of its cases is answered as a runner would, every call with 0, every buffer with zeros; the bytes that
 * follow are edits of this answer: records that are added, changed, cut or left out, and wrong seals. The
 * greeting is read from the first of them where the second byte says so. */
#include "base/memory.h"
#include "check/context.h"
#include "check/source_lines.h"
#include "fuzz.h"
#include "link/exchange.h"
#include "link/runner_process.h"
#include <check.h>
#include <fcntl.h>
#include <setjmp.h>
#include <sys/socket.h>

enum { MOST_RECORDS = 256, MOST_BYTES = 1 << 17, EDITS_OF_A_CASE = 12 };

/* ---- the input ---- */

static struct {
    const uint8_t *bytes;
    size_t size;
} input;

static uint64_t take(size_t bytes) {
    uint64_t value = 0;
    for (size_t i = 0; i < bytes && input.size > 0; i++) {
        value |= (uint64_t)*input.bytes++ << 8 * i;
        input.size--;
    }
    return value;
}

/* ---- an answer ---- */

struct sent_record {
    struct record_header header; /* .bytes may lie */
    char *payload;
    size_t payload_bytes;
    bool wrong_seal;
};

static struct sent_record records[MOST_RECORDS];
static size_t record_count;

static void add_record(uint32_t type, size_t bytes) {
    if (record_count < MOST_RECORDS)
        records[record_count++] = (struct sent_record){
            .header = {type, (uint32_t)bytes, 0}, .payload = get_memory(bytes), .payload_bytes = bytes};
}

static size_t usual_bytes(uint32_t type) {
    static const size_t bytes[] = {
        [RECORD_READY] = sizeof(struct ready),     [RECORD_LOAD_ERROR] = 16,
        [RECORD_RETURN] = sizeof(struct returned), [RECORD_KERNEL] = sizeof(struct kernel_trace),
        [RECORD_TRAFFIC] = sizeof(struct traffic), [RECORD_ALLOCATION] = sizeof(struct allocation_trace),
        [RECORD_WAIT] = sizeof(struct wait_trace), [RECORD_FINDING] = sizeof(struct finding),
        [RECORD_BUFFER] = sizeof(uint64_t) + 16,   [RECORD_DONE] = 0,
        [RECORD_SITE] = sizeof(struct site_trace), [RECORD_TOUCHES] = sizeof(struct touches),
    };
    return type < sizeof bytes / sizeof *bytes ? bytes[type] : 8;
}

static void edit(void) {
    const uint8_t what = (uint8_t)take(1);
    if (what % 8 == 0) {
        const uint32_t type = (uint32_t)take(1) % (RECORD_TOUCHES + 2);
        add_record(type, usual_bytes(type));
        if (record_count > 1) { /* before the one that was last */
            const struct sent_record added = records[record_count - 1];
            records[record_count - 1] = records[record_count - 2];
            records[record_count - 2] = added;
        }
        return;
    }
    if (record_count == 0)
        return;
    struct sent_record *record = &records[take(1) % record_count];
    const size_t place = take(2), width = (size_t)1 << what / 8 % 4;
    uint64_t value = 0;
    switch (what % 8) {
    case 1:
        record->wrong_seal = true;
        break;
    case 2:
        record->header.bytes = (uint32_t)take(4);
        break;
    case 3:
        record->header.type = (uint32_t)take(1);
        break;
    case 4:
        record->payload_bytes = place % (record->payload_bytes + 1);
        record->header.bytes = what & 128 ? record->header.bytes : (uint32_t)record->payload_bytes;
        break;
    default:
        value = take(width);
        if (record->payload_bytes >= width)
            memcpy(record->payload + place % (record->payload_bytes - width + 1), &value, width);
    }
}

static void send_records(int socket, const struct seal_key *key) {
    struct list bytes = {.item_bytes = 1};
    for (size_t i = 0; i < record_count; i++) {
        struct sent_record *record = &records[i];
        record->header.seal = record->wrong_seal + seal_of(key, i, record->header.type, record->payload,
                                                           record->payload_bytes, NULL, 0);
        list_add(&bytes, &record->header, sizeof record->header);
        list_add(&bytes, record->payload, record->payload_bytes);
        free(record->payload);
    }
    record_count = 0;
    if (bytes.count > 0)
        (void)!send(socket, bytes.items, bytes.count, MSG_DONTWAIT | MSG_NOSIGNAL);
    shutdown(socket, SHUT_WR);
    free(bytes.items);
}

/* ---- a runner in place of runner_process.c's: its end of the socket is held here ---- */

static int far_end = -1;
static bool greets;

static void connect_runner(struct runner *runner) {
    const int room = MOST_BYTES;
    int ends[2];
    must(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
    setsockopt(ends[1], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    runner->socket = ends[0];
    far_end = ends[1];
}

static void disconnect_runner(struct runner *runner) {
    if (far_end >= 0) {
        close(runner->socket);
        close(far_end);
        far_end = -1;
    }
}

char *runner_start(struct runner *runner) {
    connect_runner(runner);
    add_record(RECORD_READY, sizeof(struct ready));
    for (int i = 0; i < EDITS_OF_A_CASE && input.size > 0; i++)
        edit();
    send_records(far_end, &(struct seal_key){0});
    return NULL;
}

bool runner_alive(struct runner *runner) {
    (void)runner;
    const bool alive = !greets;
    greets = false;
    return alive;
}

void runner_finish(struct runner *runner, double seconds) {
    (void)seconds;
    runner->wait_status = (int)(take(2) & 0xff7f);
}

void runner_stop(struct runner *runner) {
    (void)runner;
}

double runner_processor_seconds(const struct runner *runner) {
    (void)runner;
    return 0;
}

/* So that the exchange waits for nothing once the socket is empty. */
bool runner_has_ended(const struct runner *runner) {
    (void)runner;
    return true;
}

void runner_drain(struct runner *runner) {
    (void)runner;
}

void runner_dismiss(struct runner *runner) {
    (void)runner;
}

void runner_forget_printed(struct runner *runner) {
    runner->printed[0] = '\0';
}

char *describe_end(int wait_status) {
    return format_text("status %d", wait_status);
}

/* ---- the exchange of a case: the linker has outcome.c call this in place of exchange() ---- */

enum exchange_end __wrap_exchange(struct runner *runner, const void *message, size_t bytes, double seconds,
                                  const struct record_reader *reader);
enum exchange_end __real_exchange(struct runner *runner, const void *message, size_t bytes, double seconds,
                                  const struct record_reader *reader);

/* The answer to a case that names no step and no buffer which is not there. */
static void answer_well(const char *message, const struct case_header *header) {
    const char *at = message + sizeof *header;
    struct buffer_spec returned[CASE_MAX_BUFFERS];
    for (uint32_t i = 0; i < header->buffers; i++) {
        memcpy(&returned[i], at, sizeof *returned);
        at += sizeof *returned + returned[i].content_bytes;
    }
    at += header->streams * sizeof(struct stream_spec);
    for (uint32_t i = 0; i < header->steps; i++) {
        struct step step;
        memcpy(&step, at + i * sizeof step, sizeof step);
        if (step.kind != STEP_CALL)
            continue;
        add_record(RECORD_RETURN, sizeof(struct returned));
        ((struct returned *)(void *)records[record_count - 1].payload)->step = (int32_t)i;
    }
    add_record(RECORD_KERNEL, sizeof(struct kernel_trace));
    for (uint64_t i = 0; i < header->buffers; i++) {
        add_record(RECORD_TRAFFIC, sizeof(struct traffic));
        struct traffic *traffic = (void *)records[record_count - 1].payload;
        traffic->buffer = (int32_t)i;
        traffic->bytes_read = traffic->bytes_written = returned[i].bytes;
        if (!(returned[i].flags & BUFFER_RETURN) || returned[i].bytes > MOST_BYTES)
            continue;
        add_record(RECORD_BUFFER, sizeof i + returned[i].bytes);
        memcpy(records[record_count - 1].payload, &i, sizeof i);
    }
    add_record(RECORD_DONE, 0);
}

enum exchange_end __wrap_exchange(struct runner *runner, const void *message, size_t bytes, double seconds,
                                  const struct record_reader *reader) {
    struct case_header header;
    disconnect_runner(runner);
    connect_runner(runner);
    memcpy(&header, message, sizeof header);
    answer_well(message, &header);
    for (int i = 0; i < EDITS_OF_A_CASE && input.size > 0; i++)
        edit();
    send_records(far_end, &header.key);
    return __real_exchange(runner, message, bytes, seconds, reader);
}

/* ---- places in the source: without addr2line, which has a harness of its own ---- */

const struct source_line *symbols_find(struct symbols *symbols, uint64_t pc) {
    static const struct source_line known = {"exercises/x.cu:41", "y[i] = x[i];", "exercises/x.cu:90"},
                                    unknown = {"", "", ""};
    (void)symbols;
    return pc ? &known : &unknown;
}

char *symbols_quote(const char *folder, const char *name, int line) {
    (void)folder, (void)name, (void)line;
    return copy_text("");
}

/* ---- */

/* The check with this number, of those that take no more than a moment. */
static const struct check *pick(size_t number, const struct suite **suite) {
    size_t count = 0;
    for (int counted = 0; counted < 2; counted++) {
        size_t i = 0;
        for (size_t s = 0; all_suites[s]; s++)
            for (size_t k = 0; k < all_suites[s]->check_count; k++) {
                const struct check *check = &all_suites[s]->checks[k];
                if (check->cost > 0)
                    continue;
                if (counted && i == number % count) {
                    *suite = all_suites[s];
                    return check;
                }
                i++;
            }
        count = i;
    }
    return NULL;
}

/* In place of libcheck's, whose handler of SIGALRM would kill libFuzzer with all its group: leaves the check. */
static jmp_buf after_check;

void _ck_assert_failed(const char *file, int line, const char *expr, const char *msg, ...) {
    (void)file, (void)line, (void)expr, (void)msg;
    longjmp(after_check, 1);
}

void _mark_point(const char *file, int line) {
    (void)file, (void)line;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct runner runner;
    static struct session session;
    static struct context context;
    input.bytes = data;
    input.size = size;
    session = (struct session){.implementation = "exercise",
                               .source = "exercises/x",
                               .seed = 1,
                               .patience = 1,
                               .ready = {.runtime = RUNTIME_SIMULATOR, .device = "none"}};
    const struct check *check = pick(take(1), &session.suite);
    greets = take(1) % 8 == 7;
    runner.program = runner.submission = "";
    context_begin(&context, &session, check, &runner, NULL);
    if (setjmp(after_check) == 0)
        check->run(&context);
    must(context.found && context.where && context.means && context.notes);
    must(strlen(context.found) + strlen(context.where) + strlen(context.notes) < 1 << 20);
    context_end(&context);
    disconnect_runner(&runner);
    return 0;
}
