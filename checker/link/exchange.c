/* One poll loop: send the case, take records, drain what is printed, mind the deadline. The runner may be
 * killed, may hang, and may write nonsense; none of it can block or break the checker. */
#include "link/exchange.h"
#include "base/clock.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>

/* What a program prints in one case; a line of each of a million threads is less. */
enum { MOST_PRINTED_BYTES = 64 << 20 };

/* What has arrived and is not a whole record yet. */
struct inbox {
    struct list bytes;
    uint64_t records;
    bool last, damaged, forged;
};

static void take_records(struct inbox *inbox, const struct record_reader *reader) {
    size_t start = 0;
    const char *bytes = inbox->bytes.items;
    struct record_header header;
    while (!inbox->damaged && inbox->bytes.count - start >= sizeof header) {
        memcpy(&header, bytes + start, sizeof header);
        if (inbox->last || !reader->expected(reader->state, &header)) {
            inbox->damaged = true;
            break;
        }
        if (inbox->bytes.count - start - sizeof header < header.bytes)
            break;
        const char *payload = bytes + start + sizeof header;
        if (header.seal !=
            seal_of(&reader->key, inbox->records++, header.type, payload, header.bytes, NULL, 0)) {
            inbox->damaged = inbox->forged = true;
            break;
        }
        const enum taken taken = reader->take(reader->state, header.type, payload, header.bytes);
        inbox->damaged = taken == TAKEN_DAMAGED;
        inbox->last = taken == TAKEN_LAST;
        start += sizeof header + header.bytes;
    }
    if (start > 0) {
        memmove(inbox->bytes.items, bytes + start, inbox->bytes.count - start);
        inbox->bytes.count -= start;
    }
}

/* Returns false at the end of the stream. */
static bool receive(struct runner *runner, struct inbox *inbox, const struct record_reader *reader) {
    static char bytes[1 << 16];
    const ssize_t count = recv(runner->socket, bytes, sizeof bytes, 0);
    if (count > 0) {
        list_add(&inbox->bytes, bytes, (size_t)count);
        take_records(inbox, reader);
    }
    return count > 0 || (count < 0 && (errno == EAGAIN || errno == EINTR));
}

/* When an exchange began, by both clocks. */
struct beginning {
    double clock, processor;
};

static bool is_late(const struct runner *runner, const struct beginning *beginning, double seconds) {
    const double passed = clock_seconds() - beginning->clock;
    const double used = runner_processor_seconds(runner) - beginning->processor;
    return used > seconds || (passed > seconds && used < passed / 20) || passed > 20 * seconds;
}

enum exchange_end exchange(struct runner *runner, const void *message, size_t bytes, double seconds,
                           const struct record_reader *reader) {
    struct inbox inbox = {.bytes = {.item_bytes = 1}};
    const uint64_t printed_before = runner->printed_in_all;
    const struct beginning beginning = {clock_seconds(), runner_processor_seconds(runner)};
    size_t sent = 0;
    bool open = true, printing = true;
    enum exchange_end end = EXCHANGE_DONE;
    while (open && !inbox.last && !inbox.damaged) {
        if (is_late(runner, &beginning, seconds)) {
            end = EXCHANGE_LATE;
            break;
        }
        if (runner->printed_in_all - printed_before > MOST_PRINTED_BYTES) {
            end = EXCHANGE_FLOODED;
            break;
        }
        struct pollfd watched[2] = {
            {.fd = runner->socket, .events = (short)(POLLIN | (sent < bytes ? POLLOUT : 0))},
            {.fd = printing ? runner->output : -1, .events = POLLIN},
        };
        /* A process that it left behind may keep the socket open: silence does not mean that it lives. */
        const bool ended = runner_has_ended(runner);
        if (poll(watched, 2, ended ? 0 : 20) == 0 && ended)
            break;
        if (watched[1].revents) {
            runner_drain(runner);
            /* Once it closes what it prints to, polling it would spin. */
            printing = !(watched[1].revents & POLLHUP);
        }
        if (watched[0].revents & POLLOUT) {
            const ssize_t count =
                send(runner->socket, (const char *)message + sent, bytes - sent, MSG_NOSIGNAL);
            sent += count > 0 ? (size_t)count : 0;
        }
        if (watched[0].revents & (POLLIN | POLLHUP | POLLERR))
            open = receive(runner, &inbox, reader);
    }
    if (inbox.damaged)
        end = inbox.forged ? EXCHANGE_FORGED : EXCHANGE_DAMAGED;
    else if (!inbox.last && end == EXCHANGE_DONE)
        end = EXCHANGE_ENDED;
    free(inbox.bytes.items);
    if (end == EXCHANGE_ENDED)
        runner_finish(runner, runner->tool ? 60.0 : 1.0); /* it closed its socket: it is ending, or should */
    else if (end != EXCHANGE_DONE)
        runner_stop(runner);
    else
        runner_drain(runner);
    return end;
}

/* ---- the first record ---- */

struct greeting {
    bool ready;
    struct ready what;
    char *error;
};

static bool greeting_expected(void *state, const struct record_header *header) {
    (void)state;
    return header->type == RECORD_READY ? header->bytes == sizeof(struct ready)
                                        : header->type == RECORD_LOAD_ERROR && header->bytes <= 8192;
}

static enum taken greeting_take(void *state, uint32_t type, const void *payload, uint32_t bytes) {
    struct greeting *greeting = state;
    if (type == RECORD_READY) {
        memcpy(&greeting->what, payload, bytes);
        greeting->what.device[TEXT_BYTES - 1] = '\0';
        make_one_line(greeting->what.device);
        greeting->ready = true;
    } else {
        greeting->error = format_text("%.*s", (int)bytes, (const char *)payload);
        make_one_line(greeting->error);
    }
    return TAKEN_LAST;
}

bool runner_ready(struct runner *runner, double seconds, struct ready *ready, enum exchange_end *end,
                  char **reason) {
    *end = EXCHANGE_DONE;
    if (runner_alive(runner))
        return true;
    *reason = runner_start(runner);
    if (*reason != NULL)
        return false;
    struct greeting greeting = {0};
    *end = exchange(
        runner, NULL, 0, seconds,
        &(struct record_reader){.state = &greeting, .expected = greeting_expected, .take = greeting_take});
    if (greeting.ready) {
        *ready = greeting.what;
        return true;
    }
    runner_finish(runner, 0.1);
    if (*end == EXCHANGE_DONE)
        *reason = format_text("Your program could not be loaded: %s", greeting.error);
    else if (*end == EXCHANGE_LATE || *end == EXCHANGE_FLOODED)
        *reason = format_text("Your program was still being loaded after %.0f seconds; something in it runs "
                              "before any of its functions is called.",
                              seconds);
    else if (*end == EXCHANGE_DAMAGED || *end == EXCHANGE_FORGED)
        *reason = copy_text("Your program wrote to the runner's socket while it was being loaded.");
    else {
        char *how = describe_end(runner->wait_status);
        *reason =
            format_text("Your program ended while it was being loaded: %s. Something in it runs before any "
                        "of its functions is called.",
                        how);
        free(how);
    }
    free(greeting.error);
    return false;
}
