package dev.topo.run.bench;

import dev.topo.model.collective.DataType;
import dev.topo.model.collective.ReductionOperator;
import dev.topo.run.call.Extent;
import dev.topo.run.call.RunCollective;
import dev.topo.run.call.RunRequest;
import dev.topo.run.call.SizeSweep;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Runs all that a request asks for on the GPUs of one thread: types, operators, roots and sizes in
 * the order of nccl-tests 2.19.6, with its warm-up. Used once.
 */
public final class CollectiveBench {
  private static final String NO_OPERATOR = "none";

  private final RunRequest request;
  private final SizeSweep sweep;
  private final GpuGroup gpus;
  private final Team team;
  private final BenchObserver observer;
  private long seed;

  /**
   * A bench.
   *
   * @param maxBytes the size of each buffer; larger sizes are left out
   */
  public CollectiveBench(
      RunRequest request, long maxBytes, GpuGroup gpus, Team team, BenchObserver observer) {
    this.request = request;
    this.sweep = request.sweep().upTo(maxBytes);
    this.gpus = gpus;
    this.team = team;
    this.observer = observer;
  }

  /**
   * Runs it.
   *
   * @throws StalledException if a collective reached the time limit
   * @throws NativeCallException if CUDA or NCCL failed
   */
  public void run() {
    RunCollective collective = request.collective();
    List<ReductionOperator> operators =
        collective.listsOperators() ? request.operators() : List.of(ReductionOperator.SUM);
    for (DataType type : request.types()) {
      for (ReductionOperator operator : operators) {
        for (int root : roots()) {
          run(type, operator, root);
        }
      }
    }
  }

  private List<Integer> roots() {
    if (!request.collective().rooted()) {
      return List.of(-1);
    }
    return request.root() >= 0
        ? List.of(request.root())
        : IntStream.range(0, gpus.nRanks()).boxed().toList();
  }

  private void run(DataType type, ReductionOperator operator, int root) {
    team.meet();
    SizeBench bench = new SizeBench(request, sweep.maxBytes(), gpus, team);
    observer.begins("warming up");
    bench.warmUpJvm(call(type, operator, root, 0), extent(type, 0));
    for (long size : sweep.warmUpSizes()) {
      observer.begins("warming up " + step(size, ""));
      bench.warmUp(call(type, operator, root, size), extent(type, size), step(size, ""));
    }
    int cycles = request.repetition().cycles();
    for (int cycle = 0; cycles == 0 || cycle < cycles; cycle++) {
      for (long size : sweep.sizes()) {
        observer.measured(row(bench, type, operator, root, size));
      }
    }
  }

  private Row row(SizeBench bench, DataType type, ReductionOperator operator, int root, long size) {
    CollectiveCall call = call(type, operator, root, size);
    Extent extent = extent(type, size);
    Measurement outOfPlace = measure(bench, call, extent, size, false);
    Measurement inPlace = measure(bench, call, extent, size, true);
    return new Row(
        Math.max(extent.sendCount(), extent.receiveCount()) * type.sizeBytes(),
        call.count(),
        type,
        request.collective().listsOperators() ? operator.label() : NO_OPERATOR,
        root,
        outOfPlace,
        inPlace);
  }

  private Measurement measure(
      SizeBench bench, CollectiveCall call, Extent extent, long size, boolean inPlace) {
    String step = step(size, inPlace ? " in place" : " out of place");
    observer.begins(step);
    return bench.measure(call, extent, inPlace, ++seed, step);
  }

  private String step(long size, String how) {
    return request.collective().label() + " of " + size + " B" + how;
  }

  private CollectiveCall call(DataType type, ReductionOperator operator, int root, long size) {
    return new CollectiveCall(
        request.collective(), extent(type, size).count(), type, operator, root);
  }

  private Extent extent(DataType type, long size) {
    return request.collective().extent(size, type.sizeBytes(), gpus.nRanks());
  }
}
