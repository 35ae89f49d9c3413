/* Not offered: cuBLAS. */
#error "the CPU simulator does not offer cuBLAS: check on a GPU with RUNTIME=cuda"
