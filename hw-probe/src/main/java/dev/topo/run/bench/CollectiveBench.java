package dev.topo.run.bench;

import dev.topo.model.operation.DataType;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.run.call.CallArguments;
import dev.topo.run.call.RunCollective;
import dev.topo.run.call.RunCollective.Extent;
import dev.topo.run.call.RunRequest;
import dev.topo.run.call.SizeSweep;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/**
 * Runs a request on the GPUs of one thread: types, operators, roots and sizes in the order of
 * nccl-tests 2.19.6, with its warm-up. Used once.
 */
public final class CollectiveBench {
  private static final String NO_OPERATOR = "none";

  private final RunRequest request;
  private final SizeSweep sweep;
  private final GpuGroup gpus;
  private final ThreadTeam.Member team;
  private final Consumer<String> steps;
  private final Consumer<Row> rows;
  private long seed;

  /**
   * A bench.
   *
   * @param maxBytes the size of each buffer; larger sizes are left out
   * @param steps receives a short description of each step that begins
   * @param rows receives each size that was measured
   */
  public CollectiveBench(
      RunRequest request,
      long maxBytes,
      GpuGroup gpus,
      ThreadTeam.Member team,
      Consumer<String> steps,
      Consumer<Row> rows) {
    this.request = request;
    this.sweep = request.calls().sweep().upTo(maxBytes);
    this.gpus = gpus;
    this.team = team;
    this.steps = steps;
    this.rows = rows;
  }

  /**
   * Runs it.
   *
   * @throws RunFailure if a collective reached the time limit, or CUDA or NCCL failed
   */
  public void run() {
    request.calls().collectives().forEach(this::run);
  }

  private void run(RunCollective collective) {
    List<ReductionOperator> operators =
        collective.listsOperators() ? request.calls().operators() : List.of(ReductionOperator.SUM);
    for (DataType type : request.calls().types()) {
      for (ReductionOperator operator : operators) {
        for (int root : roots(collective)) {
          run(size -> call(collective, type, operator, root, size));
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

  private void run(LongFunction<CallArguments> calls) {
    team.meet();
    SizeBench bench = new SizeBench(request, sweep.maxBytes(), gpus, team);
    steps.accept("warming up");
    bench.rehearse(calls.apply(0));
    for (long size : sweep.warmUpSizes()) {
      CallArguments call = calls.apply(size);
      String step = step(call, size, "");
      steps.accept("warming up " + step);
      bench.warmUp(call, step);
    }
    int cycles = request.repetition().cycles();
    for (int cycle = 0; cycles == 0 || cycle < cycles; cycle++) {
      for (long size : sweep.sizes()) {
        rows.accept(row(bench, calls.apply(size), size));
      }
    }
  }

  private Row row(SizeBench bench, CallArguments call, long size) {
    CallResult outOfPlace = measure(bench, call, size, false);
    CallResult inPlace = measure(bench, call, size, true);
    return new Row(
        call.collective(),
        call.bytes(),
        call.count(),
        call.type(),
        call.collective().listsOperators() ? call.operator().label() : NO_OPERATOR,
        call.root(),
        outOfPlace,
        inPlace);
  }

  private CallResult measure(SizeBench bench, CallArguments call, long size, boolean inPlace) {
    String step = step(call, size, inPlace ? " in place" : " out of place");
    steps.accept(step);
    return bench.measure(call, inPlace, ++seed, step);
  }

  private static String step(CallArguments call, long size, String how) {
    return call.collective().label() + " of " + size + " B" + how;
  }
}
