/* Not offered: asynchronous copies (cuda_pipeline.h). */
#error                                                                                                       \
    "the CPU simulator does not offer asynchronous copies (cuda_pipeline.h): check on a GPU with RUNTIME=cuda"
