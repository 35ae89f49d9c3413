/* The seal on a record: SipHash-2-4 (Aumasson, Bernstein 2012) of its number, type and payload under a key.
 *
 * The checker draws a key for each case and sends it with the case; both sides number the records of a case
 * from 0. So a record that something else wrote to the socket (the submission, through a descriptor that it
 * found) has the wrong seal, however well it is formed. The greeting, which comes before the first case, has
 * the key 0 and says nothing that counts. */
#ifndef SEAL_H
#define SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct seal_key {
    uint64_t half[2];
};

/* The state while bytes are added. */
struct seal {
    uint64_t v[4];
    uint64_t tail; /* bytes that do not fill a word yet */
    uint64_t bytes;
};

static inline uint64_t seal_rotate(uint64_t x, int by) {
    return x << by | x >> (64 - by);
}

static inline void seal_round(uint64_t v[4]) {
    v[0] += v[1], v[2] += v[3];
    v[1] = seal_rotate(v[1], 13) ^ v[0], v[3] = seal_rotate(v[3], 16) ^ v[2];
    v[0] = seal_rotate(v[0], 32);
    v[2] += v[1], v[0] += v[3];
    v[1] = seal_rotate(v[1], 17) ^ v[2], v[3] = seal_rotate(v[3], 21) ^ v[0];
    v[2] = seal_rotate(v[2], 32);
}

static inline void seal_word(struct seal *seal, uint64_t word) {
    seal->v[3] ^= word;
    seal_round(seal->v);
    seal_round(seal->v);
    seal->v[0] ^= word;
}

static inline struct seal seal_begin(const struct seal_key *key) {
    return (struct seal){.v = {key->half[0] ^ 0x736f6d6570736575u, key->half[1] ^ 0x646f72616e646f6du,
                               key->half[0] ^ 0x6c7967656e657261u, key->half[1] ^ 0x7465646279746573u}};
}

static inline void seal_add(struct seal *seal, const void *bytes, size_t count) {
    const unsigned char *from = bytes;
    while (count > 0) {
        if (seal->bytes % 8 == 0 && count >= 8) {
            uint64_t word;
            memcpy(&word, from, 8); /* both programs run on one machine: its byte order is theirs */
            seal_word(seal, word);
            from += 8, count -= 8, seal->bytes += 8;
            continue;
        }
        seal->tail |= (uint64_t)*from << 8 * (seal->bytes % 8);
        from++, count--;
        if (++seal->bytes % 8 == 0) {
            seal_word(seal, seal->tail);
            seal->tail = 0;
        }
    }
}

static inline uint64_t seal_end(struct seal *seal) {
    seal_word(seal, seal->tail | seal->bytes << 56);
    seal->v[2] ^= 0xff;
    for (int i = 0; i < 4; i++)
        seal_round(seal->v);
    return seal->v[0] ^ seal->v[1] ^ seal->v[2] ^ seal->v[3];
}

/* The seal of record `number` of a case. Its payload may lie in two parts. */
static inline uint64_t seal_of(const struct seal_key *key, uint64_t number, uint32_t type, const void *first,
                               size_t first_bytes, const void *second, size_t second_bytes) {
    const uint64_t head[2] = {number, type};
    struct seal seal = seal_begin(key);
    seal_add(&seal, head, sizeof head);
    seal_add(&seal, first, first_bytes);
    seal_add(&seal, second, second_bytes);
    return seal_end(&seal);
}

#endif
