package dev.topo.hw.run;

import dev.topo.hw.run.RunCollective.Extent;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Runs a request on the GPUs of one thread: types, operators, roots and sizes in the order of
 * nccl-tests 2.19.6, with its warm-up. Single use.
 */
final class CollectiveBench {
  private static final String NO_OPERATOR = "none";

  private final RunRequest request;
  private final SizeSweep sweep;
  private final GpuGroup gpus;
  private final ThreadTeam.Member team;
  private final LongSupplier nowNs;
  private final Consumer<String> steps;
  private final Consumer<Row> rows;
  private long seed;

  /**
   * Creates a benchmark for a request.
   *
   * @param maxBytes size of each buffer; larger sizes are skipped
   * @param nowNs clock in ns that measures and limits calls
   * @param steps receives a short description of each step that begins
   * @param rows receives each measured size
   */
  CollectiveBench(
      RunRequest request,
      long maxBytes,
      GpuGroup gpus,
      ThreadTeam.Member team,
      LongSupplier nowNs,
      Consumer<String> steps,
      Consumer<Row> rows) {
    this.request = request;
    this.sweep = request.calls().sweep().upTo(maxBytes);
    this.gpus = gpus;
    this.team = team;
    this.nowNs = nowNs;
    this.steps = steps;
    this.rows = rows;
  }

  /**
   * Runs the benchmark.
   *
   * @throws RunFailure if a collective reached the time limit, or CUDA or NCCL failed
   */
  void run() {
    request.calls().collectives().forEach(this::run);
  }

  private void run(RunCollective collective) {
    if (collective == RunCollective.HYPERCUBE && Integer.bitCount(gpus.nRanks()) != 1) {
      throw new RunFailure(
          RunFailure.Reason.NATIVE,
          "hypercube on " + gpus.nRanks() + " ranks: expected a power of 2");
    }
    List<Integer> variants = request.comparison().variantsOf(collective);
    List<ReductionOperator> operators =
        collective.listsOperators() ? request.calls().operators() : List.of(ReductionOperator.SUM);
    for (DataType type : request.calls().types()) {
      for (ReductionOperator operator : operators) {
        for (int root : roots(collective)) {
          run(variants, size -> call(collective, type, operator, root, size));
        }
      }
    }
  }

  private List<Integer> roots(RunCollective collective) {
    if (!collective.rooted()) {
      return List.of(-1);
    }
    return request.calls().root() >= 0
        ? List.of(request.calls().root())
        : IntStream.range(0, gpus.nRanks()).boxed().toList();
  }

  private CallArguments call(
      RunCollective collective, DataType type, ReductionOperator operator, int root, long size) {
    Extent extent = collective.extent(size, type.sizeBytes(), gpus.nRanks());
    return new CallArguments(collective, extent, type, operator, root);
  }

  private void run(List<Integer> variants, LongFunction<CallArguments> calls) {
    team.meet();
    SizeBench bench = new SizeBench(request, sweep.maxBytes(), gpus, team, nowNs);
    steps.accept("warming up");
    bench.rehearse(calls.apply(0));
    for (int variant : variants) {
      gpus.select(variant);
      for (long size : sweep.warmUpSizes()) {
        CallArguments call = calls.apply(size);
        String step = step(call, size, name(variant));
        steps.accept("warming up " + step);
        bench.warmUp(call, step);
      }
    }
    int cycles = request.repetition().cycles();
    for (int cycle = 0; cycles == 0 || cycle < cycles; cycle++) {
      for (long size : sweep.sizes()) {
        for (Turn turn : turns(variants)) {
          gpus.select(turn.variant());
          rows.accept(row(bench, calls.apply(size), size, turn));
        }
      }
    }
  }

  /** Returns the turns of all variants in each round. Each round begins with another variant. */
  private List<Turn> turns(List<Integer> variants) {
    List<Turn> turns = new ArrayList<>();
    for (int round = 0; round < request.comparison().rounds(); round++) {
      for (int i = 0; i < variants.size(); i++) {
        turns.add(new Turn(variants.get((i + round) % variants.size()), round));
      }
    }
    return turns;
  }

  private String name(int variant) {
    String name = request.comparison().variants().get(variant).name();
    return name.isEmpty() ? "" : " by " + name;
  }

  private Row row(SizeBench bench, CallArguments call, long size, Turn turn) {
    CallResult outOfPlace = measure(bench, call, size, turn, false);
    CallResult inPlace = measure(bench, call, size, turn, true);
    return new Row(
        call.collective(),
        call.bytes(),
        call.count(),
        call.type(),
        operator(call),
        call.root(),
        outOfPlace,
        inPlace,
        turn);
  }

  /** Name of the operator as printed by nccl-tests. */
  private static String operator(CallArguments call) {
    if (call.collective() == RunCollective.HYPERCUBE) {
      return "";
    }
    return call.collective().listsOperators() ? call.operator().label() : NO_OPERATOR;
  }

  private CallResult measure(
      SizeBench bench, CallArguments call, long size, Turn turn, boolean inPlace) {
    String how = (inPlace ? " in place" : " out of place") + name(turn.variant());
    String step = step(call, size, how);
    steps.accept(step);
    return bench.measure(call, inPlace, ++seed, step);
  }

  private static String step(CallArguments call, long size, String how) {
    return call.collective().label() + " of " + size + " B" + how;
  }
}
