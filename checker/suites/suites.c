/* The suite of every exercise in the table. */
#include "check/check.h"

#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told)

#define EXERCISE(name, runner, lesson, parameter, usual) extern const struct suite name##_suite;
#include "exercises/table.def"
#undef EXERCISE

const struct suite *const all_suites[] = {
#define EXERCISE(name, runner, lesson, parameter, usual) &name##_suite,
#include "exercises/table.def"
    NULL,
};
