package dev.topo.simulator.evaluate;

import dev.topo.model.QuantityFormat;
import dev.topo.model.job.Machine;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.Connection;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Why NCCL counts other nodes than the hosts or NVLink domains that the user states. */
final class NodeCaveats {
  private static final List<String> MNNVL = List.of("NCCL_MNNVL_ENABLE", DomainFinder.CLUSTER);

  /** What forbids transfers inside a host. */
  private static final List<String> TRANSPORTS =
      List.of("NCCL_P2P_DISABLE", "NCCL_P2P_LEVEL", "NCCL_SHM_DISABLE");

  private final Communicator communicator;
  private final Connection connection;
  private final NcclSettings settings;

  private NodeCaveats(Communicator communicator) {
    this.communicator = communicator;
    this.connection = communicator.connection();
    this.settings = communicator.job().machines().get(0).settings();
  }

  static List<String> of(Communicator communicator) {
    NodeCaveats caveats = new NodeCaveats(communicator);
    List<String> found = new ArrayList<>();
    caveats.separateHosts().ifPresent(found::add);
    caveats.dividedHosts().ifPresent(found::add);
    return found;
  }

  /** NVLink domains of several hosts of which none is a node. */
  private Optional<String> separateHosts() {
    List<Machine> machines = communicator.job().machines();
    boolean hasDomains = machines.stream().anyMatch(machine -> machine.topology().nHosts() > 1);
    boolean anyJoined =
        IntStream.range(0, connection.nNodes())
            .anyMatch(node -> connection.domain(node).topology().nHosts() > 1);
    if (!hasDomains || anyJoined) {
      return Optional.empty();
    }
    boolean isForbidden = !DomainFinder.joinsHosts(connection.profile().complete(settings));
    return Optional.of(
        "--nvlink-domain has no effect, each host is a node: "
            + (isForbidden
                ? stated(MNNVL).orElse("the settings forbid peer-to-peer transfers")
                : "no NVSwitch joins the hosts"));
  }

  /**
   * Hosts of several nodes: where neither peer-to-peer transfers nor shared memory are to be used
   * between two GPUs, their path is the network ({@code ncclTopoComputePaths}), and each group
   * without such paths is a node ({@code ncclTopoTrimSystem}, {@code nccl:src/graph/paths.cc},
   * 2.28.9).
   */
  private Optional<String> dividedHosts() {
    int hosts =
        communicator.job().machines().stream()
            .mapToInt(machine -> machine.topology().nHosts())
            .sum();
    return connection.nNodes() <= hosts
        ? Optional.empty()
        : Optional.of(
            "NCCL counts %d nodes on %s: only the network connects the groups of GPUs%s"
                .formatted(
                    connection.nNodes(),
                    QuantityFormat.count(hosts, "host"),
                    stated(TRANSPORTS).map(names -> " (" + names + ")").orElse("")));
  }

  /** Those of some settings that the user has set. */
  private Optional<String> stated(List<String> names) {
    return names.stream()
        .flatMap(name -> settings.text(name).map(value -> name + "=" + value).stream())
        .reduce((first, second) -> first + " and " + second);
  }
}
