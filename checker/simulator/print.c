/* printf of device code: the C library's, as far as CUDA has it too (CUDA C++ Programming Guide, "Format specifiers"). Not %n,
 * which would write where nobody looks; and what is no conversion at all is printed as it stands, with all that follows:
 * the C library would go on to look for another behind it. */
#include "simulator.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *skip_number(const char *at) {
    return *at == '*' ? at + 1 : at + strspn(at, "0123456789");
}

static const char *skip_size(const char *at) {
    static const char *const sizes[] = {"hh", "ll", "h", "l", "q", "L", "j", "z", "t"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (!strncmp(at, sizes[i], strlen(sizes[i])))
            return at + strlen(sizes[i]);
    return at;
}

/* The letter of the conversion whose % stands before `at`. */
static const char *letter_of(const char *at) {
    if (*at == '%')
        return at;
    at = skip_number(at + strspn(at, "#0- +'"));
    return skip_size(*at == '.' ? skip_number(at + 1) : at);
}

static void refuse(const void *pc) {
    struct finding finding = finding_new(FINDING_BAD_CALL, pc);
    finding_text(&finding, "printf of device code does not take %%n");
    finding_send(&finding);
    block_abort();
}

/* How many bytes of a format are conversions and what stands between them. */
static size_t understood(const char *format, const void *pc) {
    const char *at = format;
    while ((at = strchr(at, '%'))) {
        const char *letter = letter_of(at + 1);
        if (*letter == 'n')
            refuse(pc);
        if (*letter == '\0' || !strchr("diouxXeEfFgGaAcsp%", *letter) || (*letter == '%' && letter != at + 1))
            return (size_t)(at - format);
        at = letter + 1;
    }
    return strlen(format);
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

int sim_print(const char *format, ...) {
    const size_t length = understood(format, __builtin_return_address(0));
    char *first = strndup(format, length);
    if (!first)
        return -1;
    va_list arguments;
    va_start(arguments, format);
    const int count = vprintf(first, arguments);
    va_end(arguments);
    free(first);
    fputs(format + length, stdout);
    return count;
}
