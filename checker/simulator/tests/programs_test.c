/* Small CUDA programs in the simulator (the folder programs): each detector has one with the fault and a twin
 * without.
 *
 * Every program runs with twenty seeds. It must return 0 (its numbers came out right), and the findings must
 * be the one kind that the table names, or none at all: whether a fault is found may not depend on the order
 * in which threads and streams happened to run. */
#include "programs.h"
#include <check.h>
#include <stdbool.h>

enum { NONE = -1, SEEDS = 20 };

struct expectation {
    const char *program;
    int fault;   /* enum finding_kind, or NONE */
    int warning; /* the same */
};

static const struct expectation threads[] = {
    {"barrier_reverses", NONE, NONE},
    {"barrier_missing", FINDING_RACE_BLOCK, FINDING_SHARED_UNINITIALISED},
    {"barrier_reduces", NONE, NONE},
    {"barrier_between_branches", NONE, NONE},
    {"barrier_diverged", FINDING_BARRIER_DIVERGED, NONE},
    {"barrier_after_return", NONE, NONE},
    {"shuffle_values", NONE, NONE},
    {"vote_values", NONE, NONE},
    {"shuffle_lanes_never_come", FINDING_LANE_ABSENT, NONE},
    {"shuffle_with_its_mask", NONE, NONE},
    {"shuffle_mask_without_caller", FINDING_LANE_NOT_IN_MASK, NONE},
    {"shuffle_reads_absent_lanes", NONE, FINDING_LANE_ABSENT},
    {"warp_synchronous_sum", NONE, NONE},
    {"warp_synchronous_without_syncwarp", FINDING_RACE_BLOCK, FINDING_SHARED_UNINITIALISED},
    {"active_lanes", NONE, NONE},
    {"atomic_values", NONE, NONE},
    {"atomic_compare_and_swap", NONE, NONE},
    {"blocks_race", FINDING_RACE_GRID, NONE},
    {"blocks_read_one_writes", FINDING_RACE_GRID, NONE},
    {"last_block_merges", NONE, NONE},
    {"block_waits_for_block", FINDING_WAITS_FOR_BLOCK, NONE},
    {"thread_waits_for_thread", NONE, NONE},
    {"same_value", NONE, FINDING_SAME_VALUE},
    {"different_values", FINDING_RACE_BLOCK, NONE},
};

/* Order by atomics and fences, and malloc in kernels. */
static const struct expectation synchronisation[] = {
    {"lock_of_warps", NONE, NONE},
    {"lock_of_warps_without_fences", FINDING_RACE_BLOCK, NONE},
    {"lock_of_lanes", NONE, NONE},
    {"lock_released_by_volatile", NONE, NONE},
    {"last_warp_adds", NONE, NONE},
    {"last_warp_adds_after_wider_fence", NONE, NONE},
    {"last_warp_adds_without_fence", FINDING_RACE_BLOCK, NONE},
    {"last_warp_speaks_for_lanes", NONE, NONE},
    {"last_warp_forgets_lanes", FINDING_RACE_BLOCK, FINDING_SHARED_UNINITIALISED},
    {"flag_of_a_warp", NONE, NONE},
    {"flag_of_a_warp_without_fence", FINDING_RACE_BLOCK, NONE},
    {"maximum_by_cas", NONE, NONE},
    {"maximum_by_cas_after_volatile", NONE, NONE},
    {"maximum_by_cas_unless_smaller", NONE, NONE},
    {"maximum_after_a_look", NONE, NONE},
    {"maximum_without_atomics", FINDING_RACE_BLOCK, NONE},
    {"last_block_after_fence_of_all", NONE, NONE},
    {"last_block_after_fence_of_one", NONE, NONE},
    {"last_block_without_fence", FINDING_RACE_GRID, NONE},
    {"last_block_after_fence_of_its_block", FINDING_RACE_GRID, NONE},
    {"last_block_of_a_tree", NONE, NONE},
    {"last_block_of_a_tree_without_fences", FINDING_RACE_GRID, NONE},
    {"lock_of_blocks", NONE, NONE},
    {"lock_of_blocks_without_fences", FINDING_RACE_GRID, NONE},
    {"fence_taken_for_a_barrier", FINDING_RACE_GRID, NONE},
    {"sum_read_after_own_part", FINDING_RACE_BLOCK, NONE},
};

/* malloc and free in kernels. */
static const struct expectation heap[] = {
    {"heap_of_many_blocks", NONE, NONE},
    {"heap_is_limited", NONE, NONE},
    {"heap_read_unwritten", FINDING_UNINITIALISED, NONE},
    {"heap_use_after_free", FINDING_USE_AFTER_FREE, NONE},
    {"heap_freed_twice", FINDING_INVALID_FREE, NONE},
    {"heap_write_past_end", FINDING_OUT_OF_BOUNDS, FINDING_LEAK},
    {"heap_frees_what_the_host_allocated", FINDING_INVALID_FREE, NONE},
    {"host_frees_what_the_heap_gave", FINDING_INVALID_FREE, FINDING_LEAK},
};

/* Accesses as the source has them. */
static const struct expectation accesses[] = {
    {"unused_read_past_end", FINDING_OUT_OF_BOUNDS, NONE},
    {"odd_widths_seen", NONE, NONE},
    {"volatile_vector_past_end", FINDING_OUT_OF_BOUNDS, NONE},
};

static const struct expectation memory[] = {
    {"copy_inside", NONE, NONE},
    {"read_past_end", FINDING_OUT_OF_BOUNDS, NONE},
    {"write_past_end", FINDING_OUT_OF_BOUNDS, NONE},
    {"read_before_start", FINDING_OUT_OF_BOUNDS, NONE},
    {"read_unwritten", FINDING_UNINITIALISED, NONE},
    {"read_after_fill", NONE, NONE},
    {"read_one_byte_unwritten", FINDING_UNINITIALISED, NONE},
    {"use_after_free", FINDING_USE_AFTER_FREE, NONE},
    {"freed_before_use_in_stream", FINDING_USE_AFTER_FREE, NONE},
    {"freed_after_use_in_stream", NONE, NONE},
    {"freed_on_another_stream", FINDING_RACE_STREAMS, NONE},
    {"freed_on_unordered_stream", FINDING_RACE_STREAMS, NONE},
    {"freed_twice", FINDING_INVALID_FREE, NONE},
    {"leak", FINDING_LEAK, NONE},
    {"host_reads_device_memory", FINDING_HOST_TOUCHES_DEVICE, NONE},
    {"host_uses_managed_memory", NONE, NONE},
    {"kernel_reads_host_memory", FINDING_KERNEL_TOUCHES_HOST, NONE},
    {"kernel_reads_its_argument", NONE, NONE},
    {"kernel_takes_bools", NONE, NONE},
    {"vectors_aligned", NONE, NONE},
    {"vector_read_misaligned", FINDING_MISALIGNED, NONE},
    {"vector_write_misaligned", FINDING_MISALIGNED, NONE},
    {"vector_past_end", FINDING_OUT_OF_BOUNDS, NONE},
    {"shared_inside", NONE, NONE},
    {"shared_past_end", FINDING_SHARED_OUT_OF_BOUNDS, NONE},
    {"shared_read_unwritten", FINDING_SHARED_UNINITIALISED, NONE},
    {"shared_of_another_block", FINDING_SHARED_UNINITIALISED, NONE},
    {"dynamic_shared", NONE, NONE},
    {"dynamic_shared_too_small", FINDING_SHARED_OUT_OF_BOUNDS, NONE},
    {"variables", NONE, NONE},
    {"struct_copies", NONE, NONE},
    {"struct_copy_past_end", FINDING_OUT_OF_BOUNDS, NONE},
};

static const struct expectation streams[] = {
    {"one_stream", NONE, NONE},
    {"two_streams", FINDING_RACE_STREAMS, FINDING_UNINITIALISED},
    {"two_streams_with_event", NONE, NONE},
    {"default_then_blocking", NONE, NONE},
    {"blocking_then_default", NONE, NONE},
    {"two_blocking_streams", FINDING_RACE_STREAMS, FINDING_UNINITIALISED},
    {"default_then_nonblocking", FINDING_RACE_STREAMS, FINDING_UNINITIALISED},
    {"per_thread_then_default", NONE, NONE},
    {"default_then_per_thread", NONE, NONE},
    {"per_thread_then_blocking", FINDING_RACE_STREAMS, FINDING_UNINITIALISED},
    {"per_thread_lasts", NONE, NONE},
    {"variable_of_one_stream", NONE, NONE},
    {"variable_of_two_streams", FINDING_RACE_STREAMS, NONE},
    {"halves_filled_on_two_streams", NONE, NONE},
    {"word_and_half_filled_on_two_streams", FINDING_RACE_STREAMS, NONE},
    {"loops_around_queries_end", NONE, NONE},
    {"wait_between", NONE, NONE},
    {"event_wait_between", NONE, NONE},
    {"event_recorded_again", NONE, NONE},
    {"event_recorded_too_early", FINDING_RACE_STREAMS, FINDING_UNINITIALISED},
    {"launches_are_deferred", NONE, NONE},
    {"grid_of_none", FINDING_BAD_LAUNCH, NONE},
    {"grid_y_too_large", FINDING_BAD_LAUNCH, NONE},
    {"grid_z_too_large", FINDING_BAD_LAUNCH, NONE},
    {"block_too_large", FINDING_BAD_LAUNCH, NONE},
    {"block_z_too_large", FINDING_BAD_LAUNCH, NONE},
    {"shared_too_large", FINDING_BAD_LAUNCH, NONE},
    {"shared_allowed", NONE, NONE},
    {"launch_error_unchecked", FINDING_BAD_LAUNCH, FINDING_UNCHECKED_ERROR},
    {"errors_of_calls", NONE, NONE},
    {"sticky_error", FINDING_OUT_OF_BOUNDS, NONE},
    {"pointer_attributes", NONE, NONE},
    {"trap", FINDING_DEVICE_ASSERT, NONE},
};

/* Calls made over and over in one process. What is made anew each time and left there is found in time. */
static const struct expectation repeated[] = {
    {"event_left_by_each_call", FINDING_LEAK, NONE},  {"event_destroyed_by_each_call", NONE, NONE},
    {"event_kept_for_all_calls", NONE, NONE},         {"events_kept_in_a_ring", NONE, NONE},
    {"stream_left_by_each_call", FINDING_LEAK, NONE}, {"stream_destroyed_by_each_call", NONE, NONE},
};

/* Correct programs on which others raise false alarms, each group before its twins with a fault. A load that
 * takes unwritten padding along is warned of, but the report keeps that back unless numbers are wrong. */
static const struct expectation false_alarms[] = {
    {"wide_load_of_unused_padding", NONE, FINDING_UNINITIALISED},
    {"wide_load_past_the_last_row", FINDING_OUT_OF_BOUNDS, FINDING_UNINITIALISED},
    {"padding_read_by_itself", FINDING_UNINITIALISED, NONE},
    {"guarded_load", NONE, NONE},
    {"load_without_its_guard", FINDING_OUT_OF_BOUNDS, NONE},
    {"neighbours_in_one_word", NONE, NONE},
    {"half_neighbours_in_one_word", NONE, NONE},
    {"array_member_in_initializer_list", NONE, NONE},
    {"one_half_by_two_threads", FINDING_RACE_BLOCK, NONE},
    {"vote_in_short_warp", NONE, NONE},
    {"masked_lanes_sum", NONE, NONE},
    {"masked_lanes_vote", NONE, NONE},
    {"vote_names_lanes_elsewhere", FINDING_LANE_ABSENT, NONE},
    {"block_of_180_sums", NONE, NONE},
    {"block_of_180_as_if_256", FINDING_SHARED_OUT_OF_BOUNDS, NONE},
    {"helper_with_both_barriers", NONE, NONE},
    {"helper_with_one_barrier", FINDING_RACE_BLOCK, NONE},
};

static bool any(int kind, uint32_t warning) {
    for (int i = 0; i < program_finding_count; i++)
        if ((int)program_findings[i].kind == kind && program_findings[i].warning == warning)
            return true;
    return false;
}

/* The second kind of an expectation names a warning; or a fault that may come beside the first, as when a
 * race also reads what is not there yet. */
static void compare(const struct expectation *expected, uint64_t seed) {
    for (int i = 0; i < program_finding_count; i++) {
        const struct finding *found = &program_findings[i];
        ck_assert_msg((int)found->kind == expected->fault || (int)found->kind == expected->warning,
                      "%s, seed %d: unexpected finding %u: %s", expected->program, (int)seed, found->kind,
                      found->text);
    }
    if (expected->fault != NONE)
        ck_assert_msg(any(expected->fault, 0), "%s, seed %d: the fault was not found", expected->program,
                      (int)seed);
    else if (expected->warning != NONE)
        ck_assert_msg(any(expected->warning, 1), "%s, seed %d: no warning", expected->program, (int)seed);
}

static void run(const struct expectation *expected) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        int wrong = program_run(expected->program, seed);
        ck_assert_msg(wrong == 0, "%s, seed %d: returned %d", expected->program, (int)seed, wrong);
        compare(expected, seed);
    }
}

/* Case after case of 30 calls. A leak is not told before more is left than a design may keep: 64. */
static void run_repeatedly(const struct expectation *expected) {
    enum { CASES = 8, CALLS = 30, QUIET_CASES = 2 };
    for (int i = 0; i < CASES; i++) {
        int wrong = program_run_calls(expected->program, (uint64_t)i + 1, CALLS);
        ck_assert_msg(wrong == 0, "%s: %d calls of case %d went wrong", expected->program, wrong, i);
        if (i < QUIET_CASES)
            ck_assert_msg(program_finding_count == 0, "%s: found in case %d", expected->program, i);
        else
            compare(expected, (uint64_t)i + 1);
    }
}

#define COUNT(table) ((int)(sizeof(table) / sizeof *(table)))

static void start_threads(void) {
    program_open("threads.so");
}

static void start_synchronisation(void) {
    program_open("synchronisation.so");
}

static void start_memory(void) {
    program_open("memory.so");
}

static void start_heap(void) {
    program_open("heap.so");
}

static void start_accesses(void) {
    program_open("accesses.so");
}

static void start_streams(void) {
    program_open("streams.so");
}

static void start_false_alarms(void) {
    program_open("false_alarms.so");
}

START_TEST(thread_program)
{ run(&threads[_i]); }
END_TEST

START_TEST(synchronisation_program)
{ run(&synchronisation[_i]); }
END_TEST

START_TEST(memory_program)
{ run(&memory[_i]); }
END_TEST

START_TEST(heap_program)
{ run(&heap[_i]); }
END_TEST

START_TEST(access_program)
{ run(&accesses[_i]); }
END_TEST

START_TEST(stream_program)
{ run(&streams[_i]); }
END_TEST

START_TEST(repeated_program)
{ run_repeatedly(&repeated[_i]); }
END_TEST

START_TEST(false_alarm_program)
{ run(&false_alarms[_i]); }
END_TEST

static TCase *add(Suite *suite, const char *name, void (*begin)(void)) {
    TCase *tests = tcase_create(name);
    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, begin, NULL);
    suite_add_tcase(suite, tests);
    return tests;
}

int main(void) {
    Suite *suite = suite_create("programs in the simulator");
    tcase_add_loop_test(add(suite, "threads", start_threads), thread_program, 0, COUNT(threads));
    tcase_add_loop_test(add(suite, "synchronisation", start_synchronisation), synchronisation_program, 0,
                        COUNT(synchronisation));
    tcase_add_loop_test(add(suite, "memory", start_memory), memory_program, 0, COUNT(memory));
    tcase_add_loop_test(add(suite, "heap", start_heap), heap_program, 0, COUNT(heap));
    tcase_add_loop_test(add(suite, "accesses", start_accesses), access_program, 0, COUNT(accesses));
    tcase_add_loop_test(add(suite, "streams", start_streams), stream_program, 0, COUNT(streams));
    tcase_add_loop_test(add(suite, "repeated calls", start_streams), repeated_program, 0, COUNT(repeated));
    tcase_add_loop_test(add(suite, "false alarms", start_false_alarms), false_alarm_program, 0,
                        COUNT(false_alarms));
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
