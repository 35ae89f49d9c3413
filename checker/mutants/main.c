/* The mutator's commands; `make mutants` calls them.
 *
 *   mutants list FILE            a line for each mutant: number, operator, line, before, after; tabs between
 *   mutants write FILE NUMBER    the mutated text on standard output
 *   mutants record EXERCISE FOLDER STEP RESULTS REASONS    RESULTS (record.h) as JSON on standard output.
 * Status 1 when a survivor has no reason, or a reason no survivor; it is said on standard error mutants table
 * RECORD...      such records as the tables of docs/mutants.md, on standard output */
#include "../remarks/buffer.h"
#include "mutant.h"
#include "read_file.h"
#include "record.h"
#include "table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int list(const char *path) {
    struct buffer text = read_file(path);
    struct mutants mutants = mutants_of(text.text, text.size);
    for (size_t i = 0; i < mutants.count; i++) {
        int line, column;
        char *before = mutant_lines(&mutants.items[i], text.text, text.size, false);
        char *after = mutant_lines(&mutants.items[i], text.text, text.size, true);
        line_of(text.text, mutants.items[i].start, &line, &column);
        printf("%zu\t%s\t%d\t%s\t%s\n", i + 1, mutants.items[i].operator, line, before, after);
        memory_release(before);
        memory_release(after);
    }
    mutants_free(&mutants);
    memory_release(text.text);
    return 0;
}

static int write_one(const char *path, const char *number) {
    struct buffer text = read_file(path);
    struct mutants mutants = mutants_of(text.text, text.size);
    const size_t i = strtoul(number, NULL, 10);
    if (i < 1 || i > mutants.count) {
        fprintf(stderr, "mutants: %s has no mutant %s: they are 1 to %zu.\n", path, number, mutants.count);
        return 2;
    }
    char *mutated = mutant_write(&mutants.items[i - 1], text.text, text.size);
    fputs(mutated, stdout);
    memory_release(mutated);
    mutants_free(&mutants);
    memory_release(text.text);
    return 0;
}

int main(int count, char **arguments) {
    const char *command = count > 1 ? arguments[1] : "";
    if (strcmp(command, "list") == 0 && count == 3)
        return list(arguments[2]);
    if (strcmp(command, "write") == 0 && count == 4)
        return write_one(arguments[2], arguments[3]);
    if (strcmp(command, "record") == 0 && count == 7)
        return record_write(arguments[2], arguments[3], atoi(arguments[4]), arguments[5], arguments[6]);
    if (strcmp(command, "table") == 0 && count > 2)
        return table_print(arguments + 2, (size_t)count - 2);
    fputs("usage: mutants list FILE | write FILE NUMBER | record EXERCISE FOLDER STEP RESULTS REASONS | "
          "table RECORD...\n",
          stderr);
    return 2;
}
