/* Calls of the CUDA runtime, as the submission sees them: each becomes a message, and what the device process answers. */
#include "client.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct areas client_areas;
int client_socket = HOST_SOCKET;

static volatile sig_atomic_t sending;

/* ---- messages ---- */

static _Noreturn void gone(void) {
    _exit(1);
}

static void send_message(uint32_t kind, struct iovec *parts, int count) {
    struct message message = {.kind = kind};
    for (int i = 1; i < count; i++)
        message.bytes += parts[i].iov_len;
    parts[0] = (struct iovec){&message, sizeof message};
    sending++;
    if (!conversation_write(client_socket, parts, count))
        gone();
    sending--;
}

bool wire_is_sending(void) {
    return sending != 0;
}

/* What crash.c and wrapped.c have to say, and main.c. */
void wire_send(uint32_t type, const void *payload, size_t bytes) {
    static const uint32_t kinds[] = {[RECORD_READY] = MESSAGE_READY,
                                     [RECORD_LOAD_ERROR] = MESSAGE_LOAD_ERROR,
                                     [RECORD_RETURN] = MESSAGE_RETURNED,
                                     [RECORD_DONE] = MESSAGE_FUNCTION_DONE,
                                     [RECORD_FINDING] = MESSAGE_FINDING};
    struct iovec parts[] = {{0}, {(void *)(uintptr_t)payload, bytes}};
    send_message(kinds[type], parts, 2);
}

static void read_bytes(void *bytes, size_t count) {
    if (!conversation_read(client_socket, bytes, count))
        gone();
}

static void call_host_function(void) {
    struct host_function_message wanted;
    read_bytes(&wanted, sizeof wanted);
    ((cudaHostFn_t)(uintptr_t)wanted.function)((void *)(uintptr_t)wanted.argument);
    wire_send(RECORD_DONE, NULL, 0);
}

static void call_submission(void) {
    struct call_message wanted;
    struct returned_message answer = {0};
    void *pointers[STEP_OPERANDS];
    read_bytes(&wanted, sizeof wanted);
    for (int i = 0; i < STEP_OPERANDS; i++)
        pointers[i] = (void *)(uintptr_t)wanted.pointers[i];
    answer.found =
        call_function(&wanted.step, pointers, (cudaStream_t)(uintptr_t)wanted.stream, &answer.returned);
    fflush(NULL);
    wire_send(RECORD_RETURN, &answer, sizeof answer);
}

bool client_message(struct message *message) {
    uint64_t milliseconds;
    read_bytes(message, sizeof *message);
    switch ((enum message_kind)message->kind) {
    case MESSAGE_ANSWER:
        return false;
    case MESSAGE_AREAS:
        read_bytes(&client_areas, sizeof client_areas);
        return true;
    case MESSAGE_CASE:
        read_bytes(&milliseconds, sizeof milliseconds);
        time_limit_begin(milliseconds, false);
        return true;
    case MESSAGE_CALL:
        call_submission();
        return true;
    case MESSAGE_HOST_FUNCTION:
        call_host_function();
        return true;
    default:
        gone();
    }
}

/* ---- requests ---- */

struct request request_new(enum cuda_call call, uint64_t place) {
    return (struct request){.message = {.call = call, .place = place}};
}

void request_send(struct request *request) {
    struct iovec parts[] = {{0},
                            {&request->message, sizeof request->message},
                            {(void *)(uintptr_t)request->bytes, request->byte_count}};
    struct message message;
    int32_t error;
    send_message(MESSAGE_CUDA, parts, 3);
    while (client_message(&message))
        continue;
    read_bytes(&error, sizeof error);
    request->error = (cudaError_t)error;
    request->left = message.bytes - sizeof error;
}

void request_take(struct request *request, void *bytes, size_t count) {
    char unwanted[4096];
    if (count > request->left)
        count = request->left;
    request->left -= count;
    if (bytes)
        read_bytes(bytes, count);
    for (size_t part; !bytes && count > 0; count -= part) {
        part = count < sizeof unwanted ? count : sizeof unwanted;
        read_bytes(unwanted, part);
    }
}

cudaError_t request_end(struct request *request) {
    request_take(request, NULL, request->left);
    return request->error;
}

bool client_is_devices(uintptr_t address) {
    return address - client_areas.memory.start < client_areas.memory.bytes ||
           address - client_areas.device.start < client_areas.device.bytes;
}

bool client_is_shared(uintptr_t address) {
    return client_is_devices(address) || address - client_areas.shared.start < client_areas.shared.bytes;
}

/* ---- the list ---- */

#define PARAMETER_IN(type) type
#define PARAMETER_OUT(type) type *
#define PARAMETER_ALWAYS(type) type *

#define PUT_IN(i, value) memcpy(&request.message.word[i], &(value), sizeof(value));
#define PUT_OUT(i, value) request.message.given |= (uint32_t)((value) != NULL) << i;
#define PUT_ALWAYS PUT_OUT

#define GET_IN(type, value)
#define GET_OUT(type, value)                                                                                 \
    if (value)                                                                                               \
        request_take(&request, request.error == cudaSuccess ? (void *)(value) : NULL, sizeof(type));
#define GET_ALWAYS(type, value)                                                                              \
    if (value)                                                                                               \
        request_take(&request, (value), sizeof(type));

#define BEGIN(name) struct request request = request_new(CUDA_##name, PLACE);
#define SEND request_send(&request);
#define END return request_end(&request);

#define CALL_0(name)                                                                                         \
    cudaError_t name(void) {                                                                                 \
        BEGIN(name) SEND END                                                                                 \
    }
#define CALL_1(name, k0, t0)                                                                                 \
    cudaError_t name(PARAMETER_##k0(t0) a0) {                                                                \
        BEGIN(name) PUT_##k0(0, a0) SEND GET_##k0(t0, a0) END                                                \
    }
#define CALL_2(name, k0, t0, k1, t1)                                                                         \
    cudaError_t name(PARAMETER_##k0(t0) a0, PARAMETER_##k1(t1) a1) {                                         \
        BEGIN(name) PUT_##k0(0, a0) PUT_##k1(1, a1) SEND GET_##k0(t0, a0) GET_##k1(t1, a1) END               \
    }
#define CALL_3(name, k0, t0, k1, t1, k2, t2)                                                                 \
    cudaError_t name(PARAMETER_##k0(t0) a0, PARAMETER_##k1(t1) a1, PARAMETER_##k2(t2) a2) {                  \
        BEGIN(name)                                                                                          \
        PUT_##k0(0, a0) PUT_##k1(1, a1) PUT_##k2(2, a2) SEND GET_##k0(t0, a0) GET_##k1(t1, a1)               \
            GET_##k2(t2, a2) END                                                                             \
    }
#define CALL_4(name, k0, t0, k1, t1, k2, t2, k3, t3)                                                         \
    cudaError_t name(PARAMETER_##k0(t0) a0, PARAMETER_##k1(t1) a1, PARAMETER_##k2(t2) a2,                    \
                     PARAMETER_##k3(t3) a3) {                                                                \
        BEGIN(name)                                                                                          \
        PUT_##k0(0, a0) PUT_##k1(1, a1) PUT_##k2(2, a2) PUT_##k3(3, a3) SEND GET_##k0(t0, a0)                \
            GET_##k1(t1, a1) GET_##k2(t2, a2) GET_##k3(t3, a3) END                                           \
    }
/* Longer ones give nothing back. */
#define CALL_5(name, k0, t0, k1, t1, k2, t2, k3, t3, k4, t4)                                                 \
    cudaError_t name(t0 a0, t1 a1, t2 a2, t3 a3, t4 a4) {                                                    \
        BEGIN(name) PUT_##k0(0, a0) PUT_##k1(1, a1) PUT_##k2(2, a2) PUT_##k3(3, a3) PUT_##k4(4, a4) SEND END \
    }
#define CALL_6(name, k0, t0, k1, t1, k2, t2, k3, t3, k4, t4, k5, t5)                                         \
    cudaError_t name(t0 a0, t1 a1, t2 a2, t3 a3, t4 a4, t5 a5) {                                             \
        BEGIN(name)                                                                                          \
        PUT_##k0(0, a0) PUT_##k1(1, a1) PUT_##k2(2, a2) PUT_##k3(3, a3) PUT_##k4(4, a4) PUT_##k5(5, a5)      \
            SEND END                                                                                         \
    }

CUDA_CALLS

/* ---- others that need no memory of the host but a number ---- */

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *argument) {
    BEGIN(cudaLaunchHostFunc)
    PUT_IN(0, stream)
    PUT_IN(1, function)
    PUT_IN(2, argument)
    SEND END
}

/* Attributes of a pool are 8 bytes from the release threshold on, and 4 before. */
static size_t bytes_of(enum cudaMemPoolAttr attribute) {
    return attribute >= cudaMemPoolAttrReleaseThreshold ? 8 : 4;
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value){
    BEGIN(cudaMemPoolSetAttribute) PUT_IN(0, pool) PUT_IN(1, attribute) PUT_OUT(2, value) SEND END}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value) {
    BEGIN(cudaMemPoolGetAttribute)
    PUT_IN(0, pool)
    PUT_IN(1, attribute)
    PUT_OUT(2, value)
    SEND if (value) request_take(&request, request.error == cudaSuccess ? value : NULL, bytes_of(attribute));
    END
}
