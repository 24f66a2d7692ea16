package dev.topo.inspect.log;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.log.RunOrigin.CommSize;
import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.job.Job;
import dev.topo.model.job.Machine;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.rules.ReleaseRules.NcclRelease;
import dev.topo.search.tuning.Communicator;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Finds differences between the run that produced a file and the job that it is compared with. */
public final class RunMismatches {
  private static final int NAMES = 3;

  private RunMismatches() {}

  /**
   * Difference between the NCCL release of the run and the one whose rules are used.
   *
   * @param file name of the file for messages
   */
  public static List<Caveat> ofRelease(String file, RunOrigin origin, ReleaseRules rules) {
    List<String> others =
        origin.versions().stream()
            .filter(version -> NcclRelease.find(version).filter(rules::answersFor).isEmpty())
            .toList();
    if (others.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Caveat(
            "nccl-version",
            file,
            "comes from NCCL %s and is compared with the rules of %s"
                .formatted(String.join(" and ", others), rules.named()),
            "a difference may be one of the releases"));
  }

  /** Difference between the network that NCCL used and those of the machines. */
  public static List<Caveat> ofNetwork(String file, RunOrigin origin, List<Machine> machines) {
    List<String> ports = rdmaPorts(machines);
    if (!origin.usesSockets() || ports.isEmpty()) {
      return List.of();
    }
    return List.of(
        new Caveat(
            "net-socket",
            file,
            "NCCL used its network Socket (NET/Socket), the machine has InfiniBand or RoCE ports (%s)"
                .formatted(String.join(", ", ports)),
            "check NCCL_NET, NCCL_IB_DISABLE, NCCL_IB_HCA and the RDMA libraries of that run"));
  }

  /** Differences in release and network. */
  public static List<Caveat> of(String file, RunOrigin origin, Job job, ReleaseRules rules) {
    List<Caveat> mismatches = new ArrayList<>(ofRelease(file, origin, rules));
    mismatches.addAll(ofNetwork(file, origin, job.machines()));
    return mismatches;
  }

  /**
   * Differences in release, network and the numbers of ranks, nodes and GPUs of the communicators
   * in a log.
   */
  public static List<Caveat> of(
      String file, RunOrigin origin, Communicator communicator, ReleaseRules rules) {
    List<Caveat> mismatches = new ArrayList<>(of(file, origin, communicator.job(), rules));
    List<CommSize> nodes = nodes(communicator.connection());
    List<CommSize> others =
        origin.sizes().stream().filter(size -> nodes.stream().noneMatch(size::isOf)).toList();
    if (!others.isEmpty()) {
      boolean isMixed = others.size() < origin.sizes().size();
      mismatches.add(
          new Caveat(
              "ranks",
              file,
              "%s %s, the job has %s"
                  .formatted(
                      isMixed ? "also has communicators of" : "is of",
                      QuantityFormat.joined(" and ", others, CommSize::toString),
                      nodes.get(0)),
              isMixed
                  ? SpecText.of("each is compared as if it were this job")
                  : SpecText.of(
                      "expected the machines, nodes and GPUs of that run (%s, %s)",
                      SpecField.NODES, SpecField.GPUS)));
    }
    return mismatches;
  }

  /** Size of the communicator as the ranks of each node report it. */
  private static List<CommSize> nodes(Connection connection) {
    return connection
        .nodeNumbers()
        .mapToObj(
            node ->
                new CommSize(
                    connection.nRanks(),
                    OptionalInt.of(connection.nNodes()),
                    OptionalInt.of(connection.ranksOf(node).size())))
        .distinct()
        .toList();
  }

  /** Ports of RDMA devices, which count from 1; interfaces of the network Socket have port 0. */
  private static List<String> rdmaPorts(List<Machine> machines) {
    List<String> names =
        machines.stream()
            .map(Machine::topology)
            .distinct()
            .flatMap(machine -> machine.nets().stream())
            .filter(net -> net.port() > 0)
            .map(NetNode::name)
            .distinct()
            .toList();
    List<String> shown = new ArrayList<>(names.subList(0, Math.min(NAMES, names.size())));
    if (shown.size() < names.size()) {
      shown.add("...");
    }
    return shown;
  }
}
