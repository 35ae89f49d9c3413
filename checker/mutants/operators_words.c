/* One token for another. */
#include "mutant.h"

#include <stdlib.h>
#include <string.h>

enum { CHOICES = 4 };

struct swap {
    const char *operator, * token;
    const char *by[CHOICES]; /* ends with a null pointer where there are fewer */
};

static const struct swap OPERATORS[] = {
    {"comparison", "<", {"<=", ">", "!="}},
    {"comparison", "<=", {"<", ">", "=="}},
    {"comparison", ">", {">=", "<", "!="}},
    {"comparison", ">=", {">", "<", "=="}},
    {"comparison", "==", {"!=", "<=", ">="}},
    {"comparison", "!=", {"==", "<", ">"}},
    {"arithmetic", "+", {"-", "*"}},
    {"arithmetic", "-", {"+"}},
    {"arithmetic", "*", {"+", "/"}},
    {"arithmetic", "/", {"*", "%"}},
    {"arithmetic", "%", {"/", "*"}},
    {"arithmetic", "+=", {"-=", "="}},
    {"arithmetic", "-=", {"+=", "="}},
    {"arithmetic", "*=", {"/=", "="}},
    {"arithmetic", "/=", {"*=", "-="}},
    {"logical", "&&", {"||"}},
    {"logical", "||", {"&&"}},
};

static const struct swap NAMES[] = {
    {"function", "fmaxf", {"fminf"}},
    {"function", "fminf", {"fmaxf"}},
    {"shuffle", "__shfl_xor_sync", {"__shfl_down_sync", "__shfl_up_sync", "__shfl_sync"}},
    {"shuffle", "__shfl_down_sync", {"__shfl_up_sync", "__shfl_xor_sync"}},
    {"rounding", "__float2half_rn", {"__float2half_rz", "__float2half_ru", "__float2half_rd"}},
    {"rounding",
     "__float2bfloat16_rn",
     {"__float2bfloat16_rz", "__float2bfloat16_ru", "__float2bfloat16_rd"}},
    {"type", "CUDA_R_32F", {"CUDA_R_64F", "CUDA_R_16F"}},
    {"type", "CUDA_R_16F", {"CUDA_R_16BF", "CUDA_R_32F"}},
    {"type", "CUDA_R_16BF", {"CUDA_R_16F", "CUDA_R_8I"}},
    {"type", "__half", {"__nv_bfloat16", "float"}},
    {"type", "__nv_bfloat16", {"__half", "float"}},
    {"type", "cudaMemoryTypeDevice", {"cudaMemoryTypeHost"}},
    {"type", "cudaMemoryTypeManaged", {"cudaMemoryTypeHost", "cudaMemoryTypeUnregistered"}},
    {"name", "threadIdx", {"blockIdx"}},
    {"name", "blockIdx", {"threadIdx"}},
    {"name", "blockDim", {"gridDim"}},
    {"constant", "true", {"false"}},
    {"constant", "false", {"true"}},
    {"status", "cudaErrorInvalidValue", {"cudaSuccess", "cudaErrorUnknown"}},
    {"status", "cudaSuccess", {"cudaErrorInvalidValue"}},
    {"status", "EINVAL", {"0", "-1"}},
};

static const struct swap *find(const struct token_stream *tokens, size_t i, const struct swap *swaps,
                               size_t count) {
    for (size_t s = 0; s < count; s++)
        if (token_is(tokens, i, swaps[s].token))
            return &swaps[s];
    return NULL;
}

static void propose_all(struct mutation *mutation, size_t i, const struct swap *swap) {
    for (size_t choice = 0; swap && choice < CHOICES && swap->by[choice]; choice++)
        propose(mutation, swap->operator, i, i, "%s", swap->by[choice]);
}

/* Fields of a matrix, and which of two matrices. */
static void mutate_field(struct mutation *mutation, size_t i) {
    static const char *const fields[] = {"data", "type", "rows", "cols", "pitch", NULL};
    const struct token_stream *tokens = mutation->tokens;
    if (i < 2 || !token_is(tokens, i - 1, ".") || !token_is_any(tokens, i, fields))
        return;
    if (token_is(tokens, i, "rows") || token_is(tokens, i, "pitch"))
        propose(mutation, "name", i, i, "cols");
    if (token_is(tokens, i, "cols"))
        propose(mutation, "name", i, i, "rows");
    if (token_is(tokens, i - 2, "x"))
        propose(mutation, "name", i - 2, i - 2, "y");
    if (token_is(tokens, i - 2, "y"))
        propose(mutation, "name", i - 2, i - 2, "x");
}

/* A whole number and its neighbours; a mask and what lacks a lane; a real number and its identities. */
static void mutate_number(struct mutation *mutation, size_t i) {
    const struct token *token = &mutation->tokens->tokens[i];
    char text[32] = {0}, *end;
    const size_t bytes = token->end - token->start;
    if (bytes >= sizeof text)
        return;
    memcpy(text, mutation->source.text + token->start, bytes);
    const bool hexadecimal = strncmp(text, "0x", 2) == 0;
    if (!hexadecimal && strpbrk(text, ".eE")) {
        propose(mutation, "constant", i, i, strtod(text, &end) == 1 ? "0.0f" : "1.0f");
        propose(mutation, "constant", i, i, "-INFINITY");
        return;
    }
    const unsigned long long number = strtoull(text, &end, 0);
    if (hexadecimal) {
        propose(mutation, "shuffle", i, i, "0x%llx%s", number >> 1, end);
        propose(mutation, "shuffle", i, i, "0x%llx%s", number & ~1ull, end);
        propose(mutation, "shuffle", i, i, "0xffff%s", end);
        return;
    }
    propose(mutation, "offset", i, i, "%llu%s", number + 1, end);
    if (number > 0)
        propose(mutation, "offset", i, i, "%llu%s", number - 1, end);
    else
        propose(mutation, "offset", i, i, "-1");
}

/* -INFINITY, the identity of the maximum. */
static void mutate_infinity(struct mutation *mutation, size_t i) {
    static const char *const by[] = {"INFINITY", "0", "-1e30f"};
    if (i == 0 || !token_is(mutation->tokens, i, "INFINITY") || !token_is(mutation->tokens, i - 1, "-"))
        return;
    for (size_t choice = 0; choice < sizeof by / sizeof *by; choice++)
        propose(mutation, "constant", i - 1, i, "%s", by[choice]);
}

void mutate_words(struct mutation *mutation) {
    const struct token_stream *tokens = mutation->tokens;
    for (size_t i = 0; i < tokens->count; i++) {
        switch (tokens->tokens[i].kind) {
        case TOKEN_PUNCTUATION:
            if (is_binary(mutation, i))
                propose_all(mutation, i, find(tokens, i, OPERATORS, sizeof OPERATORS / sizeof *OPERATORS));
            else if (token_is(tokens, i, "!"))
                propose(mutation, "logical", i, i, " ");
            else if (token_is(tokens, i, "++"))
                propose(mutation, "arithmetic", i, i, "--");
            break;
        case TOKEN_NUMBER:
            mutate_number(mutation, i);
            break;
        case TOKEN_IDENTIFIER:
            propose_all(mutation, i, find(tokens, i, NAMES, sizeof NAMES / sizeof *NAMES));
            mutate_field(mutation, i);
            mutate_infinity(mutation, i);
            break;
        default:
            break;
        }
    }
}
