/* The calls that build/instrument puts before every access of a submission. Each takes (address, bytes, alignment
 * that the type promises); the simulator's access.c defines them. */
#ifndef SIM_ACCESSES_H
#define SIM_ACCESSES_H

#define SIM_NAME_READ "sim_read"
#define SIM_NAME_WRITE "sim_write"
#define SIM_NAME_VOLATILE_READ "sim_volatile_read"
#define SIM_NAME_VOLATILE_WRITE "sim_volatile_write"
#define SIM_NAME_ATOMIC "sim_atomic_access" /* a read and a write in one */
#define SIM_NAME_ATOMIC_LOAD "sim_atomic_load"
/* A structure, array or range of any length: in pieces of at most the alignment. */
#define SIM_NAME_COPY_READ "sim_copy_read"
#define SIM_NAME_COPY_WRITE "sim_copy_write"
/* A function about to be called by its address. */
#define SIM_NAME_CALL "sim_indirect_call"

/* An index that leads out of a local variable or a constant: (offset, bytes of the access, bytes of the variable). */
#define SIM_NAME_OUTSIDE "sim_outside_variable"
/* An index that leads out of a local array, as clang finds it: (its description, index). */
#define SIM_NAME_LOCAL_INDEX "sim_local_index"

/* Is there room for the local variables of this function? Takes nothing. */
#define SIM_NAME_ROOM "sim_room"

#endif
