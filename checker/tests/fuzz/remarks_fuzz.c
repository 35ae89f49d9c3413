/* The reader of a CUDA file's text. What it remarks on lies in the text. */
#include "fuzz.h"
#include "remarks/buffer.h"
#include "remarks/remarks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    struct remarks remarks = {0};
    int lines = 1;
    for (size_t i = 0; i < size; i++)
        lines += text[i] == '\n';
    remarks_read(text, size, &remarks);
    for (size_t i = 0; i < remarks.count; i++)
        must(remarks.items[i].line >= 1 && remarks.items[i].line <= lines && remarks.items[i].id[0]);
    remarks_free(&remarks);
    free(text);
    return 0;
}
