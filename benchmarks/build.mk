# How the programs of make bench are built (included at the end of checker/build.mk).
#
#   build/bench-simulator   counts, in the simulator
#   build/bench-cuda        times, on a GPU: needs nvcc
#   build/plot              draws records with gnuplot

BENCH = $(patsubst %.c,build/obj/%.o,$(wildcard benchmarks/*.c))
build/obj/benchmarks/%.o: override CFLAGS += -Ibenchmarks

build/lib/bench.a: $(BENCH)
build/bench-simulator: build/obj/benchmarks/programs/bench_simulator.o build/lib/bench.a $(filter-out %/main.o,$(CHECKER))
	$(CC) -o $@ $^ $(CHECKER_LIBS)
build/plot: build/obj/benchmarks/programs/plot.o build/lib/bench.a $(filter-out %/main.o,$(CHECKER))
	$(CC) -o $@ $^ $(CHECKER_LIBS)
