/* Adds the function $(exit STATUS) to GNU make, which loads this file with its load directive.
 *
 * A recipe that fails makes make print "make: *** [Makefile:12: check] Error 1" under a report that has said
 * what is wrong already, and turns every status into 2. $(exit 1) ends make at once, with that status and
 * without a word; $(exit 0) does nothing, so that make goes on to its next goal. */
#include <gnumake.h>
#include <stdlib.h>

int plugin_is_GPL_compatible; /* make asks for this name */

static char *end_make(const char *name, unsigned int count, char **arguments) {
    (void)name, (void)count;
    int status = atoi(arguments[0]);
    if (status != 0)
        exit(status);
    return NULL;
}

int make_exit_gmk_setup(const gmk_floc *place);

int make_exit_gmk_setup(const gmk_floc *place) {
    (void)place;
    gmk_add_function("exit", end_make, 1, 1, GMK_FUNC_DEFAULT);
    return 1;
}
