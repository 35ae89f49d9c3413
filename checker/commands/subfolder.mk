# make in the folder of an exercise is make at the top, for that exercise: cd exercises/split_softmax; make check.
# Its Makefile there is one line that includes this file.
top := $(abspath $(dir $(lastword $(MAKEFILE_LIST)))../..)
export EX ?= $(notdir $(CURDIR))
MAKEFLAGS += --no-print-directory
goals = $(or $(MAKECMDGOALS),help)
STATUS := $(top)/build/status-below-$(shell echo $$PPID)

end = $(eval -load $(top)/build/make_exit.so)$(exit $(1))exit $(1)

# Ends with the status of the make at the top, without a line of its own: see the Makefile there.
.PHONY: $(goals) run-at-the-top
$(goals): run-at-the-top
	@$(call end,$(shell cat $(STATUS); rm -f $(STATUS)))
run-at-the-top:
	@mkdir -p $(top)/build; trap stopped=1 INT; $(MAKE) -C $(top) $(goals); status=$$?; \
	    [ -n "$$stopped" ] || echo $$status > $(STATUS)
