package dev.topo.cli.option;

import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Option;

/** The option that names collectives. */
public final class CollectiveOptions {
  /** What may be named, for help. */
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

  /** Whether none is named. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /** All operations that are named, also of sends and receives; all that there are if none is. */
  public List<Operation> operations() {
    if (names.isEmpty() || names.contains("all")) {
      return Operation.all();
    }
    List<Operation> operations = new ArrayList<>(named(peer -> true));
    operations.addAll(peers(peer -> true));
    return operations;
  }

  /** The collectives among any operations that are named, or all. */
  public List<Collective> collectives() {
    return named(peer -> true);
  }

  /** The operations of sends and receives among any that are named, or all. */
  public List<PeerOperation> peers() {
    return operations().stream()
        .filter(PeerOperation.class::isInstance)
        .map(PeerOperation.class::cast)
        .toList();
  }

  /** The operations of sends and receives that are named. */
  List<PeerOperation> peers(Predicate<PeerOperation> taken) {
    return names.stream().flatMap(name -> peer(name, taken).stream()).distinct().toList();
  }

  /** The collectives, beside operations of sends and receives where these are known. */
  List<Collective> named(Predicate<PeerOperation> taken) {
    if (names.isEmpty() || names.contains("all")) {
      return List.of(
          Collective.ALL_REDUCE,
          Collective.ALL_GATHER,
          Collective.REDUCE_SCATTER,
          Collective.BROADCAST,
          Collective.REDUCE);
    }
    return names.stream()
        .filter(name -> peer(name, taken).isEmpty())
        .map(name -> collective(name, taken))
        .distinct()
        .toList();
  }

  /** The operation of sends and receives with a name, if it is one that is taken. */
  private static Optional<PeerOperation> peer(String name, Predicate<PeerOperation> taken) {
    return Operation.ofName(name)
        .filter(PeerOperation.class::isInstance)
        .map(PeerOperation.class::cast)
        .filter(taken);
  }

  private static Collective collective(String name, Predicate<PeerOperation> taken) {
    String plain = name.replace("_", "").replace("-", "");
    return Collective.ofLabel(plain)
        .orElseThrow(
            () ->
                new SettingException(
                    "--collective %s: expected all_reduce, all_gather, reduce_scatter, broadcast, reduce%s or all"
                        .formatted(
                            name,
                            Stream.of(
                                    PeerOperation.ALLTOALL,
                                    PeerOperation.ALLTOALLV,
                                    PeerOperation.SENDRECV,
                                    PeerOperation.GATHER,
                                    PeerOperation.SCATTER)
                                .filter(taken)
                                .map(peer -> ", " + peer.ncclTestsName())
                                .collect(Collectors.joining()))));
  }
}
