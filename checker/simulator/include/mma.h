/* Not offered: tensor cores (mma.h). */
#error "the CPU simulator does not offer tensor cores (mma.h): check on a GPU with RUNTIME=cuda"
