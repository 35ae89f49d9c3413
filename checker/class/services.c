/* check.json in the words of the services that grade: thin, one function a service.
 *
 *   gradescope   results.json of an autograder (gradescope-autograders.readthedocs.io, "Specifications")
 *   autograding  what a test runner of GitHub Classroom hands to its grading reporter, before it is put into base64
 *   classroom50  classroom50/result/v1 ("Advanced Autograding" in the wiki of foundation50/classroom50)
 *   vpl          what vpl_execution prints in Moodle's Virtual Programming Lab
 *
 * Every test that counts is visible. */
#include "base/memory.h"
#include "class.h"
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool passed(const json_t *check) {
    return strcmp(text_of(check, "status"), "pass") == 0;
}

/* What this runtime cannot look at has no points to give. */
static bool counts(const json_t *root, const json_t *check) {
    return strcmp(text_of(check, "status"), "skip") != 0 ||
           strcmp(text_of(root, "status"), "incomplete") == 0;
}

static char *title(const json_t *check) {
    return format_text("%s: %s", text_of(check, "id"), text_of(check, "title"));
}

static const char *message(const json_t *check) {
    const char *status = text_of(check, "status");
    if (*text_of(check, "message"))
        return text_of(check, "message");
    return strcmp(status, "todo") == 0 ? "Not written yet." : strcmp(status, "skip") == 0 ? "Not run." : "";
}

static char *again(const json_t *root, const char *note) {
    return format_text("%s%sThe same once more, on your machine: make check EX=%s SEED=%lld", note,
                       *note ? "\n" : "", text_of(root, "exercise"),
                       (long long)json_integer_value(json_object_get(root, "seed")));
}

static json_t *gradescope(const json_t *root, const char *note) {
    size_t i;
    json_t *check, *tests = json_array();
    json_array_foreach(json_object_get(root, "checks"), i, check) {
        if (!counts(root, check))
            continue;
        char *name = title(check);
        json_array_append_new(tests,
                              json_pack("{si si ss ss ss ss ss}", "score", number_of(check, "points"),
                                        "max_score", number_of(check, "max_points"), "status",
                                        passed(check) ? "passed" : "failed", "name", name, "output",
                                        message(check), "output_format", "text", "visibility", "visible"));
        free(name);
    }
    char *output = again(root, note);
    json_t *results = json_pack("{ss ss ss ss so}", "output", output, "output_format", "text", "visibility",
                                "visible", "stdout_visibility", "hidden", "tests", tests);
    free(output);
    return results;
}

static json_t *autograding(const json_t *root, const char *note) {
    size_t i;
    bool failed = false;
    json_t *check, *tests = json_array();
    (void)note;
    json_array_foreach(json_object_get(root, "checks"), i, check) {
        if (!counts(root, check))
            continue;
        char *name = title(check);
        failed |= !passed(check);
        json_array_append_new(
            tests, json_pack("{ss ss si si ss}", "name", name, "status", passed(check) ? "pass" : "fail",
                             "score", number_of(check, "points"), "line_no", 0, "message", message(check)));
        free(name);
    }
    return json_pack("{si ss si so}", "version", 1, "status", failed ? "fail" : "pass", "max_score",
                     number_of(root, "max_score"), "tests", tests);
}

/* Who and what is graded, its runner puts into the environment. */
static const char *given(const char *variable) {
    const char *value = getenv(variable);
    return value ? value : "";
}

static json_t *classroom50(const json_t *root, const char *note) {
    size_t i;
    json_t *check, *tests = json_array();
    char now[32];
    const time_t seconds = time(NULL);
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime(&seconds));
    (void)note;
    json_array_foreach(json_object_get(root, "checks"), i, check) {
        if (counts(root, check))
            json_array_append_new(tests,
                                  json_pack("{ss sb si si ss}", "test-name", text_of(check, "id"), "passed",
                                            passed(check), "score", number_of(check, "points"), "max-score",
                                            number_of(check, "max_points"), "message", message(check)));
    }
    const char *review = *given("REVIEW_URL") ? given("REVIEW_URL") : given("COMMIT_URL");
    json_t *result = json_pack(
        "{ss ss ss ss ss ss ss ss si si so}", "schema", "classroom50/result/v1", "classroom",
        given("CLASSROOM"), "assignment", given("ASSIGNMENT"), "submission", given("SUBMISSION_TAG"),
        "commit", given("COMMIT_URL"), "release", given("RELEASE_URL"), "review", review, "datetime", now,
        "score", number_of(root, "score"), "max-score", number_of(root, "max_score"), "tests", tests);
    const char *owner =
        *given("OWNER") ? given("OWNER") : given("USERNAME"); /* its runner sets both itself in the end */
    if (result && *owner)
        json_object_set_new(result, "owner", json_string(owner));
    if (result && *given("ASSIGNMENT_TYPE"))
        json_object_set_new(result, "assignment_type", json_string(given("ASSIGNMENT_TYPE")));
    return result;
}

/* A line of a comment never begins as a grade does, whatever the text says. */
static void print_comment(const char *text) {
    fputs("Comment :=>> ", stdout);
    for (; *text; text++) {
        if (*text == '\n')
            fputs("\nComment :=>> ", stdout);
        else if ((unsigned char)*text >= ' ' || *text == '\t')
            putchar(*text);
    }
    putchar('\n');
}

/* The activity's maximum grade has to be the exercise's, 100. */
static void print_vpl(const json_t *root, const char *note) {
    size_t i;
    json_t *check;
    json_array_foreach(json_object_get(root, "checks"), i, check) {
        if (!counts(root, check))
            continue;
        char *line = format_text("-%s (%d of %d)", text_of(check, "id"), number_of(check, "points"),
                                 number_of(check, "max_points"));
        print_comment(line);
        if (!passed(check))
            print_comment(message(check));
        free(line);
    }
    char *output = again(root, note);
    print_comment(output);
    free(output);
    printf("Grade :=>> %d\n", number_of(root, "score"));
}

int service_print(const char *service, const char *path, const char *note) {
    json_t *root = json_load_file(path, JSON_REJECT_DUPLICATES, NULL), *results = NULL;
    if (root == NULL) {
        fprintf(stderr, "%s is no check.json.\n", path);
        return 3;
    }
    if (strcmp(service, "vpl") == 0) {
        print_vpl(root, note);
        json_decref(root);
        return 0;
    }
    if (strcmp(service, "gradescope") == 0)
        results = gradescope(root, note);
    else if (strcmp(service, "autograding") == 0)
        results = autograding(root, note);
    else if (strcmp(service, "classroom50") == 0)
        results = classroom50(root, note);
    const bool good = results && json_dumpf(results, stdout, JSON_INDENT(2)) == 0 && putchar('\n') != EOF;
    json_decref(results);
    json_decref(root);
    return good ? 0 : 3;
}
