# How the programs of make bench are built; read after checker/build.mk.
#
#   build/bench-simulator   counts, in the simulator
#   build/bench-cuda        times, on a GPU: needs nvcc
#   build/plot              draws records with gnuplot
#   build/agree             do two records of times agree?
#   build/compare           two submissions side by side
#   build/map               who touched what, drawn
#   build/report            a page to hand in

BENCH = $(patsubst %.c,build/obj/%.o,$(wildcard benchmarks/*.c))
BENCH_CHECKER = $(filter-out %/main.o,$(CHECKER))
build/obj/benchmarks/%.o: override CFLAGS += -Ibenchmarks

build/lib/bench.a: $(BENCH)
build/bench-simulator: build/obj/benchmarks/programs/bench_simulator.o
build/plot: build/obj/benchmarks/programs/plot.o
build/agree: build/obj/benchmarks/programs/agree.o
build/bench-simulator build/plot build/agree: build/lib/bench.a $(BENCH_CHECKER)
	$(CC) -o $@ $(filter %.o,$^) build/lib/bench.a $(CHECKER_LIBS)

# The shared libcudart, one for the benchmark and the submission. NVCC_ARCHITECTURE: flags instead of those for the
# GPUs that are there.
BENCH_NVCC = $(realpath $(shell . checker/compile/machine.sh; nvcc_path))
BENCH_CUDA_HOME = $(patsubst %/bin/nvcc,%,$(BENCH_NVCC))
BENCH_CUDA = $(patsubst %.c,build/obj/%.o,$(wildcard benchmarks/cuda/*.c)) build/obj/benchmarks/cuda/kernels.o
NVCC_ARCHITECTURE ?= $(shell bash checker/compile/architecture.sh $(BENCH_NVCC))

build/obj/benchmarks/cuda/%.o: benchmarks/cuda/%.c
	@mkdir -p $(@D)
	$(CC) $(filter-out -isystem checker/simulator/include,$(CFLAGS)) -isystem $(BENCH_CUDA_HOME)/include -c -o $@ $<
build/obj/benchmarks/cuda/%.o: benchmarks/cuda/%.cu
	@mkdir -p $(@D)
	$(BENCH_NVCC) $(NVCC_ARCHITECTURE) -O3 -std=c++17 -c -o $@ $<
build/bench-cuda: $(BENCH_CUDA) build/lib/bench.a $(BENCH_CHECKER)
	$(BENCH_NVCC) $(NVCC_ARCHITECTURE) -cudart shared -Xlinker -rpath,$(BENCH_CUDA_HOME)/lib64 -o $@ $^ \
	    -Xlinker -l:libcheck.a,-l:libsubunit.a,-l:libjansson.a -lm -lpthread -lrt -ldl

build/obj/benchmarks/tests/%.o: override CFLAGS += -Ibenchmarks
build/tests/bench_test build/tests/times_test: build/tests/%: build/obj/benchmarks/tests/%.o build/lib/bench.a $(BENCH_CHECKER)
	@mkdir -p $(@D)
	$(CC) -o $@ $^ $(CHECKER_LIBS)

COMPARE = $(patsubst %.c,build/obj/%.o,$(wildcard benchmarks/compare/*.c))
build/compare: build/obj/benchmarks/programs/compare.o $(COMPARE) build/lib/bench.a $(BENCH_CHECKER)
	$(CC) -o $@ $(filter %.o,$^) build/lib/bench.a $(CHECKER_LIBS)

MAP = $(patsubst %.c,build/obj/%.o,$(wildcard benchmarks/map/*.c))
build/map: build/obj/benchmarks/programs/map.o $(MAP) build/lib/bench.a $(BENCH_CHECKER)
	$(CC) -o $@ $(filter %.o,$^) build/lib/bench.a $(CHECKER_LIBS)

REPORT = $(patsubst %.c,build/obj/%.o,$(wildcard benchmarks/page/*.c))
build/report: build/obj/benchmarks/programs/report.o $(REPORT) build/lib/bench.a $(BENCH_CHECKER)
	$(CC) -o $@ $(filter %.o,$^) build/lib/bench.a $(CHECKER_LIBS)
