/* Not offered: cooperative_groups scans. */
#error "the CPU simulator does not offer cooperative_groups scans: check on a GPU with RUNTIME=cuda"
