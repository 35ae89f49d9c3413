/* Not offered: CUB. */
#error "the CPU simulator does not offer CUB: check on a GPU with RUNTIME=cuda"
