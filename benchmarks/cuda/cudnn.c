/* cuDNN by dlopen (see cudnn.h). Types and numbers are those of cudnn_ops.h (cuDNN 8 and 9). */
#include "cudnn.h"
#include "base/memory.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

enum { DATA_FLOAT = 0, DATA_HALF = 2, DATA_BFLOAT16 = 9, SOFTMAX_ACCURATE = 1, MODE_INSTANCE = 0 };

typedef void *handle;
static int (*create)(handle *);
static int (*set_stream)(handle, cudaStream_t);
static int (*create_tensor)(handle *);
static int (*set_tensor)(handle, int type, int n, int c, int h, int w, int, int, int, int);
static int (*softmax_forward)(handle, int algorithm, int mode, const void *alpha, handle x_shape,
                              const void *x, const void *beta, handle y_shape, void *y);
static size_t (*version)(void);
static handle library_handle, tensor;
static char version_text[32];

static bool find(void *library, const char *name, void *function) {
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
    return address != NULL;
}

char *cudnn_open(void) {
    static const char *const names[] = {"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so"};
    void *library = NULL;
    if (library_handle)
        return NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && library == NULL; i++)
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library == NULL)
        return copy_text("libcudnn was not found");
    if (!find(library, "cudnnCreate", &create) || !find(library, "cudnnSetStream", &set_stream) ||
        !find(library, "cudnnCreateTensorDescriptor", &create_tensor) ||
        !find(library, "cudnnSetTensor4dDescriptorEx", &set_tensor) ||
        !find(library, "cudnnSoftmaxForward", &softmax_forward) ||
        !find(library, "cudnnGetVersion", &version))
        return copy_text("libcudnn has no softmax of the kind of cuDNN 8 and 9");
    const int status = create(&library_handle);
    if (status != 0 || create_tensor(&tensor) != 0) {
        library_handle = NULL;
        return format_text("libcudnn was found, and could not be used (status %d)", status);
    }
    const size_t number = version(); /* 91300 for 9.13.0; 8907 for 8.9.7 */
    if (number >= 90000)
        snprintf(version_text, sizeof version_text, "%zu.%zu.%zu", number / 10000, number / 100 % 100,
                 number % 100);
    else
        snprintf(version_text, sizeof version_text, "%zu.%zu.%zu", number / 1000, number / 100 % 10,
                 number % 100);
    return NULL;
}

const char *cudnn_version(void) {
    return version_text;
}

cudaError_t cudnn_softmax(const struct variant *variant, const struct slot *slot, cudaStream_t stream) {
    (void)variant;
    const float one = 1, zero = 0;
    const int type = slot->x.type == CUDA_R_32F   ? DATA_FLOAT
                     : slot->x.type == CUDA_R_16F ? DATA_HALF
                                                  : DATA_BFLOAT16;
    const int rows = (int)slot->x.rows, cols = (int)slot->x.cols, pitch = (int)slot->x.pitch;
    if (set_stream(library_handle, stream) != 0 ||
        set_tensor(tensor, type, rows, cols, 1, 1, pitch, 1, 1, 1) != 0 ||
        softmax_forward(library_handle, SOFTMAX_ACCURATE, MODE_INSTANCE, &one, tensor, slot->x.data, &zero,
                        tensor, slot->y.data) != 0)
        return cudaErrorNotSupported;
    return cudaGetLastError();
}
