/* From an address to a source line: addr2line once for each distinct address.
 *
 * addr2line -i prints two lines for each function inlined at the address, innermost first: a name, and
 * file:line. Kernels of the workshop call intrinsics and templates from headers; a student wants the line in
 * the file that they wrote. */
#include "check/source_lines.h"
#include "base/memory.h"
#include "link/protocol.h"
#include <ctype.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct known_line {
    uint64_t pc;
    struct source_line line;
};

struct symbols {
    char *submission, *device; /* the libraries of its host side and its device side */
    char *source;
    char *source_path; /* absolute, or "" */
    struct list known; /* of struct known_line * */
};

struct symbols *symbols_open(const char *submission, const char *source) {
    struct symbols *symbols = get_memory(sizeof *symbols);
    char path[PATH_MAX];
    const char *name = strrchr(submission, '/');
    symbols->submission = copy_text(submission);
    symbols->device = format_text("%.*sdevice.so", name ? (int)(name + 1 - submission) : 0, submission);
    symbols->source = copy_text(source);
    symbols->source_path = copy_text(source && realpath(source, path) ? path : "");
    for (size_t length = strlen(symbols->source); length > 1 && symbols->source[length - 1] == '/'; length--)
        symbols->source[length - 1] = '\0';
    symbols->known.item_bytes = sizeof(struct known_line *);
    return symbols;
}

void symbols_close(struct symbols *symbols) {
    struct known_line **known = symbols->known.items;
    for (size_t i = 0; i < symbols->known.count; i++) {
        free(known[i]->line.where);
        free(known[i]->line.quote);
        free(known[i]->line.from);
        free(known[i]);
    }
    free(known);
    free(symbols->submission);
    free(symbols->device);
    free(symbols->source);
    free(symbols->source_path);
    free(symbols);
}

/* Returns what addr2line prints, or NULL; to be closed with pclose's kin below. */
static FILE *start_addr2line(const char *submission, uint64_t address, pid_t *pid) {
    int ends[2];
    if (pipe(ends) != 0)
        return NULL;
    *pid = fork();
    if (*pid == 0) {
        char text[32];
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)address);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(127);
        execlp("addr2line", "addr2line", "-i", "-e", submission, text, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    return fdopen(ends[0], "r");
}

/* Splits "path:41" or "path:41 (discriminator 3)". Returns the line, 0 when there is none. */
static int split_line(char *text) {
    char *colon = strrchr(text, ':');
    if (colon == NULL || !isdigit((unsigned char)colon[1]))
        return 0;
    *colon = '\0';
    return atoi(colon + 1);
}

/* The file's name in the student's folder, or NULL when it lies elsewhere. */
static const char *in_source(const struct symbols *symbols, const char *path, char found[PATH_MAX]) {
    const size_t length = strlen(symbols->source_path);
    if (length == 0)
        return NULL;
    char real[PATH_MAX];
    if (realpath(path, real) && strncmp(real, symbols->source_path, length) == 0 && real[length] == '/')
        return strcpy(found, real + length + 1);
    /* Compiled elsewhere, or from a copy: the folder may have a file of that name. */
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    snprintf(real, sizeof real, "%s/%s", symbols->source_path, name);
    return access(path, R_OK) != 0 && access(real, R_OK) == 0 ? strcpy(found, name) : NULL;
}

char *symbols_quote(const char *folder, const char *name, int line) {
    char *path = format_text("%s/%s", folder, name), *text = NULL, *quote = NULL;
    FILE *file = fopen(path, "r");
    size_t capacity = 0;
    for (int i = 1; file && i <= line && getline(&text, &capacity, file) > 0; i++)
        if (i == line) {
            const char *start = text + strspn(text, " \t");
            quote = format_text("%.*s", (int)strcspn(start, "\r\n"), start);
            make_plain(quote);
        }
    if (file)
        fclose(file);
    free(text);
    free(path);
    return quote ? quote : copy_text("");
}

struct source_line symbols_read(const struct symbols *symbols, FILE *lines) {
    struct source_line answer = {NULL, NULL, NULL};
    char *path = NULL, *fallback = NULL, found[PATH_MAX];
    size_t capacity = 0;
    while (lines && getline(&path, &capacity, lines) > 0) {
        const int line = split_line(path);
        if (line == 0)
            continue;
        const char *name = in_source(symbols, path, found);
        if (name && answer.where) {
            free(answer.from);
            answer.from = format_text("%s/%s:%d", symbols->source, name, line);
        } else if (name) {
            answer.where = format_text("%s/%s:%d", symbols->source, name, line);
            answer.quote = symbols_quote(symbols->source_path, name, line);
        } else if (fallback == NULL)
            fallback = format_text("%s:%d", path, line);
    }
    free(path);
    if (answer.where == NULL) {
        answer.where = fallback ? copy_text(fallback) : copy_text("");
        answer.quote = copy_text("");
    }
    free(fallback);
    make_plain(answer.where);
    if (answer.from == NULL)
        answer.from = copy_text(answer.where);
    make_plain(answer.from);
    return answer;
}

static struct source_line look_up(const struct symbols *symbols, uint64_t pc) {
    pid_t pid;
    const bool device = (pc & PC_OF_DEVICE) != 0;
    FILE *lines =
        start_addr2line(device ? symbols->device : symbols->submission, (pc & ~PC_OF_DEVICE) - 1, &pid);
    const struct source_line answer = symbols_read(symbols, lines);
    if (lines) {
        fclose(lines);
        waitpid(pid, NULL, 0);
    }
    return answer;
}

const struct source_line *symbols_find(struct symbols *symbols, uint64_t pc) {
    struct known_line **known = symbols->known.items;
    for (size_t i = 0; i < symbols->known.count; i++)
        if (known[i]->pc == pc)
            return &known[i]->line;
    struct known_line *fresh = get_memory(sizeof *fresh);
    fresh->pc = pc;
    fresh->line =
        pc ? look_up(symbols, pc) : (struct source_line){copy_text(""), copy_text(""), copy_text("")};
    list_add(&symbols->known, &fresh, 1);
    return &fresh->line;
}
