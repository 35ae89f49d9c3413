/* The simulator's core: what each module offers to the others.
 *
 *   runtime.c    the runner's side: cases, names, the end-of-case report
 *   api_*.c      CUDA runtime calls, as the submission sees them
 *   launch.c     a launch is checked and queued
 *   sample.c     which blocks of it are run, where a check asks for a sample
 *   host_work.c  rules for the CPU: its copies and accesses during a call
 *   copy.c       copies, fills, stream-ordered allocation and freeing
 *   handles.c    streams and events that calls leave behind
 *   stream.c     queues of deferred operations, the order they run in, what is ordered before what
 *   block.c      one block at a time: its threads, its barrier
 *   warp.c       operations that the lanes of a warp do together
 *   fiber.c      stacks, and the switch from one thread to another
 *   access.c     every load and store of the submission arrives here
 *   global.c     rules for device memory: bounds, initialised bytes, traffic
 *   shared.c     rules for shared memory
 *   variable.c   rules for the submission's own __device__ and __constant__ variables
 *   race.c       rules for two accesses that nothing orders; fence_order.c: what fences and atomics order
 *   requests.c   sectors, bank conflicts and lanes of a warp's accesses
 *   watch.c      the same for each instruction, and every access, where a case asks for it
 *   memory.c     device allocations
 *   registration.c  the interface to the host side: kernels, variables, launches
 *   names.c      names as the source has them
 *   finding.c    from a broken rule to a record
 *   not_a_number.c  exponentials whose NaN is a GPU's
 *
 * One case runs at a time, on one operating-system thread; the state of the case is here, in `sim`. */
#ifndef SIMULATOR_H
#define SIMULATOR_H

#define SIM_CORE

#include "link/protocol.h"
#include "link/runtime.h"
#include "sim/device.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WARP_LANES = 32,
    BLOCK_MAX_THREADS = 1024,
    BLOCK_MAX_WARPS = 32,
    SHARED_DEFAULT_BYTES = 48 * 1024,
    SHARED_MAX_BYTES = 227 * 1024,
    MAX_STREAMS = 64
};

/* ---- random.c: choices that CUDA leaves open are drawn here ---- */

void sim_random_seed(uint64_t seed);
uint64_t sim_random(void);

/* ---- memory.c ---- */

enum region_state {
    REGION_PENDING, /* stream-ordered: the stream has not come to the allocation yet */
    REGION_LIVE,
    REGION_FREED
};

enum region_kind { REGION_DEVICE, REGION_MANAGED, REGION_VARIABLE, REGION_CONSTANT };

/* For each stream, how many of its operations are known to have run before. */
struct order {
    uint32_t done[MAX_STREAMS];
};

/* Who last wrote, and last read, one aligned word of 4 bytes. block counts all blocks of the case, from 1;
 * 0: no one. clock is the warp's clock at the access. What it means: race.c. */
struct mark {
    uint32_t block;
    uint32_t pc; /* offset into device.so */
    uint16_t clock;
    uint16_t thread : 10, bytes : 4;
    uint16_t atomic : 1;  /* of a reader: other blocks have read it too */
    uint16_t many : 1;    /* of a reader: other threads have read it too, at the same clock */
    uint32_t fences : 31; /* that there had been in the launch (fence_order.c) */
    uint32_t strong : 1;  /* of a reader: atomic or volatile */
};

struct cell {
    struct mark writer, reader;
    uint32_t other_pc, other_thread; /* of a reader that is one of many: the other that came last */
};

/* A stretch of memory with one name: an allocation or a variable of the submission. */
struct region {
    uintptr_t start;
    size_t bytes;
    enum region_kind kind;
    enum region_state state;
    bool read_only;
    bool ordered; /* cudaMallocAsync */
    bool by_submission;
    bool of_heap; /* malloc in a kernel */
    int buffer;   /* index in the case, or -1 */
    char name[64];
    unsigned char *initialised;    /* one byte for each byte of memory */
    struct cell *cells;            /* one for each word */
    struct operation *born, *died; /* where streams allocated and freed it, or NULL */
    struct order used;             /* what has touched it */
    int trace;                     /* index into the case's allocation traces, or -1 */
    /* traffic of the launch that is running */
    uint64_t touched_by; /* the launch's number */
    uint64_t bytes_read, bytes_written, bytes_atomic;
    uint32_t reading, writing;            /* the block that read and wrote it last */
    uint32_t blocks_read, blocks_written; /* how many have */
    uint64_t writing_bytes, most_written; /* by the block that is running; by any one */
};

/* Device memory is one range of addresses with gaps between the allocations. */
void memory_open(void);
void memory_reset(void);
struct region *memory_allocate(size_t bytes, enum region_kind kind);
void memory_renew(struct region *region);   /* a released one lives again, at the same address */
void memory_release(struct region *region); /* its contents; the region is remembered until the case ends */
struct region *memory_find(uintptr_t address);    /* the region that holds the address, or NULL */
struct region *memory_nearest(uintptr_t address); /* in device memory: the closest region, or NULL */
bool memory_is_device(uintptr_t address);
bool memory_is_of_earlier_case(uintptr_t address); /* of no region now; it was one's, or a gap */
size_t memory_in_use(void);
size_t memory_region_count(void);
struct region *memory_region(size_t index);
void memory_touch(struct region *region, uintptr_t address, size_t bytes); /* bytes now hold values */

extern uintptr_t memory_base; /* start of the range */
#define MEMORY_RANGE_BYTES ((size_t)64 << 30)

/* ---- names.c: names as the source has them ---- */

void symbol_function_name(const char *symbol, char *name, size_t bytes);
void symbol_variable_name(const char *symbol, char name[64]);

/* ---- registration.c: what the host side says of its kernels and variables ---- */

struct sim_kernel;
/* A kernel, by the address that the host side has for it. */
struct kernel_record {
    const void *stub;
    const char *name; /* mangled; NULL: not registered yet */
    char plain_name[KERNEL_NAME_BYTES];
    const struct sim_kernel *kernel; /* NULL: not known yet */
    size_t allowed_shared;           /* dynamic, by cudaFuncSetAttribute; 0: it was not asked */
};

/* Names that last as long as the process. */
void kernel_register(const void *stub, const char *name);
void variable_register(uintptr_t shadow, size_t bytes, const char *name);

struct kernel_record *kernel_find(const void *stub); /* NULL: no kernel */
/* The variable of the device whose shadow on the host holds the address, or NULL. */
struct region *variable_of_shadow(const void *address);

/* ---- stream.c ---- */

enum operation_kind {
    OPERATION_LAUNCH,
    OPERATION_COPY,
    OPERATION_FILL,
    OPERATION_ALLOCATE,
    OPERATION_FREE,
    OPERATION_RECORD,
    OPERATION_WAIT,
    OPERATION_HOST
};

struct launch {
    unsigned grid[3], block[3];
    size_t dynamic_shared;
    char name[KERNEL_NAME_BYTES];
    const struct sim_kernel *kernel;
    void **arguments; /* pointers to copies of them */
    int step;
    int number; /* among the traced kernels of the case, or -1 */
    struct kernel_trace trace;
};

struct operation {
    enum operation_kind kind;
    struct stream *stream;
    struct operation *next; /* in its stream's queue */
    uint64_t issued;        /* position among all operations of the case */
    struct order host_knew; /* what the host had waited for when it issued this */
    struct order before;    /* filled in when it runs: everything ordered before it, itself included */
    int stream_slot;        /* index into order.done */
    uint32_t position;      /* its number in its stream */
    int step;               /* STEP_CALL it was issued in, or -1 */
    uint32_t first_block;   /* its blocks' numbers begin here */
    bool done;
    struct launch *launch;
    uintptr_t destination, source; /* copy, fill */
    size_t rows, width, destination_pitch, source_pitch;
    int value;
    const void *pc; /* of the call that asked for the copy or fill */
    void *staging;  /* host bytes copied when the call was made */
    struct region *region;
    struct event *event;
    uint64_t event_version;
    void (*host)(void *);
    void *host_argument;
};

/* How often one call has asked whether a stream is idle, or an event has happened, and it was not. */
struct questions {
    int step;
    unsigned asked;
};

struct stream {
    bool live, blocking, legacy;
    bool lasting; /* a default stream: there before anybody creates it */
    int maker;    /* handle_made */
    struct questions questions;
    int slot, index; /* in order.done; in the case, or an enum stream_index */
    struct operation *head, *tail;
    struct order order; /* what has run before the next operation here */
    uint32_t position;
};

struct event {
    bool live, timing;
    uint64_t version;   /* counts the records asked for */
    uint64_t completed; /* the last of them that has run */
    struct order order;
    struct stream *stream;
    struct questions questions; /* since it was recorded */
    int maker;                  /* handle_made */
};

void stream_reset(void);
struct stream *stream_of(cudaStream_t stream); /* NULL: no such stream */
struct stream *stream_create(bool blocking);   /* NULL: too many */
void stream_destroy(struct stream *stream);
struct operation *stream_issue(struct stream *stream, enum operation_kind kind);
bool stream_idle(const struct stream *stream);
void stream_wait(struct stream *stream);
void stream_wait_all(void);
void stream_wait_event(struct event *event);
bool operation_before(const struct operation *first, const struct operation *second);
struct operation *operation_of_block(uint32_t block); /* whose blocks hold this number */
void operation_take_blocks(struct operation *operation, uint32_t blocks);

/* ---- handles.c ---- */

/* A stream or an event has been made, by this call of the runtime. Returns its maker, to give to
 * handle_destroyed, or -1 where nobody counts. */
int handle_made(const char *call, const void *pc);
void handle_destroyed(int maker);
void handles_case_begin(void);
void handles_call_end(void);
void handles_report(void);

/* ---- copy.c: copies, fills, allocations and frees, when their stream comes to them ---- */

void copy_execute(struct operation *operation);
void fill_execute(struct operation *operation);
void allocate_execute(struct operation *operation);
void free_execute(struct operation *operation);

/* ---- launch.c, block.c, warp.c, fiber.c ---- */

/* Checks a launch and queues it. record: NULL for what is no kernel. pc: where the host asked for it. */
cudaError_t launch_request(const struct kernel_record *record, const cudaLaunchConfig_t *wanted,
                           void **arguments, const void *pc);
size_t launch_allowed_shared(const struct kernel_record *record);
void launch_execute(struct operation *operation);

/* ---- sample.c: launches of which not every block is run ---- */

void sample_reset(void);
bool sample_takes(uint64_t block, uint64_t blocks); /* is this one of so many blocks run? */
void sample_launch_ends(uint64_t left_out);         /* what so many blocks would have written is unknown */

typedef void *fiber_context;

struct thread {
    fiber_context context; /* where it is suspended */
    int stack;             /* number of its stack */
    unsigned x, y, z;
    const void *pc; /* where it waits: return address in the submission */
    uint64_t bits;  /* operand, then result, of a warp operation */
    int argument;   /* lane that a shuffle reads, or predicate */
};

/* An operation that lanes of a warp do together: those in mask that have not returned must all come. */
struct warp_operation {
    int kind; /* enum warp_kind of warp.c; 0: unused */
    uint32_t mask, arrived;
};

struct warp {
    uint32_t lanes; /* that exist */
    uint32_t unstarted, ready, at_barrier, exited;
    uint32_t converging; /* at __activemask, until the other lanes have gone as far as they can */
    uint32_t clock;      /* counts barriers and warp barriers */
    struct warp_operation operations[WARP_LANES];
    int pending; /* operations in use, at the beginning of the array */
};

struct block {
    struct operation *operation;
    struct launch *launch;
    uint32_t number; /* counts blocks of the case, from 1 */
    unsigned index[3];
    unsigned threads, warps;
    uint32_t runnable;        /* warps with a lane to run */
    unsigned arrived, exited; /* at the barrier; returned */
    uint32_t barrier_clock;   /* accesses of an earlier clock lie before the last barrier */
    uint64_t barriers;
    int barrier_kind;
    const void *barrier_pc;
    unsigned barrier_thread;
    int barrier_sum;
    bool descending; /* order in which lanes are taken */
    uint64_t spins;  /* atomic and volatile accesses since something moved */
    bool aborted;
    unsigned first_warp;
    struct warp warp[BLOCK_MAX_WARPS];
    struct thread thread[BLOCK_MAX_THREADS];
};

extern struct block sim_block;
extern struct thread *sim_current; /* NULL: host code is running */

void block_open(void);
void block_prepare(struct operation *operation); /* a launch begins: its threads' indices */
bool block_run(const unsigned index[3]);         /* false: aborted */
unsigned block_thread_number(const struct thread *thread);
struct warp *block_warp(const struct thread *thread);
void block_ready(struct warp *warp, uint32_t lanes); /* these suspended lanes may run again */
void block_wait(const void *pc);                     /* suspends the current thread until it is made ready */
void block_abort(void) __attribute__((noreturn));    /* ends the launch, from inside a thread */
void block_spin(const void *pc);          /* an atomic or volatile access: others may be waited for */
void warp_thread_left(struct warp *warp); /* a lane has returned */
void warp_converge(struct warp *warp);    /* lets the lanes at one __activemask go on */
bool warp_report_stuck(void);             /* names an operation whose lanes never came together */

void fiber_open(void (*body)(void)); /* what every new fiber runs; it must not return */
int fiber_take(void);
void fiber_give(int stack);
void fiber_give_all(void);
fiber_context fiber_make(int stack);
void fiber_switch(fiber_context *from, fiber_context to);
bool fiber_holds(uintptr_t address, size_t bytes); /* local variables of the running thread */
bool fiber_is_stack(uintptr_t address); /* of any thread, and what the compiler keeps beside them */
bool fiber_has_room(void);              /* for the local variables of the running function */

/* ---- access.c, global.c, shared.c, race.c ---- */

enum access_kind { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

struct access {
    uintptr_t address;
    size_t bytes;
    enum access_kind kind;
    bool strong; /* atomic, or volatile: it meets others of its kind without a race */
    const void *pc;
};

void access_memory(const struct access *access);
bool access_by_host(const struct access *access); /* false: it is one that the host cannot make */
void global_access(const struct access *access);
void region_access(struct region *region, const struct access *access);
bool region_contains(const struct region *region, const struct access *access);
void shared_open(void); /* reads the submission's shared variables */
bool shared_holds(uintptr_t address);
void shared_access(const struct access *access);
/* The cells of the array that holds the address, and where in it; NULL: not used in this block, or none. */
struct cell *shared_cells(uintptr_t address, size_t *offset);
void variable_open(void); /* reads the submission's __device__ and __constant__ variables */
void variable_reset(void);
bool variable_access(const struct access *access); /* false: not a variable of the submission */
struct region *variable_find(uintptr_t address);
struct region *variable_named(const char *name); /* mangled; NULL: none */
size_t variable_number(void);
struct region *variable_at(size_t index);
void race_check(struct cell *cells, size_t offset, const struct access *access, const char *name,
                size_t holder_bytes);
/* The same for a copy or fill, which is one operation: its source or its destination. */
void race_check_range(struct region *region, uintptr_t start, size_t bytes, bool write);
/* The running thread goes on, or another: the store that was seen last has been carried out. */
void race_settle(void);
void race_note_load(const struct access *access);
void race_begin_atomic(uintptr_t address);                /* the load just before it was a first look */
void race_forget_load(struct cell *cells, size_t offset); /* and is part of the atomic operation */
void race_launch_ends(void);

/* What a warp asks for at once (requests.c). */
void request_note(const struct access *access, bool shared);
void request_block_ends(void);

/* The CPU at work where kernels should be (host_work.c): copies, functions and accesses of a call. */
void host_work_copy(uintptr_t to, uintptr_t from, size_t bytes, bool to_device, bool from_device,
                    const void *pc);
void host_work_function(const void *pc);
void host_work_managed(const struct region *region, const struct access *access);

/* ---- finding.c ---- */

/* Starts a finding of this kind at the running thread, or at host code. */
struct finding finding_new(enum finding_kind kind, const void *pc);
void finding_text(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
void finding_thread(struct place_in_code *place, unsigned thread, const unsigned block[3], const void *pc);
bool finding_send(const struct finding *finding); /* false: the same was said before */
void finding_reset(void);
unsigned finding_faults(void);

/* ---- error.c ---- */

cudaError_t error_set(cudaError_t error); /* remembers it for cudaGetLastError; returns it */
void error_stick(cudaError_t error);      /* the context is broken from here on */
cudaError_t error_sticky(void);
void error_reset(void);
bool error_unchecked(void);     /* a launch failed and no one has asked since */
void error_launch_failed(void); /* by a launch that returns nothing */

/* ---- runtime.c, trace.c ---- */

void trace_reset(void);
void trace_send(void);
void heap_reset(void);                         /* api_memory.c */
bool host_memory_is_pinned(uintptr_t address); /* api_memory.c */

struct submission {
    void *handle;
    uintptr_t base, end;
    const char *path;
    const struct sim_image *image;
};
extern struct submission sim_submission;

int runtime_step(void); /* the STEP_CALL in progress, or -1 */
bool runtime_in_call(void);
void runtime_record(uint32_t type, const void *payload, size_t bytes);
bool runtime_should_fail(int kind);
void runtime_trace_launch(struct launch *launch, const struct stream *stream);
void runtime_trace_traffic(struct launch *launch); /* it has run: what it moved to and from each region */
int runtime_trace_allocation(size_t bytes, bool ordered, bool failed, const struct stream *stream);
void runtime_trace_free(int trace, bool waits, const struct stream *stream);
void runtime_trace_wait(const char *call, const char *reason, const void *pc);
uint64_t runtime_pc(const void *pc); /* as in a place_in_code, or 0 */
/* The place in host code that a call of the runtime comes from, as runtime_pc takes it: the host process's word for it
 * while one of its calls is served (serve.c), or else where the function that asks returns to. */
const void *calling_place(const void *returns_to);
void calling_place_is(const void *pc);  /* NULL: nobody's call is being served */
#define HOST_PLACE ((uintptr_t)1 << 63) /* and an offset into submission.so */

#endif
