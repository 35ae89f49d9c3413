/* printf of device code: the C library's, but for %n, which CUDA's has not and which would write where nobody
 * looks. */
#include "simulator.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static bool writes_a_number(const char *format) {
    while ((format = strchr(format, '%'))) {
        format += 1 + strspn(format + 1, "#0- +'I.*$123456789hlLqjzt");
        if (*format == 'n')
            return true;
        format += *format != '\0';
    }
    return false;
}

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

int sim_print(const char *format, ...) {
    if (writes_a_number(format)) {
        struct finding finding = finding_new(FINDING_BAD_CALL, __builtin_return_address(0));
        finding_text(&finding, "printf of device code does not take %%n");
        finding_send(&finding);
        block_abort();
    }
    va_list arguments;
    va_start(arguments, format);
    const int count = vprintf(format, arguments);
    va_end(arguments);
    return count;
}
