# The commands of the workshop, one script each in checker/commands/. How programs are built: checker/build.mk.

COMMANDS = setup list check grade merge gradescope classroom50 student-kit run watch debug hint bench compare map report plot agree test lint verdicts bundle mutants

.PHONY: help clean $(COMMANDS) $(COMMANDS:%=.run-%)
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory --no-builtin-rules

help:
	@cat checker/commands/help.txt

# Ends make with a status and without "make: *** [check] Error 1" under the report, by
# checker/commands/make_exit.c; before that is built, the shell's exit has to do.
end = $(eval -load build/make_exit.so)$(exit $(1))exit $(1)

# A command leaves its status in a file of this make's own (for a kit in a read-only place, of the user's: common.sh). After
# Ctrl-C make ends by itself, with 130.
MADE_IN := $(shell [ -w build ] || { [ ! -e build ] && [ -w . ]; } && echo build || echo "$${XDG_CACHE_HOME:-$$HOME/.cache}/softmax-workshop")
STATUS := $(MADE_IN)/status-$(shell echo $$PPID)
$(COMMANDS): %: .run-%
	@$(call end,$(shell cat '$(STATUS)'; rm -f '$(STATUS)'))

export SCRIPT SUBMISSIONS LIMIT MEMORY SHARD FRESH SANDBOX INPUT OUTPUT SHAPE TYPE CHUNK ROWS_PER_BLOCK EX SOLUTION SUBMISSION RESULTS RUNTIME SEED SEEDS CASE STAGE WITH DIFF V SANITIZE ONLY SHAPES SAMPLES A B FILE JOBS MUTANTS_STEP AGAIN
$(COMMANDS:%=.run-%): .run-%:
	@mkdir -p '$(MADE_IN)'; trap stopped=1 INT; bash checker/commands/$(subst -,_,$*).sh; status=$$?; \
	    [ -n "$$stopped" ] || echo $$status > '$(STATUS)'

clean:
	rm -rf build

# One program of the kit: make build/checker.
build/%: FORCE
	@$(MAKE) -f checker/build.mk $@
FORCE:

.DEFAULT:
	@$(info There is no 'make $@': make help lists the commands.)$(call end,1)
