package dev.topo.inspect.log;

import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Collective;
import dev.topo.search.kernel.CallPaths;
import dev.topo.search.kernel.CallPaths.Buffers;
import dev.topo.search.kernel.CallPaths.CallPath;
import dev.topo.search.kernel.Execution;
import dev.topo.search.tuning.ChannelShare;
import dev.topo.search.tuning.CommFacts;
import dev.topo.search.tuning.Tuner.Decision;

/**
 * Compares topo's choices for calls with rank 0's lines about them. The log does not state a call's
 * element type and operator, or whether it was grouped: calls are assumed to be ungrouped sums of
 * single-precision numbers, except that lines about symmetric kernels state the number of calls. It
 * does not state whether a call was in place either; if that matters, a line may agree with either
 * choice.
 */
record CallComparison(CallPaths paths, Buffers buffers) {
  void compare(TuningLog log, Facts facts) {
    log.choices().forEach(line -> choice(line, facts));
    log.kernels().forEach(line -> kernel(line, facts));
  }

  private void choice(TuningLog.Choice line, Facts facts) {
    CollectiveCall call = call(line.collective(), line.countBytes(), 1);
    String logged =
        line.algorithm().label()
            + "/"
            + line.protocol().label()
            + channels(line.lastChannel() - line.firstChannel() + 1);
    String found = text(paths.of(call, buffers, false));
    String inPlace = text(paths.of(call, buffers, true));
    facts.add(Topic.CHOICE, where(call), logged, logged.equals(inPlace) ? inPlace : found);
  }

  /** Compares a symmetric kernel; only calls on symmetric windows launch one. */
  private void kernel(TuningLog.Kernel line, Facts facts) {
    CollectiveCall call =
        call(line.collective(), line.countBytes() / Math.max(1, line.calls()), line.calls());
    facts.add(
        Topic.CHOICE,
        where(call),
        line.name() + channels(line.channels()) + threads(line.threads()),
        text(paths.of(call, Buffers.SYMMETRIC)));
  }

  private static String where(CollectiveCall call) {
    return call.collective().label() + " " + call.sizeBytes() + " B";
  }

  private String text(CallPath path) {
    if (path.kernel().isPresent()) {
      Execution.Kernel kernel = path.kernel().get();
      return kernel.kernel().label() + channels(kernel.channels()) + threads(kernel.threads());
    }
    return path.choice()
        .map(choice -> path.label() + channels(share(path.call(), choice)))
        .orElse(path.kind() == CallPath.Kind.REFUSED ? Facts.NOTHING : path.label());
  }

  private int share(CollectiveCall call, Decision.Choice choice) {
    return ChannelShare.channels(paths.facts(), call, choice);
  }

  private static String channels(int channels) {
    return " on " + channels + (channels == 1 ? " channel" : " channels");
  }

  private static String threads(int threads) {
    return " of " + threads + " threads";
  }

  /** Call of a line: the log has the count, while NCCL tunes by the larger of a rank's buffers. */
  private CollectiveCall call(Collective collective, long countBytes, int calls) {
    CommFacts comm = paths.facts();
    long bytes =
        switch (collective) {
          case ALL_GATHER, REDUCE_SCATTER ->
              countBytes > Long.MAX_VALUE / comm.nRanks()
                  ? Long.MAX_VALUE
                  : countBytes * comm.nRanks();
          case ALL_REDUCE, BROADCAST, REDUCE -> countBytes;
        };
    return new CollectiveCall(
        collective, bytes, DataType.FLOAT32, ReductionOperator.SUM, Math.max(1, calls));
  }
}
