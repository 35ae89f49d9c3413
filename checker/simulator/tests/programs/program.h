/* What the small CUDA programs of the simulator's tests share. Each is a function that takes nothing and
 * returns 0 when the numbers came out right; the test (programs_test.c) knows which finding it must raise, or
 * none. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <cuda_runtime.h>

#define PROGRAM(name) extern "C" int name(void)

/* Device memory for count elements; contents are not initialised. */
template <class T> static T *device_array(int count) {
    T *pointer = nullptr;
    cudaMalloc(&pointer, count * sizeof(T));
    return pointer;
}

template <class T> static T *device_copy(const T *values, int count) {
    T *pointer = device_array<T>(count);
    cudaMemcpy(pointer, values, count * sizeof(T), cudaMemcpyHostToDevice);
    return pointer;
}

/* Waits, reads one element, frees the array. */
template <class T> static T take(T *pointer, int index) {
    T value;
    cudaMemcpy(&value, pointer + index, sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(pointer);
    return value;
}

#endif
