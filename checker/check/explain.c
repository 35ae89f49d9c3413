/* The catalogue of findings. Each text is for a student who sees the message for the first time, late at
 * night: the usual reason first, then how to find out. */
#include "check/explain.h"

const char findings_lesson[] = "docs/findings.md";

static const struct explanation explanations[FINDING_KINDS] = {
    [FINDING_OUT_OF_BOUNDS] = {"Out of bounds", "Memory outside of every buffer was accessed.",
                               "An index is too large or negative. In a matrix: a thread, warp or block that "
                               "has no row is not kept "
                               "out (if (row >= rows) return), the last chunk of a row, "
                               "which may be shorter than the "
                               "others, is treated as if it were whole, or a row's start was computed with "
                               "the wrong pitch or in 32-bit "
                               "arithmetic that overflows. In an array of states: it is indexed by the chunk "
                               "where it has one element for "
                               "each row. In an allocation: it is too small; count bytes, not elements."},
    [FINDING_SHARED_OUT_OF_BOUNDS] =
        {"Shared memory out of bounds", "Shared memory outside of its array was accessed.",
         "The array is smaller than the index: one element for each warp where one for each thread is used, "
         "or a "
         "launch that asks for fewer bytes of dynamic shared memory than the kernel needs."},
    [FINDING_MISALIGNED] =
        {"Misaligned access", "An access was made at an address that is no multiple of its size.",
         "A wide load (float4, half2) needs an address that is a multiple of its size. A row begins at row * "
         "pitch "
         "elements, and with odd cols that is any element: handle the first elements one by one, or use wide "
         "loads only where the address allows them."},
    [FINDING_UNINITIALISED] = {"Memory that was never written", "A value was read that nobody had written.",
                               "Behind the last row or the last column of a matrix: a thread or warp that "
                               "has no row, or a column past "
                               "the end, is not kept from loading. In scratch, which holds no zeros to begin "
                               "with: the stage before did "
                               "not write every element that this one reads (the state of the last chunk), "
                               "or it runs on another stream "
                               "and has not run yet."},
    [FINDING_SHARED_UNINITIALISED] = {"Shared memory that was never written",
                                      "Shared memory was read that no thread of the block had written.",
                                      "A thread that was to write it returned before, or skipped the work: "
                                      "let threads without a value stay, and write the one "
                                      "that changes nothing (-INFINITY for a maximum, 0 for a sum). Or a "
                                      "__syncthreads() is missing between the threads that "
                                      "write and the ones that read; or the reader takes more elements than "
                                      "there are warps (or threads) to write them: shared "
                                      "memory holds no zeros."},
    [FINDING_USE_AFTER_FREE] = {"Use after free", "Memory was used after it was freed.",
                                "cudaFreeAsync frees at its place in the order of its stream. A kernel that "
                                "uses the memory was launched "
                                "later, or on another stream, or another call's scratch was used."},
    [FINDING_INVALID_FREE] = {"Invalid free",
                              "Something was freed that was not allocated, or was freed before.",
                              "The pointer given to the free call is not the one that the allocation "
                              "returned, or two paths through the "
                              "function free it both."},
    [FINDING_LEAK] = {"Leak", "What the call allocated or created was not freed or destroyed.",
                      "One way out of the function comes before the cudaFreeAsync. Look at the returns on "
                      "errors: a launch or a "
                      "second allocation may fail after the first one succeeded. An event or a stream has to "
                      "be destroyed, too."},
    [FINDING_INPUT_WRITTEN] = {"Input written", "Memory that must be left unchanged was written.",
                               "Input and output may have been exchanged, or the input is used as scratch. "
                               "It belongs to the caller."},
    [FINDING_HOST_TOUCHES_DEVICE] = {"Host code touches device memory",
                                     "Code that runs on the CPU accessed device memory.",
                                     "matrix.data is an address on the device: only kernels and CUDA copy "
                                     "calls may follow it. On a GPU this is "
                                     "a segmentation fault."},
    [FINDING_KERNEL_TOUCHES_HOST] = {"Kernel touches host memory", "A kernel accessed memory of the CPU.",
                                     "A pointer to a variable of the host function was given to the kernel. "
                                     "Pass the value itself, or a pointer "
                                     "to device memory."},
    [FINDING_RACE_BLOCK] =
        {"Race in a block",
         "Two threads of a block accessed one place, one of them writing, with no barrier between.",
         "A __syncthreads() (or, where all the threads are lanes of one warp, a __syncwarp()) is missing "
         "between the write and "
         "the read, or between the read of a round and the write of the next one. Or one is there that not "
         "all threads come "
         "to: some returned before it. Or two threads (two rows, two warps) were given one element. Or a "
         "lock or a counter is "
         "to order the two, and a __threadfence_block() is missing on either side of it. Which thread comes "
         "first is up to "
         "the device, so the result changes from run to run."},
    [FINDING_RACE_GRID] = {"Race between blocks",
                           "Two blocks of one launch accessed one place, one of them writing.",
                           "Blocks run in any order and nothing inside a launch makes one wait for another. "
                           "Two blocks may have been given one "
                           "index: what is computed from blockIdx has to be another for each of them. "
                           "Give each block its own "
                           "output, use an atomic, or let a second kernel combine what the first one wrote."},
    [FINDING_RACE_STREAMS] = {"Race between streams",
                              "Work on two streams used the same memory, and nothing orders the two.",
                              "Something was not put on the caller's stream: look for a launch, copy, "
                              "allocation or free without the "
                              "stream argument. Or two calls share their scratch, or a __device__ or "
                              "__constant__ variable."},
    [FINDING_SAME_VALUE] =
        {"Several threads write one value", "Several threads wrote the same value to one place.",
         "It is harmless, but usually one thread was meant to write: if (threadIdx.x == 0)."},
    [FINDING_BARRIER_DIVERGED] =
        {"Barrier not reached by all",
         "Some threads of the block wait at a barrier that the others never reach.",
         "A __syncthreads() stands inside an if, or in a loop that some threads leave earlier. Every thread "
         "of the "
         "block has to come to it: let threads without work skip the work, not the barrier."},
    [FINDING_LANE_ABSENT] = {"Warp operation with absent lanes",
                             "A warp operation names lanes that do not come to it.",
                             "The mask 0xffffffff promises that all 32 lanes make the call. Here some had "
                             "returned, or took another "
                             "branch. Let every lane take part, with the identity (-inf for a maximum, 0 for "
                             "a sum) where it has no "
                             "value."},
    [FINDING_LANE_NOT_IN_MASK] = {"Lane outside of its mask",
                                  "A thread made a warp operation whose mask does not name its own lane.",
                                  "The mask has to contain the calling lane. Usually it was computed before "
                                  "the branch that the call is in."},
    [FINDING_WAITS_FOR_BLOCK] = {"Waiting for another block",
                                 "A block waits for something that another block is to do.",
                                 "Nothing promises that two blocks run at the same time: with a large grid "
                                 "the other one may start only when "
                                 "this one ends. Split the work into two launches instead."},
    [FINDING_ENDLESS] = {"Endless loop", "The program did not come to an end in its time.",
                         "A loop's condition never becomes false: the index does not grow, a stride is 0, or "
                         "an unsigned number is "
                         "compared with >= 0."},
    [FINDING_BAD_LAUNCH] =
        {"Bad launch", "A launch asked for what no device offers.",
         "A block may have 1 to 1024 threads; a grid up to 65535 blocks in y and z and "
         "2147483647 in x, and none may "
         "be 0. More than 65535 rows is valid input: put rows on x, or loop over them. A size of 0, or a "
         "strange one, comes from a division that rounds down or from a product that overflowed an "
         "int: round up, and count in int64_t. Shared memory beyond 48 KB is given only to a kernel for "
         "which "
         "cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes) was called, and "
         "each "
         "instance of a template is a kernel of its own. A __launch_bounds__ is a promise about the threads "
         "of "
         "every launch."},
    [FINDING_UNCHECKED_ERROR] = {"Unchecked error", "An error of a launch or call was not returned.",
                                 "A launch returns nothing: ask cudaGetLastError() right after it and return "
                                 "what it says. Errors of CUDA "
                                 "calls have to be returned too."},
    [FINDING_DEVICE_ASSERT] = {"Assertion in a kernel", "An assert() in a kernel did not hold.",
                               "It is your own assertion: see its condition."},
    [FINDING_BAD_CALL] = {"Bad call", "A CUDA call was used as its manual forbids.",
                          "Compare the arguments with the call's entry in the CUDA Runtime API manual."},
    [FINDING_CRASH] =
        {"Crash", "The program crashed.",
         "Usually a null or wild pointer in host code, an index far outside of an array, or a division by an "
         "argument that is 0 and should have been refused first."},
    [FINDING_ENDED] = {"Program ended", "The program ended itself.",
                       "exit() and its kin end the whole program. Return an error code instead; the caller "
                       "decides what to do."},
    [FINDING_UNDEFINED] = {"Undefined behaviour", "The code does what C leaves undefined.",
                           "C promises nothing about such code: it may seem to work and break with another "
                           "compiler. Read the sentence "
                           "above and change the line so that it cannot happen."},
    [FINDING_NO_FUNCTION] = {"Missing function", "A function of the exercise is not defined.",
                             "Its name is misspelt, or the .cu file does not include the exercise's header, "
                             "so that C++ changes the "
                             "name."},
    [FINDING_UNSTABLE] = {"Different from run to run",
                          "One call, run several times from the same memory, gave different results.",
                          "Threads race for one place, or something is read before it is written. The "
                          "simulator (RUNTIME=simulator) "
                          "or SANITIZE=racecheck names the lines. Where only the last digits differ, an "
                          "atomic sum in a free order is "
                          "enough to explain it."},
    [FINDING_OFF_STREAM] = {"Work past the stream", "Not all of the call's work is on the caller's stream.",
                            "Something was launched, copied or allocated by a way that does not take the "
                            "caller's stream: another "
                            "stream, the default stream, or a call that waits."},
    [FINDING_HOST_WORK] = {"Work on the host", "The CPU does what is the kernels' work.",
                           "The values of x and y stay on the device: a call only launches kernels that read "
                           "and write them. Copying them to the host and back costs more than the whole "
                           "softmax, and needs a wait."},
    [FINDING_FORBIDDEN] = {"Not for a softmax", "The program did what no softmax needs to do.",
                           "A softmax computes, and may print what it computes. It opens no files, starts no "
                           "threads or processes, and leaves the program that grades it alone."},
};

const struct explanation *explanation_of(uint32_t kind) {
    static const struct explanation unknown = {"", "Something was found that has no name.", ""};
    return kind < FINDING_KINDS ? &explanations[kind] : &unknown;
}
