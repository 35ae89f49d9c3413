# How the kit's own programs are built: sources are found by folder, objects mirror the tree below build/obj/.
# The commands (checker/commands/) call this file; by hand: make build/checker, make build/runner-simulator ...
#
#   build/checker           checker/main.c and the rooms in CHECKER_ROOMS: never a line of student code
#   build/runner-simulator  checker/runner/ and checker/simulator/: the device side of student code is loaded into it
#   build/host-client       checker/runner/host/: the host side of student code is loaded into it
#   build/runner-host       checker/runner/ without CUDA, for online_softmax
#   build/runner-cuda       checker/runner/ on the CUDA Toolkit's runtime, where nvcc is found; nothing else needs it
#   build/run               checker/run/: make run
#   build/debug-simulator, build/debug-host   checker/debug/: the runners in one process each, below gdb: make debug
#   build/remarks         checker/remarks/: remarks on the text of a CUDA file
#   build/instrument        checker/instrument/: what clang makes of a submission, to objects with every access seen
#   build/class             checker/class/: make grade and make merge
#   build/mutants-of        checker/mutants/: copies of a source file with one fault each
#   build/tests/            checker/tests/ and checker/simulator/tests/

ifeq ($(origin CC),default)
CC = $(if $(shell command -v clang 2>/dev/null),clang,gcc)
endif
CFLAGS = -O2 -g
override CFLAGS += -std=c17 -Wall -Wextra -Wpedantic -Werror -D_GNU_SOURCE -MMD -MP -Ichecker \
                   -isystem checker/simulator/include

# Student code must find the runner's symbols, and nothing but the C library need be installed to run a
# program that was built elsewhere: so -rdynamic, and the libraries static.
CHECKER_LIBS = -Wl,-Bstatic -lcheck -lsubunit -ljansson -Wl,-Bdynamic -lm -lpthread -lrt
RUNNER_LIBS = -Wl,-Bstatic -lboost_context -Wl,-Bdynamic -ldl -lm -lpthread

sources = $(shell find $(1) -name '*.c' -not -path '*/tests/*' 2>/dev/null | LC_ALL=C sort)
objects = $(patsubst %.c,build/obj/%.o,$(1))

CHECKER_ROOMS = base exercises numbers link check suites grading report
CHECKER   = $(call objects,checker/main.c $(call sources,$(CHECKER_ROOMS:%=checker/%)))
REMARKS = $(call objects,$(call sources,checker/remarks))
INSTRUMENT = $(call objects,$(call sources,checker/instrument))
RUN       = $(call objects,$(call sources,checker/run))
CLASS     = $(call objects,$(call sources,checker/class))
MUTANTS   = $(call objects,$(call sources,checker/mutants))
SIMULATOR = $(call objects,$(call sources,checker/simulator))
runner    = $(filter-out checker/runner/host/%,$(call sources,checker/runner))
RUNNER    = $(call objects,$(filter-out %_host.c %_cuda.c %/calls.c %/library.c,$(runner)) \
                checker/host_call/conversation.c checker/exercises/exercises.c)
HOST      = $(call objects,$(filter-out %/device.c %/copies.c %_simulator.c %_cuda.c,$(runner)) checker/exercises/exercises.c)
CLIENT    = $(call objects,$(call sources,checker/runner/host checker/host_call checker/exercises) \
                $(addprefix checker/runner/,calls.c wrapped.c library.c crash.c lockdown.c apart.c) \
                $(addprefix checker/simulator/,not_a_number.c error_names.c))

UNIT_TESTS = $(wildcard checker/tests/*_test.c checker/simulator/tests/*_test.c)
TEST_PROGRAMS = $(patsubst %.c,build/tests/%,$(notdir $(UNIT_TESTS)))

# Make for make: adds $$(exit STATUS), see checker/commands/make_exit.c. Built where make's header is found.
PLUGIN = $(if $(wildcard /usr/include/gnumake.h),build/make_exit.so)

.PHONY: all programs tests
all: programs tests
programs: build/checker build/run build/runner-simulator build/host-client build/runner-host build/remarks build/instrument $(PLUGIN)
tests: programs $(TEST_PROGRAMS)

build/checker: $(CHECKER)
	$(CC) -o $@ $^ $(CHECKER_LIBS)

# make run: the student's operator on a matrix of one's own, by the checker's exchange with the runner.
build/run: $(RUN) $(filter-out %/checker/main.o,$(CHECKER))
	$(CC) -o $@ $^ $(CHECKER_LIBS)
build/obj/checker/tests/npy_test.o: override CFLAGS += -Ichecker/run

build/class: $(CLASS) $(filter %/memory.o,$(CHECKER))
	$(CC) -o $@ $^ -Wl,-Bstatic -ljansson -Wl,-Bdynamic

build/remarks: $(REMARKS)
	$(CC) -o $@ $^

# LLVM's own headers and library, of the version that clang is. A program of that version reads what clang writes.
LLVM = /usr/lib/llvm-$(shell clang -dumpversion 2>/dev/null | cut -d . -f 1)
build/instrument: $(INSTRUMENT)
	$(CC) -o $@ $^ -L$(LLVM)/lib -lLLVM
build/obj/checker/instrument/%.o: override CFLAGS += -isystem $(LLVM)/include

build/mutants-of: $(MUTANTS) $(filter-out %/main.o,$(REMARKS))
	$(CC) -o $@ $^ -Wl,-Bstatic -ljansson -Wl,-Bdynamic

# It walks over the frames of device code and its own (fiber.c).
build/obj/checker/simulator/%.o: override CFLAGS += -fno-omit-frame-pointer

build/runner-simulator: $(RUNNER) $(SIMULATOR) build/obj/checker/host_call/launches.o
	$(CC) -rdynamic -o $@ $^ $(RUNNER_LIBS)

# All the libraries that a submission may need are there before it is loaded.
build/host-client: $(CLIENT)
	$(CC) -rdynamic -o $@ $^ -Wl,--no-as-needed -lstdc++ -lgcc_s -lm -ldl
build/runner-simulator: | build/host-client

# make debug: both sides of a submission in one process, and its cases from files (checker/debug/debug.h).
DEBUG_ROOM = $(call objects,$(addprefix checker/debug/,main.c submission.c cases.c stop.c rows.c) \
                 $(addprefix checker/numbers/,element.c half.c))
debug_wraps = $(addprefix -Wl$(comma)--wrap=,wire_read wire_send wire_send_parts time_limit_begin runtime_case_begin \
                  runtime_call_begin device_buffer call_function $(1))
comma = ,
build/debug-simulator: $(filter-out %/runner/main.o %/submission_simulator.o %/host_process_simulator.o,$(RUNNER)) \
                       $(filter-out %/serve.o,$(SIMULATOR)) build/obj/checker/runner/calls.o build/obj/checker/host_call/launches.o \
                       build/obj/checker/debug/threads.o $(DEBUG_ROOM)
	$(CC) -rdynamic -o $@ $^ $(call debug_wraps,watch_access block_run fiber_switch) $(RUNNER_LIBS)
build/debug-host: $(filter-out %/runner/main.o %/submission_host.o,$(HOST)) build/obj/checker/debug/no_threads.o $(DEBUG_ROOM)
	clang -rdynamic -fsanitize=address,undefined -o $@ $^ $(call debug_wraps) -ldl -lm -lpthread

# The submission is compiled with these sanitizers by clang; their runtime is in the program that loads it.
build/runner-host: $(HOST)
	clang -rdynamic -fsanitize=address,undefined -o $@ $^ -ldl -lm -lpthread

# A GPU machine may have no clang and none of the libraries above: this needs nvcc and the C compiler that nvcc uses.
# One libcudart for the runner and the submission: the shared one, found where nvcc has it.
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(realpath $(shell . checker/compile/machine.sh; nvcc_path)))
# In a bundle the compiler is one that nobody tried: what it warns of is no reason to stop.
CUDA_FLAGS = $(filter-out -isystem checker/simulator/include $(if $(wildcard build/bundle),-Werror),$(CFLAGS)) \
             -isystem $(CUDA_HOME)/include $(addprefix -isystem ,$(CUPTI_INCLUDE))
# CUPTI is for driver_cuda.c, which does without where it is not installed.
CUPTI_INCLUDE = $(wildcard $(CUDA_HOME)/extras/CUPTI/include)
CUDA_SOURCES = $(filter-out %_host.c %_simulator.c %/device.c %/evidence.c %/library.c,$(wildcard checker/runner/*.c)) checker/exercises/exercises.c
CUDA = $(patsubst %.c,build/cuda/%.o,$(CUDA_SOURCES)) build/cuda/checker/runner/slow_kernel.o

build/runner-cuda: $(CUDA)
	$(CUDA_HOME)/bin/nvcc -cudart shared -Xcompiler -rdynamic -Xlinker -rpath,$(CUDA_HOME)/lib64 \
	    -Xlinker -rpath,$(CUDA_HOME)/extras/CUPTI/lib64 -o $@ $^ -ldl -lpthread -lrt

build/cuda/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CUDA_FLAGS) -c -o $@ $<

build/cuda/%.o: %.cu checker/compile/architecture.sh
	@mkdir -p $(@D)
	$(CUDA_HOME)/bin/nvcc $(shell checker/compile/architecture.sh $(CUDA_HOME)/bin/nvcc) -O2 -std=c++17 -c -o $@ $<

build/make_exit.so: checker/commands/make_exit.c
	@mkdir -p $(@D)
	$(CC) -O2 -Wall -Wextra -std=c17 -shared -fPIC -o $@ $<

# A test takes from these archives what it tests; every program's main() stays out.
build/lib/%.a:
	@mkdir -p $(@D)
	rm -f $@ && ar rcs $@ $^
build/lib/checker.a: $(filter-out %/main.o,$(CHECKER))
build/lib/run.a: $(filter-out %/main.o,$(RUN))
build/lib/remarks.a: $(filter-out %/main.o,$(REMARKS))
build/lib/mutants.a: $(filter-out %/main.o,$(MUTANTS))
build/lib/simulator.a: $(SIMULATOR) build/obj/checker/host_call/launches.o
build/lib/runner.a: $(filter-out %/main.o,$(RUNNER))

build/tests/%: build/obj/checker/tests/%.o build/lib/run.a build/lib/checker.a build/lib/mutants.a build/lib/remarks.a
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(CHECKER_LIBS)
build/tests/%: build/obj/checker/simulator/tests/%.o build/obj/checker/simulator/tests/programs.o \
               build/lib/runner.a build/lib/simulator.a
	@mkdir -p $(@D)
	$(CC) -rdynamic -o $@ $(filter %.o,$^) -Wl,--whole-archive build/lib/simulator.a -Wl,--no-whole-archive build/lib/runner.a \
	    $(CHECKER_LIBS) $(RUNNER_LIBS)

build/tests/speed: build/obj/checker/simulator/tests/speed.o build/lib/runner.a build/lib/simulator.a
	@mkdir -p $(@D)
	$(CC) -rdynamic -o $@ $< -Wl,--whole-archive build/lib/runner.a build/lib/simulator.a -Wl,--no-whole-archive $(RUNNER_LIBS)
build/obj/checker/simulator/tests/speed.o: override CFLAGS += -Iexercises

# CUDA programs that the simulator's tests load, compiled as a submission is.
build/tests/programs_test build/tests/requests_test build/tests/headers_values_test: | $(patsubst checker/simulator/tests/%.cu,build/tests/%.so,\
                             $(wildcard checker/simulator/tests/programs/*.cu))
build/tests/programs/%.so: checker/simulator/tests/programs/%.cu checker/simulator/tests/programs/program.h \
                           checker/simulator/tests/build_programs.sh checker/compile/flags.sh build/instrument \
                           $(shell find checker/simulator/include -name '*.h')
	checker/simulator/tests/build_programs.sh $< $@

build/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c -o $@ $<

.SECONDARY:
-include $(shell find build/obj build/cuda -name '*.d' 2>/dev/null)
