package dev.topo.cli.option.call;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import dev.topo.model.settings.SettingException;
import dev.topo.search.transfer.Traffic;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The option that names collectives. */
public final class CollectiveOptions {
  @Option(
      names = "--collective",
      paramLabel = "NAME",
      split = ",",
      description =
          "all_reduce, all_gather, reduce_scatter, broadcast, reduce, or all (default: all); tune and explain also take"
              + " alltoall, sendrecv, gather, scatter.")
  private List<String> names = new ArrayList<>();

  /** Whether none is named. */
  public boolean isEmpty() {
    return names.isEmpty();
  }

  /** The collectives: those that are named, or all; refuses other operations. */
  public List<Collective> named() {
    return named(false);
  }

  /** The operations of sends and receives that are named. */
  List<PeerOperation> peers() {
    return names.stream().flatMap(name -> peer(name).stream()).distinct().toList();
  }

  /** The collectives, beside operations of sends and receives where these are known. */
  List<Collective> named(boolean besidePeers) {
    if (names.isEmpty() || names.contains("all")) {
      return List.of(
          Collective.ALL_REDUCE,
          Collective.ALL_GATHER,
          Collective.REDUCE_SCATTER,
          Collective.BROADCAST,
          Collective.REDUCE);
    }
    return names.stream()
        .filter(name -> !besidePeers || peer(name).isEmpty())
        .map(name -> collective(name, besidePeers))
        .distinct()
        .toList();
  }

  /** The operation of sends and receives with a name, if its size determines what it sends. */
  private static Optional<PeerOperation> peer(String name) {
    return Operation.ofName(name)
        .filter(PeerOperation.class::isInstance)
        .map(PeerOperation.class::cast)
        .filter(Traffic::isKnown);
  }

  private static Collective collective(String name, boolean besidePeers) {
    String plain = name.replace("_", "").replace("-", "");
    return Collective.ofLabel(plain)
        .orElseThrow(
            () ->
                new SettingException(
                    "--collective %s: expected all_reduce, all_gather, reduce_scatter, broadcast, reduce%s or all"
                        .formatted(
                            name, besidePeers ? ", alltoall, sendrecv, gather, scatter" : "")));
  }
}
