package dev.topo.cli.option;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.CallSizes;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.CollectiveCall;
import dev.topo.model.operation.DataType;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerCall;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.ReductionOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe calls, in the terms of nccl-tests. */
public final class CallOptions {
  /** Size of a single call where the user names none. */
  private static final long USUAL_SIZE = 64L << 20;

  @Mixin private CollectiveOptions collectives = new CollectiveOptions();

  @Option(
      names = "--sizes",
      paramLabel = "SIZES",
      description =
          "Bytes, as first:last:factor (default: "
              + CallSizes.USUAL
              + "), as a list: 64K,1M,1G, or all.")
  private @Nullable String sizes;

  @Option(
      names = "--datatype",
      paramLabel = "TYPE",
      description = "Data type, as nccl-tests' -d (default: float).")
  private String dataType = "float";

  @Option(
      names = "--op",
      paramLabel = "OP",
      description = "Reduction operator, as nccl-tests' -o (default: sum).")
  private String operator = "sum";

  /** The collectives, in NCCL's order of this list: those that are named, or all. */
  public List<Collective> collectives() {
    return collectives.named(Operation::isOneCall);
  }

  /** The operations of sends and receives that are named. */
  public List<PeerOperation> peers() {
    return collectives.peers(Operation::isOneCall);
  }

  /** Whether the user has named collectives or other operations. */
  public boolean isNamed() {
    return !collectives.isEmpty();
  }

  /** Whether the user has named sizes. */
  public boolean hasSizes() {
    return sizes != null;
  }

  /** The sizes in ascending order. */
  public List<Long> sizes() {
    return CallSizes.parse(sizes == null ? CallSizes.USUAL : sizes);
  }

  /** A call of a collective with a size. */
  public CollectiveCall call(Collective collective, long sizeBytes) {
    DataType type =
        OptionValue.ofLabel("--datatype", dataType, DataType.values(), DataType::label, "");
    ReductionOperator op =
        OptionValue.ofLabel(
            "--op", operator, ReductionOperator.values(), ReductionOperator::label, "");
    return new CollectiveCall(collective, sizeBytes, type, op, 1);
  }

  /** A call of each collective with each size, collective by collective. */
  public List<CollectiveCall> calls(List<Long> sizesBytes) {
    return collectives().stream()
        .flatMap(collective -> sizesBytes.stream().map(size -> call(collective, size)))
        .toList();
  }

  /**
   * A call of each operation with each size, the collectives first; of operations of sends and
   * receives where they are named, with equal parts.
   */
  public List<Call> all(List<Long> sizesBytes) {
    List<Call> all = new ArrayList<>(calls(sizesBytes));
    for (PeerOperation peers : peers()) {
      sizesBytes.forEach(size -> all.add(new PeerCall(peers, size)));
    }
    return all;
  }

  /** The one operation of sends and receives that a question is about, if it is about one. */
  public Optional<PeerOperation> singlePeer() {
    List<PeerOperation> peers = peers();
    return peers.size() == 1 && collectives().isEmpty()
        ? Optional.of(peers.get(0))
        : Optional.empty();
  }

  /** The one size that a question is about. */
  public long singleSize() {
    List<Long> all = sizes == null ? List.of(USUAL_SIZE) : sizes();
    if (all.size() != 1) {
      throw new SettingException("expected one of --sizes, as in --sizes 64M");
    }
    return all.get(0);
  }

  /** The one call that a question is about, by default an AllReduce of a usual size. */
  public CollectiveCall singleCall() {
    List<Collective> named = collectives.isEmpty() ? List.of(Collective.ALL_REDUCE) : collectives();
    List<Long> all = sizes == null ? List.of(USUAL_SIZE) : sizes();
    if (named.size() != 1 || all.size() != 1 || !peers().isEmpty()) {
      throw new SettingException(
          "expected one --collective and one of --sizes, as in --collective all_reduce --sizes 64M");
    }
    return call(named.get(0), all.get(0));
  }
}
