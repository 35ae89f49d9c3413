/* report: make report. Puts what check, bench, compare and map left into one page (page/page.h).
 *
 *   report --exercise EX --folder FOLDER --implementation I --date DATE --digests FILE --environment FILE [--old]
 *
 * Reads FOLDER/last.json (or check.json), bench.json, compare.json, answers.md and the pictures; writes FOLDER/report.html.
 * Ends with 0, or 3: there is no check, or the page could not be written. */
#include "base/memory.h"
#include "document.h"
#include "exercises/exercises.h"
#include "page/page.h"
#include "settings.h"
#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <unistd.h>

/* A record, or null: with a sentence where there is a file that is none. */
static json_t *read_json(const struct page *page, const char *name, const char *key, const char *value,
                         const char *command) {
    char *path = format_text("%s/%s", page->folder, name);
    json_error_t error;
    json_t *json = json_load_file(path, 0, &error);
    if (access(path, F_OK) != 0) {
        free(path);
        return NULL;
    }
    const char *found = text_in(json, key), *of = text_in(json, "exercise");
    if (json == NULL || strcmp(found, value) != 0 || strcmp(of, page->exercise) != 0) {
        printf("%s is %s: it is left out. make %s EX=%s writes it anew.\n", path,
               json == NULL ? "damaged" : "no record of this exercise", command, page->exercise);
        json_decref(json);
        json = NULL;
    }
    free(path);
    return json;
}

static json_t *read_check(const struct page *page) {
    json_t *check = read_json(page, "last.json", "exercise", page->exercise, "check");
    if (check == NULL || strcmp(page->implementation, "exercise") != 0) {
        json_decref(check);
        check = read_json(page, "check.json", "exercise", page->exercise, "check");
    }
    if (check == NULL || !json_is_array(json_object_get(check, "checks")))
        stop("Nothing of %s has been checked yet, so there is nothing to report: make check EX=%s first.",
             page->exercise, page->exercise);
    return check;
}

static void write_page(const struct page *page) {
    char *answers = format_text("%s/answers.md", page->folder);
    html_begin(page);
    section_score(page);
    section_sweep(page);
    section_comparison(page);
    section_map(page);
    fputs("<h2>Hypothesis, explanation, answers</h2>\n", page->out);
    if (!answers_write(page->out, answers))
        fputs("<p class=\"note\">answers.md could not be read.</p>\n", page->out);
    section_colophon(page);
    html_end(page);
    free(answers);
}

int main(int count, char **arguments) {
    static const struct option known[] = {{"exercise", required_argument, NULL, 'e'},
                                          {"folder", required_argument, NULL, 'f'},
                                          {"implementation", required_argument, NULL, 'i'},
                                          {"date", required_argument, NULL, 'd'},
                                          {"digests", required_argument, NULL, 's'},
                                          {"environment", required_argument, NULL, 'v'},
                                          {"old", no_argument, NULL, 'o'},
                                          {0}};
    struct page page = {.exercise = "", .implementation = "exercise", .date = ""};
    const char *digests = NULL;
    int option;
    while ((option = getopt_long(count, arguments, "", known, NULL)) != -1) {
        switch (option) {
        case 'e':
            page.exercise = optarg;
            break;
        case 'f':
            page.folder = optarg;
            break;
        case 'i':
            page.implementation = optarg;
            break;
        case 'd':
            page.date = optarg;
            break;
        case 's':
            digests = optarg;
            break;
        case 'v':
            page.environment = optarg;
            break;
        case 'o':
            page.check_is_old = true;
            break;
        default:
            return 3;
        }
    }
    if (page.folder == NULL)
        stop("make report calls this program, with --folder.");
    const struct exercise_entry *entry = exercise_entry(page.exercise);
    page.is_cuda = entry && strcmp(entry->runner, "simulator") == 0;
    page.check = read_check(&page);
    page.bench = read_json(&page, "bench.json", "format", FORMAT_NAME, "bench");
    page.compare = read_json(&page, "compare.json", "format", "softmax-workshop compare", "compare");
    page.digests = document_sources(digests);
    char *path = format_text("%s/report.html", page.folder),
         *aside = format_text("%s.%ld", path, (long)getpid());
    page.out = fopen(aside, "w");
    if (page.out == NULL)
        stop("%s cannot be written: %s.", path, strerror(errno));
    write_page(&page);
    const bool failed = ferror(page.out) != 0;
    if (fclose(page.out) != 0 || failed || rename(aside, path) != 0) {
        unlink(aside);
        stop("%s could not be written whole; what was there before is as it was.", path);
    }
    printf("written: %s\n", path);
    return 0;
}
