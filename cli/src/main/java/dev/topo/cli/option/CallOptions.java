package dev.topo.cli.option;

import static dev.topo.cli.option.OptionValue.refuseIf;

import dev.topo.cli.option.OptionValue.OfferedValues;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.model.operation.Call.CollectiveCall;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import dev.topo.model.operation.Call.PeerCall;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.PredictedCall.PairSelection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that describe calls, in the terminology of nccl-tests. */
public final class CallOptions {
  /** Default size of a single call, in bytes. */
  private static final long DEFAULT_SIZE = 64L << 20;

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

  /** The collectives that the user names, in that order; all if no operation is named. */
  public List<Collective> collectives() {
    return collectives.named(Operation::isOneCall);
  }

  /** The operations of sends and receives that the user names. */
  public List<PeerOperation> peers() {
    return collectives.peers(Operation::isOneCall);
  }

  /** True if collectives or other operations are named. */
  public boolean isNamed() {
    return !collectives.isEmpty();
  }

  /** True if sizes are given. */
  public boolean hasSizes() {
    return sizes != null;
  }

  /** The sizes in ascending order. */
  public List<Long> sizes() {
    return CallSizes.parse(sizes == null ? CallSizes.USUAL : sizes);
  }

  /** A call of a collective with a size. */
  public CollectiveCall call(Collective collective, long sizeBytes) {
    ReductionOperator op =
        OptionValue.ofLabel(
            "--op", operator, ReductionOperator.values(), ReductionOperator::label, "");
    return CollectiveCall.of(collective, sizeBytes, type(), op);
  }

  private DataType type() {
    return OptionValue.ofLabel("--datatype", dataType, DataType.values(), DataType::label, "");
  }

  /** A call of sends and receives with a size. */
  public PeerCall call(PeerOperation operation, long sizeBytes) {
    return new PeerCall(operation, sizeBytes, type());
  }

  /** A call of each collective with each size, sorted by collective. */
  public List<CollectiveCall> calls(List<Long> sizesBytes) {
    return collectives().stream()
        .flatMap(collective -> sizesBytes.stream().map(size -> call(collective, size)))
        .toList();
  }

  /**
   * A call of each operation with each size, the collectives first. Operations of sends and
   * receives are included only if the user names them, and have equal parts.
   */
  public List<Call> all(List<Long> sizesBytes) {
    List<Call> all = new ArrayList<>(calls(sizesBytes));
    all.addAll(peerCalls(sizesBytes));
    return all;
  }

  /** The calls of the operations of sends and receives that the user names. */
  public List<PeerCall> peerCalls(List<Long> sizesBytes) {
    return peers().stream()
        .flatMap(operation -> sizesBytes.stream().map(size -> call(operation, size)))
        .toList();
  }

  /**
   * The operation of sends and receives if it is the only operation that the user names; otherwise
   * empty.
   */
  public Optional<PeerOperation> singlePeer() {
    List<PeerOperation> peers = peers();
    return peers.size() == 1 && collectives().isEmpty()
        ? Optional.of(peers.get(0))
        : Optional.empty();
  }

  /**
   * The only size, for questions about one call.
   *
   * @throws SettingException if the user names several
   */
  public long singleSize() {
    List<Long> all = sizes == null ? List.of(DEFAULT_SIZE) : sizes();
    refuseIf(all.size() != 1, "expected one of --sizes, as in --sizes 64M");
    return all.get(0);
  }

  /**
   * The only call, for questions about one call; by default an AllReduce of 64 MiB.
   *
   * @throws SettingException if the options describe several calls, or sends and receives
   */
  public CollectiveCall singleCall() {
    List<Collective> named = collectives.isEmpty() ? List.of(Collective.ALL_REDUCE) : collectives();
    List<Long> all = sizes == null ? List.of(DEFAULT_SIZE) : sizes();
    refuseIf(
        named.size() != 1 || all.size() != 1 || !peers().isEmpty(),
        "expected one --collective and one of --sizes, as in --collective all_reduce --sizes 64M");
    return call(named.get(0), all.get(0));
  }

  /** The options that select algorithm and protocol. */
  public static final class PairOptions {
    private static final String EACH = "each";

    @Option(
        names = "--algorithm",
        paramLabel = "NAME",
        description = "Ring, Tree, NVLS, …, or each (default: NCCL's choice).")
    private @Nullable String algorithm;

    @Option(
        names = "--protocol",
        paramLabel = "NAME",
        description = "LL, LL128, Simple, or each (default: NCCL's choice).")
    private @Nullable String protocol;

    /** True if an algorithm or a protocol is named. */
    public boolean isGiven() {
      return algorithm != null || protocol != null;
    }

    /** The requested pairs. */
    public PairSelection selection() {
      return new PairSelection(
          unlessEach("--algorithm", algorithm, Algorithm.values(), Algorithm::label),
          unlessEach("--protocol", protocol, Protocol.values(), Protocol::label),
          EACH.equalsIgnoreCase(algorithm) || EACH.equalsIgnoreCase(protocol));
    }

    /**
     * The forced algorithm and protocol of measurements whose file does not contain them.
     *
     * @throws SettingException if only one of both is given
     */
    public Optional<Pair> forced() {
      PairSelection selection = selection();
      Optional<Pair> pair =
          selection.algorithm().flatMap(a -> selection.protocol().map(p -> new Pair(a, p)));
      refuseIf(
          isGiven() && pair.isEmpty(),
          "a measurement has one algorithm and one protocol, expected both --algorithm and --protocol, or neither");
      return pair;
    }

    private static <E> Optional<E> unlessEach(
        String option, @Nullable String text, E[] values, Function<E, String> label) {
      return Optional.ofNullable(text)
          .filter(name -> !EACH.equalsIgnoreCase(name))
          .map(name -> OptionValue.ofLabel(option, name, values, label, ", or each"));
    }
  }

  /** Option for collectives and send-receive operations. */
  public static final class CollectiveOptions {
    /** The names that the option accepts, for its description. */
    public static final String NAMES =
        "all_reduce, all_gather, reduce_scatter, broadcast, reduce, or all of these; also alltoall, alltoallv, sendrecv, gather,"
            + " scatter";

    @Option(
        names = "--collective",
        paramLabel = "NAME",
        split = ",",
        completionCandidates = OfferedValues.Collectives.class,
        description = NAMES + " (default: all).")
    private List<String> names = new ArrayList<>();

    /** True if the user names no operation. */
    public boolean isEmpty() {
      return names.isEmpty();
    }

    /**
     * All operations that the user names, including those of sends and receives; all that exist if
     * the user names none.
     */
    public List<Operation> operations() {
      if (names.isEmpty() || names.contains("all")) {
        return Operation.all();
      }
      List<Operation> operations = new ArrayList<>(named(peer -> true));
      operations.addAll(peers(peer -> true));
      return operations;
    }

    /**
     * The collectives that the user names, beside any operations of sends and receives; all if no
     * operation is named.
     */
    public List<Collective> collectives() {
      return named(peer -> true);
    }

    /** The operations of sends and receives that the user names; all if no operation is named. */
    public List<PeerOperation> peers() {
      return operations().stream()
          .filter(PeerOperation.class::isInstance)
          .map(PeerOperation.class::cast)
          .toList();
    }

    /** The operations of sends and receives that the user names. */
    List<PeerOperation> peers(Predicate<PeerOperation> accepted) {
      return names.stream().flatMap(name -> peer(name, accepted).stream()).distinct().toList();
    }

    /**
     * The collectives that the user names; all if no operation is named.
     *
     * @param accepted the operations of sends and receives that are accepted beside them
     */
    List<Collective> named(Predicate<PeerOperation> accepted) {
      if (names.isEmpty() || names.contains("all")) {
        return List.of(
            Collective.ALL_REDUCE,
            Collective.ALL_GATHER,
            Collective.REDUCE_SCATTER,
            Collective.BROADCAST,
            Collective.REDUCE);
      }
      return names.stream()
          .filter(name -> peer(name, accepted).isEmpty())
          .map(name -> collective(name, accepted))
          .distinct()
          .toList();
    }

    /** The operation of sends and receives with a name, if it is accepted. */
    private static Optional<PeerOperation> peer(String name, Predicate<PeerOperation> accepted) {
      return Operation.ofName(name)
          .filter(PeerOperation.class::isInstance)
          .map(PeerOperation.class::cast)
          .filter(accepted);
    }

    private static Collective collective(String name, Predicate<PeerOperation> accepted) {
      return Collective.ofName(name)
          .orElseThrow(
              () ->
                  new SettingException(
                      "--collective %s: expected all_reduce, all_gather, reduce_scatter, broadcast, reduce%s or all"
                          .formatted(
                              name,
                              Stream.of(PeerOperation.values())
                                  .filter(accepted)
                                  .map(peer -> ", " + peer.ncclTestsName())
                                  .collect(Collectors.joining()))));
    }
  }
}
