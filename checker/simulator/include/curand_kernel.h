/* Not offered: cuRAND. */
#error "the CPU simulator does not offer cuRAND: check on a GPU with RUNTIME=cuda"
