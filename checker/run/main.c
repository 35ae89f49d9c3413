/* make run: the operator of a submission, called on a matrix of one's own, and each row set beside the
 * oracle.
 *
 * It is the checker with a suite of one check that is made here: so what is found while the call runs (a
 * race, a read out of bounds, a crash) is told in the words of make check.
 *
 * Exit code: 0 every row is right, 1 not, 2 it is not written yet, 3 nothing was run; 64 for options that
 * make no sense. */
#include "base/memory.h"
#include "check/context.h"
#include "check/source_lines.h"
#include "grading/run_check.h"
#include "link/runner_process.h"
#include "matrix.h"
#include "npy.h"
#include "report/report.h"
#include <argp.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

enum { SHOWN_ROWS = 8, ONLINE_CALLS = 32 };

static const char *exercise, *input, *output, *shape, *type_name, *runtime = "simulator";
static long long parameter = -1;
static bool all_rows;
static struct session session = {.implementation = "exercise", .seed = 1, .patience = 4};

/* The running case: libcheck's check takes no argument of ours. */
static struct run_matrix matrix;

static const struct argp_option known[] = {
    {"exercise", 'e', "NAME", 0, "whose operator to call", 0},
    {"implementation", 'I', "KIND", 0, "for the first line: exercise, solution, submission", 0},
    {"submission", 's', "FILE", 0, "the shared object", 0},
    {"source", 'S', "FOLDER", 0, "the folder of its sources", 0},
    {"runner", 'r', "FILE", 0, "the program that runs it", 0},
    {"runtime", 'R', "NAME", 0, "simulator, cuda or host", 0},
    {"input", 'i', "FILE", 0, "a matrix, .npy", 0},
    {"shape", 'x', "ROWSxCOLS", 0, "draw a matrix instead", 0},
    {"output", 'o', "FILE", 0, "write the result here, .npy", 0},
    {"type", 't', "TYPE", 0, "FP32, FP16 or BF16", 0},
    {"parameter", 'p', "N", 0, "chunk, or rows_per_block", 0},
    {"seed", 'n', "N", 0, "where random numbers start", 0},
    {"all", 'a', NULL, 0, "show every row", 0},
    {0},
};

static error_t take_option(int key, char *argument, struct argp_state *state) {
    char *end = "";
    switch (key) {
    case 'e':
        exercise = argument;
        break;
    case 'I':
        session.implementation = argument;
        break;
    case 's':
        session.submission = argument;
        break;
    case 'S':
        session.source = argument;
        break;
    case 'r':
        session.runner = argument;
        break;
    case 'R':
        runtime = argument;
        break;
    case 'i':
        input = argument;
        break;
    case 'x':
        shape = argument;
        break;
    case 'o':
        output = argument;
        break;
    case 't':
        type_name = argument;
        break;
    case 'p':
        parameter = strtoll(argument, &end, 10);
        break;
    case 'n':
        session.seed = strtoull(argument, &end, 10);
        break;
    case 'a':
        all_rows = true;
        break;
    case ARGP_KEY_ARG:
        argp_failure(state, EX_USAGE, 0, "'%s' is not an option.", argument);
        break;
    default:
        return ARGP_ERR_UNKNOWN;
    }
    if (*end != '\0' || end == argument)
        argp_failure(state, EX_USAGE, 0, "'%s' is no whole number.", argument);
    return 0;
}

static _Noreturn void stop(char *sentence) {
    puts(sentence);
    free(sentence);
    exit(3);
}

static bool is_online(void) {
    return strcmp(exercise, "online_softmax") == 0;
}

static enum element_type element_of(const char *npy_type) {
    const bool bf16 = type_name && strcmp(type_name, "BF16") == 0;
    if (strcmp(npy_type, "u2") == 0 && !bf16)
        stop(format_text("%s holds 16-bit whole numbers. If they are BF16, say TYPE=BF16.", input));
    if (bf16 && strcmp(npy_type, "u2") != 0)
        stop(format_text("TYPE=BF16 takes a file of '<u2', for NumPy has no BF16; %s holds '<%s'.", input,
                         npy_type));
    const enum element_type type = bf16                          ? TYPE_BF16
                                   : strcmp(npy_type, "f2") == 0 ? TYPE_FP16
                                   : strcmp(npy_type, "f8") == 0 ? TYPE_FP64
                                                                 : TYPE_FP32;
    if (!bf16 && type_name && strcmp(type_name, element_name(type)) != 0)
        stop(format_text("TYPE=%s, and %s holds '<%s'.", type_name, input, npy_type));
    if (is_online() && type != TYPE_FP64 && type != TYPE_FP32)
        stop(format_text("online_softmax works on FP64: give it a file of '<f8' or '<f4', not '<%s'.",
                         npy_type));
    if (!is_online() && type == TYPE_FP64)
        stop(format_text("%s takes FP32, FP16 and BF16; %s holds FP64. Save it with .astype('<f4').",
                         exercise, input));
    return type;
}

/* Puts the numbers of the file, or drawn ones, into the matrix. online_softmax gets FP64 whatever the file
 * holds. */
static void read_matrix(void) {
    struct npy npy;
    char *trouble = npy_read(input, &npy);
    if (trouble)
        stop(trouble);
    const enum element_type held = element_of(npy.type);
    matrix = (struct run_matrix){is_online() ? TYPE_FP64 : held, npy.rows, npy.cols, npy.data, NULL};
    if (held == matrix.type)
        return;
    const size_t count = (size_t)(npy.rows * npy.cols);
    matrix.x = get_memory(count * sizeof(double) + 1);
    for (size_t i = 0; i < count; i++)
        element_put(matrix.x, i, TYPE_FP64, element_get(npy.data, i, held));
    free(npy.data);
}

static void draw_matrix(struct context *context) {
    const size_t count = (size_t)(matrix.rows * matrix.cols);
    matrix.x = get_memory(count * element_bytes(matrix.type) + 1);
    for (size_t i = 0; i < count; i++)
        element_put(matrix.x, i, matrix.type, 3 * check_normal(context));
}

static void read_shape(void) {
    char *end = "";
    matrix.rows = strtoll(shape, &end, 10);
    if (end == shape || *end != 'x' || end[1] < '0' || end[1] > '9')
        stop(format_text("SHAPE is rows x columns, such as 4x32769, not '%s'.", shape));
    matrix.cols = strtoll(end + 1, &end, 10);
    if (*end || matrix.rows < 0 || matrix.cols < 0 || matrix.rows > NPY_MAX_ELEMENTS ||
        matrix.cols > NPY_MAX_ELEMENTS || matrix.rows * matrix.cols > NPY_MAX_ELEMENTS)
        stop(format_text("SHAPE=%s is no shape that make run takes: at most %d numbers in all.", shape,
                         NPY_MAX_ELEMENTS));
    matrix.type = is_online() ? TYPE_FP64 : TYPE_FP32;
    for (int i = 0; i < 3 && type_name && !is_online(); i++)
        if (strcmp(type_name, element_name(supported_types[i])) == 0)
            matrix.type = supported_types[i];
    if (type_name && strcmp(type_name, element_name(matrix.type)) != 0)
        stop(format_text(is_online() ? "online_softmax works on FP64, not on %s."
                                     : "TYPE is FP32, FP16 or BF16, not '%s'.",
                         type_name));
}

/* What was kept back until numbers turned out wrong: a lane that was not there. */
static char *warning;

/* What the contract says against these arguments, or NULL. The pointers, the types and the pitch are valid
 * here. */
static const char *refusal(void) {
    if (is_online())
        return parameter == 0 ? "chunk 0 is EINVAL" : NULL;
    if (matrix.cols < 1)
        return "a row has at least one column";
    if (strcmp(exercise, "fused_softmax") == 0) {
        if (parameter != 1 && parameter != 2 && parameter != 4 && parameter != 8)
            return "rows_per_block is 1, 2, 4 or 8";
        return matrix.cols > 1024 ? "a row has at most 1024 columns" : NULL;
    }
    if (parameter != 256 && parameter != 1024 && parameter != 4096)
        return "chunk is 256, 1024 or 4096";
    return matrix.cols > 131072 ? "a row has at most 131072 columns" : NULL;
}

/* Where the contract refuses the arguments, to refuse them is right. */
static void judge_refusal(struct context *context, const char *rule, const char *code) {
    if (code)
        check_skip(context, "It was refused with %s, as the contract asks: %s.", code, rule);
    check_fail(context, "It was not refused, and the contract asks for it: %s.", rule);
}

static int64_t pitch_of(void) {
    return strcmp(exercise, "fused_softmax") == 0 ? (matrix.cols + 3) / 4 * 4 : matrix.cols;
}

/* Copies rows between a dense matrix and one with a pitch. */
static void copy_rows(void *to, int64_t to_pitch, const void *from, int64_t from_pitch) {
    const size_t bytes = element_bytes(matrix.type);
    for (int64_t row = 0; row < matrix.rows; row++)
        memcpy((char *)to + (size_t)(row * to_pitch) * bytes,
               (const char *)from + (size_t)(row * from_pitch) * bytes, (size_t)matrix.cols * bytes);
}

static void run_cuda(struct context *context) {
    const int64_t pitch = pitch_of();
    const size_t bytes = (size_t)(matrix.rows * pitch) * element_bytes(matrix.type);
    /* Padding behind the last row is memory that no one has written. */
    const size_t written = bytes > 0 ? bytes - (size_t)(pitch - matrix.cols) * element_bytes(matrix.type) : 0;
    char *padded = check_memory(context, bytes);
    memset(padded, 0xff, bytes); /* NaN between the rows */
    copy_rows(padded, pitch, matrix.x, matrix.cols);
    struct test_case *test_case = case_new(context);
    const int x = case_buffer(test_case, "x", PLACE_DEVICE, BUFFER_READ_ONLY, bytes, padded, written);
    const int y = case_buffer(test_case, "y", PLACE_DEVICE, BUFFER_RETURN, bytes, NULL, 0);
    const bool fused = strcmp(exercise, "fused_softmax") == 0;
    const int step = case_call(
        test_case, fused ? FUNCTION_FUSED_SOFTMAX : FUNCTION_SPLIT_SOFTMAX,
        case_stream(test_case, STREAM_NONBLOCKING),
        (struct arguments){.number = {parameter},
                           .operand = {matrix_in(x, matrix.type, matrix.rows, matrix.cols, pitch),
                                       matrix_in(y, matrix.type, matrix.rows, matrix.cols, pitch)}});
    case_wait_device(test_case);
    const struct outcome *outcome = case_run(test_case);
    check_clean(context, outcome);
    const struct returned *returned = outcome_return(outcome, step);
    if (refusal() && returned && returned->value != 801)
        judge_refusal(context, refusal(), returned->value == 1 ? "cudaErrorInvalidValue" : NULL);
    check_success(context, outcome, step, exercise);
    copy_rows(matrix.y, matrix.cols, outcome_buffer(context, outcome, y), pitch);
}

/* A call for each row, so many to a case. */
static void run_online(struct context *context) {
    const size_t row_bytes = (size_t)matrix.cols * sizeof(double);
    for (int64_t first = 0; first < matrix.rows; first += ONLINE_CALLS) {
        const int64_t rows = matrix.rows - first < ONLINE_CALLS ? matrix.rows - first : ONLINE_CALLS;
        const size_t bytes = (size_t)rows * row_bytes;
        struct test_case *test_case = case_new(context);
        const int stream = case_stream(test_case, STREAM_LEGACY);
        const int x = case_buffer(test_case, "values", PLACE_HOST, BUFFER_READ_ONLY, bytes,
                                  (char *)matrix.x + (size_t)first * row_bytes, bytes);
        const int y = case_buffer(test_case, "out", PLACE_HOST, BUFFER_RETURN, bytes, NULL, 0);
        for (int64_t row = 0; row < rows; row++)
            case_call(test_case, FUNCTION_ONLINE_STREAMING, stream,
                      (struct arguments){.number = {matrix.cols, parameter},
                                         .operand = {at_buffer(x, row * (int64_t)row_bytes),
                                                     at_buffer(y, row * (int64_t)row_bytes)}});
        const struct outcome *outcome = case_run(test_case);
        check_clean(context, outcome);
        if (refusal() && outcome->return_count > 0 && outcome->returns[0].value != ENOSYS)
            judge_refusal(context, refusal(), outcome->returns[0].value == EINVAL ? "EINVAL" : NULL);
        for (size_t i = 0; i < outcome->return_count; i++)
            if (outcome->returns[i].value == ENOSYS)
                check_todo(context);
            else if (outcome->returns[i].value != 0)
                check_fail(context, "softmax_streaming returned %lld (%s), and not 0.",
                           (long long)outcome->returns[i].value, strerror((int)outcome->returns[i].value));
        memcpy((char *)matrix.y + (size_t)first * row_bytes, outcome_buffer(context, outcome, y), bytes);
    }
}

static struct tolerance tolerance(void) {
    if (is_online())
        return (struct tolerance){1e-12, 0};
    if (matrix.type != TYPE_FP32)
        return (struct tolerance){1e-2, 2e-5};
    return strcmp(exercise, "fused_softmax") == 0 ? (struct tolerance){1e-5, 1e-8}
                                                  : (struct tolerance){3e-5, 2e-7};
}

static void run(struct context *context) {
    if (shape)
        draw_matrix(context);
    matrix.y = get_memory((size_t)(matrix.rows * matrix.cols) * element_bytes(matrix.type) + 1);
    if (is_online())
        run_online(context);
    else
        run_cuda(context);
    for (int64_t row = 0; row < matrix.rows && !warning; row++)
        if (row_compare(&matrix, row, tolerance()).wrong > 0) {
            warning = copy_text(explain_by_warning(context) ? context->means : "");
            make_plain(warning);
        }
}

/* The first rows, and those that are wrong; returns how many of all are. */
static int64_t show_rows(void) {
    int64_t wrong = 0, shown = 0;
    for (int64_t row = 0; row < matrix.rows; row++) {
        const struct row_result result = row_compare(&matrix, row, tolerance());
        wrong += result.wrong > 0;
        if (!all_rows && shown >= SHOWN_ROWS && !(result.wrong > 0 && shown < 2 * SHOWN_ROWS))
            continue;
        row_print(&matrix, row, &result);
        shown++;
    }
    if (shown < matrix.rows)
        printf("  and %lld rows more; V=1 shows all\n", (long long)(matrix.rows - shown));
    return wrong;
}

static void write_output(void) {
    const char *type = matrix.type == TYPE_FP64   ? "f8"
                       : matrix.type == TYPE_FP16 ? "f2"
                       : matrix.type == TYPE_BF16 ? "u2"
                                                  : "f4";
    struct npy npy = {.element_bytes = element_bytes(matrix.type),
                      .rows = matrix.rows,
                      .cols = matrix.cols,
                      .data = matrix.y};
    snprintf(npy.type, sizeof npy.type, "%s", type);
    char *trouble = npy_write(output, &npy);
    if (trouble)
        stop(trouble);
    printf("Written: %s\n", output);
}

static int tell(const struct verdict *verdict) {
    if (verdict->status == STATUS_TODO) {
        puts("The operator is not written yet, or not for these arguments: it returned \"not supported\".");
        return 2;
    }
    if (verdict->status == STATUS_SKIP) {
        puts(verdict->found);
        return 0;
    }
    if (verdict->status != STATUS_PASS) {
        const char *const parts[][2] = {{"", verdict->found},
                                        {"Where: ", verdict->where},
                                        {"What it usually means: ", verdict->means},
                                        {"", verdict->notes},
                                        {"Your program printed: ", verdict->printed}};
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            char *text = format_text("%s%s", parts[i][0], parts[i][1]);
            if (parts[i][1][0])
                print_wrapped(stdout, text, 2);
            free(text);
        }
        return 1;
    }
    const int64_t wrong = show_rows();
    printf("%lld of %lld rows are right.\n", (long long)(matrix.rows - wrong), (long long)matrix.rows);
    if (warning && warning[0])
        print_wrapped(stdout, warning, 2);
    if (verdict->printed[0])
        printf("Your program printed:\n%s\n", verdict->printed);
    if (output)
        write_output();
    return wrong > 0;
}

int main(int count, char **arguments) {
    const struct argp argp = {known, take_option, NULL, "Calls an operator on a matrix. `make run` calls it.",
                              NULL,  NULL,        NULL};
    argp_parse(&argp, count, arguments, 0, NULL, NULL);
    for (size_t i = 0; all_suites[i] && exercise; i++)
        if (strcmp(all_suites[i]->exercise, exercise) == 0)
            session.suite = all_suites[i];
    if (!session.suite || !session.submission || !session.source || !session.runner || !input == !shape)
        stop(copy_text("run: the options make no sense; make run gives the right ones."));
    if (input)
        read_matrix();
    else
        read_shape();
    if (parameter < 0)
        parameter = strcmp(exercise, "fused_softmax") == 0 ? 1 : 1024;
    session.ready.runtime = runtime_named(runtime);
    snprintf(session.ready.device, sizeof session.ready.device, "the GPU");
    char *line = report_first_line(&session);
    printf("%s\n%lld x %lld, %s, %s %lld\n\n", line, (long long)matrix.rows, (long long)matrix.cols,
           element_name(matrix.type), strcmp(exercise, "fused_softmax") == 0 ? "rows_per_block" : "chunk",
           parameter);
    fflush(stdout);
    free(line);

    static const struct check check = {
        .id = "run.matrix", .title = "a matrix of one's own", .run = run, .seconds = 60};
    struct runner *runner = get_memory(sizeof *runner);
    runner->program = session.runner;
    runner->submission = session.submission;
    struct symbols *symbols = symbols_open(session.submission, session.source);
    struct verdict verdict = perform(&session, &check, runner, symbols);
    const int status = tell(&verdict);
    runner_stop(runner);
    verdict_free(&verdict);
    symbols_close(symbols);
    free(runner);
    free(matrix.x);
    free(matrix.y);
    free(warning);
    return status;
}
