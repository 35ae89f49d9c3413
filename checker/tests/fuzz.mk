# How the harnesses of checker/tests/fuzz/ are built: every source they need once more, for libFuzzer and under
# AddressSanitizer and UndefinedBehaviorSanitizer, below build/fuzz/. checker/tests/fuzz.sh calls this file.

FUZZ_SANITIZERS = -fsanitize=address,undefined -fno-sanitize-recover=undefined
FUZZ_CFLAGS = -O1 -g -std=c17 -Wall -Wextra -Wpedantic -Werror -D_GNU_SOURCE -MMD -MP -Ichecker -Ibenchmarks \
              -isystem checker/simulator/include -fsanitize=fuzzer-no-link $(FUZZ_SANITIZERS)
FUZZ_LIBS = -Wl,-Bstatic -lcheck -lsubunit -ljansson -Wl,-Bdynamic -lm -lpthread -lrt

HARNESSES = $(patsubst checker/tests/fuzz/%_fuzz.c,build/fuzz/%,$(wildcard checker/tests/fuzz/*_fuzz.c))

# What is read outside of a main().
FUZZED = $(filter-out %/main.c,$(foreach room,base exercises numbers link check suites suites/* grading report remarks mutants, \
           $(wildcard checker/$(room)/*.c)) $(wildcard benchmarks/*.c))

.PHONY: harnesses
harnesses: $(HARNESSES)

build/fuzz/readers.a: $(FUZZED:%.c=build/fuzz/%.o)
	rm -f $@ && ar rcs $@ $^

# A harness may have functions of its own in place of some in the archive, which then stay out.
build/fuzz/%: build/fuzz/checker/tests/fuzz/%_fuzz.o build/fuzz/readers.a
	clang -fsanitize=fuzzer $(FUZZ_SANITIZERS) $(WRAPPED) -o $@ $^ $(FUZZ_LIBS)
build/fuzz/answer: WRAPPED = -Wl,--wrap=exchange

build/fuzz/%.o: %.c
	@mkdir -p $(@D)
	clang $(FUZZ_CFLAGS) -c -o $@ $<

.SECONDARY:
-include $(shell find build/fuzz -name '*.d' 2>/dev/null)
