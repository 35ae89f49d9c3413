/* Not offered: cooperative_groups::memcpy_async. */
#error "the CPU simulator does not offer cooperative_groups::memcpy_async: check on a GPU with RUNTIME=cuda"
