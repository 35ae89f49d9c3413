/* Bytes between the two processes of a submission. */
#include "host_call/conversation.h"
#include <errno.h>
#include <sys/socket.h>

bool conversation_read(int socket, void *bytes, size_t count) {
    char *place = bytes;
    while (count > 0) {
        const ssize_t part = recv(socket, place, count, 0);
        if (part < 0 && errno == EINTR)
            continue;
        if (part <= 0)
            return false;
        place += part;
        count -= (size_t)part;
    }
    return true;
}

bool conversation_write(int socket, struct iovec *part, int count) {
    struct iovec *end = part + count;
    while (part < end) {
        const ssize_t sent = sendmsg(
            socket, &(struct msghdr){.msg_iov = part, .msg_iovlen = (size_t)(end - part)}, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return false;
        size_t left = sent > 0 ? (size_t)sent : 0;
        while (part < end && left >= part->iov_len) {
            left -= part->iov_len;
            part++;
        }
        if (part < end) {
            part->iov_base = (char *)part->iov_base + left;
            part->iov_len -= left;
        }
    }
    return true;
}
