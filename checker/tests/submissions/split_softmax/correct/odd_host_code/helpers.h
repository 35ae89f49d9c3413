/* A header of the submission's own. */
#pragma once

#define HELPER_NAME(number) helper_##number

static const int helper_one = 1;
