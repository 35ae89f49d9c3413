/* agree: do two records of make bench agree?
 *
 *   agree A.json B.json
 *
 * Ends with 0 where all medians over 10 us are within 5 %, 1 where one is not, 3 where nothing could be
 * compared. */
#include "document.h"
#include "two_runs.h"
#include <stdlib.h>

enum { AGREE = 0, DISAGREE = 1, NOTHING_COMPARED = 3 };

static json_t *read_record(const char *path) {
    char *trouble = NULL;
    json_t *document = document_read(path, &trouble);
    if (document == NULL)
        stop("%s", trouble);
    return document;
}

int main(int count, char **arguments) {
    if (count != 3)
        stop("agree A.json B.json");
    json_t *a = read_record(arguments[1]), *b = read_record(arguments[2]);
    char *refusal = two_runs_refuse(a, b);
    if (refusal)
        stop("%s", refusal);
    const struct two_runs runs = two_runs_compare(a, b);
    two_runs_print_differences(stdout, a, b);
    two_runs_print(stdout, &runs);
    json_decref(a);
    json_decref(b);
    return runs.compared == 0 ? NOTHING_COMPARED : runs.within == runs.compared ? AGREE : DISAGREE;
}
