int64_t split_softmax_chunks(int64_t cols, int chunk) { return cols / chunk + (cols % chunk > 0); }

size_t split_softmax_scratch_bytes(int64_t rows, int64_t cols, int chunk) {
    return 2 * sizeof(float) * (size_t)rows * (size_t)(1 + split_softmax_chunks(cols, chunk));
}
