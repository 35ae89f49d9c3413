/* .npy: "\x93NUMPY", the version in two bytes, the length of the header in two bytes (version 1) or four, and
 * the header: a Python dictionary such as {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }. The
 * numbers follow. */
#include "npy.h"
#include "base/memory.h"
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char magic[] = {'\x93', 'N', 'U', 'M', 'P', 'Y'};

enum { MAX_HEADER = 4096 };

/* What follows 'key': in the dictionary, or NULL. */
static const char *value_of(const char *header, const char *key) {
    char quoted[32];
    for (const char *quotes = "'\""; *quotes; quotes++) {
        snprintf(quoted, sizeof quoted, "%c%s%c", *quotes, key, *quotes);
        const char *found = strstr(header, quoted);
        if (!found)
            continue;
        found += strlen(quoted);
        found += strspn(found, " \t");
        if (*found == ':')
            return found + 1 + strspn(found + 1, " \t");
    }
    return NULL;
}

static char *read_type(const char *path, const char *header, struct npy *npy) {
    static const char *const known[] = {"f2", "f4", "f8", "u2"};
    const char *text = value_of(header, "descr");
    if (!text || (*text != '\'' && *text != '"'))
        return format_text("%s holds no plain numbers: its 'descr' is no type.", path);
    const size_t length = strcspn(text + 1, "'\"");
    if (text[1] == '>')
        return format_text("%s holds big-endian numbers (%.*s). Save it with .astype('<f4') first.", path,
                           (int)length, text + 1);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (length == 3 && text[1] == '<' && strncmp(text + 2, known[i], 2) == 0) {
            snprintf(npy->type, sizeof npy->type, "%s", known[i]);
            npy->element_bytes = (size_t)(known[i][1] - '0');
            return NULL;
        }
    return format_text(
        "%s holds numbers of the type %.*s. It takes '<f4', '<f2', for BF16 '<u2', for online_softmax '<f8'.",
        path, (int)(length < 20 ? length : 20), text + 1);
}

static char *read_shape(const char *path, const char *header, struct npy *npy) {
    const char *text = value_of(header, "shape");
    long long size[3] = {0};
    int dimensions = 0;
    if (!text || *text++ != '(')
        return format_text("%s has a header without a shape.", path);
    while (*(text += strspn(text, " ,")) != ')') {
        char *end;
        errno = 0;
        const long long number = strtoll(text, &end, 10);
        if (end == text || errno || number < 0)
            return format_text("%s has a shape that cannot be read.", path);
        if (dimensions < 3)
            size[dimensions] = number;
        dimensions++;
        text = end;
    }
    if (dimensions != 1 && dimensions != 2)
        return format_text("%s has %d dimensions. A matrix has two, and a single row may have one.", path,
                           dimensions);
    npy->rows = dimensions == 1 ? 1 : size[0];
    npy->cols = size[dimensions - 1];
    if (npy->rows > NPY_MAX_ELEMENTS || npy->cols > NPY_MAX_ELEMENTS ||
        npy->rows * npy->cols > NPY_MAX_ELEMENTS)
        return format_text("%s has %lld x %lld numbers; %d are the most that make run takes.", path,
                           (long long)npy->rows, (long long)npy->cols, NPY_MAX_ELEMENTS);
    return NULL;
}

/* Reads the header to its end. *header: from malloc. */
static char *read_header(const char *path, FILE *file, char **header) {
    unsigned char start[12];
    if (fread(start, 1, 8, file) != 8 || memcmp(start, magic, sizeof magic) != 0)
        return format_text("%s is no .npy file: it does not begin as one. numpy.save writes them.", path);
    if (start[6] < 1 || start[6] > 3)
        return format_text("%s has version %d of the format; 1, 2 and 3 are known here.", path, start[6]);
    const size_t width = start[6] == 1 ? 2 : 4;
    if (fread(start + 8, 1, width, file) != width)
        return format_text("%s ends in the middle of its header.", path);
    size_t length = 0;
    for (size_t i = 0; i < width; i++)
        length |= (size_t)start[8 + i] << (8 * i);
    if (length > MAX_HEADER)
        return format_text("%s has a header of %zu bytes, more than a matrix needs.", path, length);
    *header = get_memory(length + 1);
    if (fread(*header, 1, length, file) != length)
        return format_text("%s ends in the middle of its header.", path);
    return NULL;
}

static char *read_data(const char *path, FILE *file, struct npy *npy) {
    const size_t bytes = (size_t)npy->rows * (size_t)npy->cols * npy->element_bytes;
    npy->data = get_memory(bytes + 1);
    const size_t got = fread(npy->data, 1, bytes, file);
    if (got == bytes && fgetc(file) == EOF)
        return NULL;
    free(npy->data);
    npy->data = NULL;
    return got < bytes ? format_text("%s is cut off: it holds %zu bytes of numbers, and its shape says %zu.",
                                     path, got, bytes)
                       : format_text("%s goes on after the last number that its shape says.", path);
}

char *npy_read(const char *path, struct npy *npy) {
    memset(npy, 0, sizeof *npy);
    FILE *file = fopen(path, "rb");
    if (!file)
        return format_text("%s cannot be opened: %s.", path, strerror(errno));
    char *header = NULL, *trouble = read_header(path, file, &header);
    if (!trouble)
        trouble = read_type(path, header, npy);
    if (!trouble)
        trouble = read_shape(path, header, npy);
    if (!trouble) {
        const char *order = value_of(header, "fortran_order");
        if (!order || strncmp(order, "False", 5) != 0)
            trouble = format_text(
                "%s is stored column after column. Save it with numpy.ascontiguousarray(...) first.", path);
    }
    if (!trouble)
        trouble = read_data(path, file, npy);
    if (trouble)
        make_plain(trouble);
    free(header);
    fclose(file);
    return trouble;
}

char *npy_write(const char *path, const struct npy *npy) {
    enum { START = 10, ALIGNMENT = 64 };
    char header[256];
    int length =
        snprintf(header, sizeof header, "{'descr': '<%s', 'fortran_order': False, 'shape': (%lld, %lld), }",
                 npy->type, (long long)npy->rows, (long long)npy->cols);
    while ((START + length + 1) % ALIGNMENT != 0)
        header[length++] = ' ';
    header[length++] = '\n';
    const unsigned char version[] = {1, 0, (unsigned char)(length & 255), (unsigned char)(length >> 8)};
    const size_t bytes = (size_t)npy->rows * (size_t)npy->cols * npy->element_bytes;
    char *beside = format_text("%s.new", path);
    FILE *file = fopen(beside, "wb");
    bool good = file && fwrite(magic, 1, sizeof magic, file) == sizeof magic &&
                fwrite(version, 1, sizeof version, file) == sizeof version &&
                fwrite(header, 1, (size_t)length, file) == (size_t)length &&
                fwrite(npy->data, 1, bytes, file) == bytes;
    if (file)
        good &= fclose(file) == 0;
    good = good && rename(beside, path) == 0;
    char *trouble = good ? NULL : format_text("%s cannot be written: %s.", path, strerror(errno));
    if (!good && file)
        unlink(beside);
    free(beside);
    return trouble;
}
