/* The table of exercises as scripts have it: the C preprocessor makes a line of words of each entry (read.sh). */
#define EXERCISE(name, runner, lesson, parameter, usual) exercise name runner lesson parameter usual
#define FUNCTION(exercise, id, name, file, role, reads, result, arguments, told)                             \
    function exercise name file role
#include "table.def"
