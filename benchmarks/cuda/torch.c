/* Talking to torch_softmax.py (see torch.h): a line to it, a line from it. */
#include "torch.h"
#include "base/memory.h"
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

struct torch {
    pid_t pid;
    FILE *to, *from;
    char line[512];
    char version[128];
    bool lost; /* it ended, or said something that makes no sense */
};

/* Sends a line and reads the answer. Returns what follows "ok ", or null; *torch->line says why. */
static const char *ask(struct torch *torch, const char *question) {
    if (torch->lost)
        return NULL;
    if (question && (fprintf(torch->to, "%s\n", question) < 0 || fflush(torch->to) != 0))
        torch->lost = true;
    if (torch->lost || fgets(torch->line, sizeof torch->line, torch->from) == NULL) {
        torch->lost = true;
        snprintf(torch->line, sizeof torch->line, "the process of PyTorch ended");
        return NULL;
    }
    torch->line[strcspn(torch->line, "\n")] = '\0';
    make_plain(torch->line);
    return strncmp(torch->line, "ok", 2) == 0 ? torch->line + 2 + (torch->line[2] == ' ') : NULL;
}

static void run_python(const char *script, int to[2], int from[2]) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    for (int i = 0; i < 2; i++) {
        close(to[i]);
        close(from[i]);
    }
    execlp("python3", "python3", script, (char *)NULL);
    _exit(127);
}

struct torch *torch_start(const char *script, char **reason) {
    int to[2], from[2];
    if (script == NULL || script[0] == '\0') {
        *reason = copy_text("no python3 with PyTorch and a GPU was found");
        return NULL;
    }
    if (pipe(to) != 0 || pipe(from) != 0) {
        *reason = copy_text("no pipe could be made to python3");
        return NULL;
    }
    struct torch *torch = get_memory(sizeof *torch);
    fflush(NULL);
    torch->pid = fork();
    if (torch->pid == 0)
        run_python(script, to, from);
    close(to[0]);
    close(from[1]);
    torch->to = fdopen(to[1], "w");
    torch->from = fdopen(from[0], "r");
    const char *version = ask(torch, NULL);
    if (version == NULL) {
        *reason = format_text("python3 could not use PyTorch: %s", torch->line);
        torch_end(torch);
        return NULL;
    }
    snprintf(torch->version, sizeof torch->version, "%s", version);
    return torch;
}

void torch_end(struct torch *torch) {
    if (torch == NULL)
        return;
    fclose(torch->to); /* at the end of its input it ends */
    fclose(torch->from);
    if (torch->pid > 0)
        waitpid(torch->pid, NULL, 0);
    free(torch);
}

const char *torch_version(const struct torch *torch) {
    return torch ? torch->version : "";
}

struct variant torch_variant(struct torch *torch, const char *reason, const struct bench_case *bench) {
    struct variant variant = {.remote = true, .checked = true, .name = "torch"};
    const struct workload *workload = &bench->workload;
    if (torch == NULL) {
        variant_give_up(&variant, VARIANT_UNAVAILABLE, copy_text(reason ? reason : "it was not asked for"));
        return variant;
    }
    char *question =
        format_text("case %lld %lld %s %d %d %zu %llu", (long long)workload->shape.rows,
                    (long long)workload->shape.cols, element_name(workload->type), bench->slot_count,
                    bench->calls, bench->gpu->flush_bytes, (unsigned long long)bench->settings->seed);
    if (ask(torch, question) == NULL)
        variant_give_up(&variant, VARIANT_UNAVAILABLE, copy_text(torch->line));
    free(question);
    return variant;
}

void torch_sample(struct torch *torch, struct variant *variant, enum mode mode) {
    char *question = format_text("sample %s %s", mode_name(mode), cache_name(mode));
    const char *answer = ask(torch, question);
    double device_us = 0, host_us = 0;
    free(question);
    if (answer && sscanf(answer, "%lf %lf", &device_us, &host_us) == 2 && device_us > 0)
        variant_keep(variant, mode, device_us, host_us);
    else
        variant_give_up(variant, VARIANT_UNAVAILABLE, copy_text(torch->line));
}

void torch_close_case(struct torch *torch, struct variant *variant) {
    if (torch == NULL || variant->status != VARIANT_TIMED)
        return;
    const char *answer = ask(torch, "close");
    if (answer)
        variant->worst_error = strtod(answer, NULL);
    else
        variant_give_up(variant, VARIANT_WRONG, copy_text(torch->line));
}
