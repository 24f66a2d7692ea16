package dev.topo.simulator.diagnosis;

import dev.topo.model.ComputeCapability;
import dev.topo.model.Link.LinkType;
import dev.topo.model.Node.NetNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Causes that the lines of a run state. What a machine without NVLink, RDMA or NVSwitch does by
 * itself is not a cause.
 */
final class StatedCauses {
  /** Most lines of a kind that are shown as evidence. */
  private static final int SHOWN = 2;

  /** Bandwidth of a link, as a fraction of what it feeds, below which it is a limit. */
  private static final double BELOW = 0.6;

  private static final int MANY_GPUS = 8;
  private static final int FEW_PORTS = 4;

  private final RunFacts facts;
  private final Optional<Topology> node;
  private final boolean isStatedMachine;
  private final boolean hasNetwork;
  private final List<Stated> causes = new ArrayList<>();

  /**
   * Causes in the lines of a run.
   *
   * @param facts facts of the run
   * @param node its node when healthy; empty if unknown
   * @param isStatedMachine whether the user states the node; otherwise it is assumed
   * @param hasNetwork whether the run has several nodes
   */
  StatedCauses(
      RunFacts facts, Optional<Topology> node, boolean isStatedMachine, boolean hasNetwork) {
    this.facts = facts;
    this.node = node;
    this.isStatedMachine = isStatedMachine;
    this.hasNetwork = hasNetwork;
  }

  /** Causes, those of settings first. */
  List<Stated> find() {
    causes.clear();
    causes.addAll(SettingCause.among(facts.settings(), hasNetwork));
    if (hasNetwork) {
      network();
      ports();
      gpuDirect();
    }
    peers();
    multicast();
    files();
    releases();
    links();
    return merged(causes);
  }

  /** Settings of the run that do not restrict NCCL and that topo knows. */
  NcclSettings usualSettings() {
    NcclSettings usual = NcclSettings.DEFAULTS;
    for (Map.Entry<String, LogStatement> entry : facts.settings().entrySet()) {
      boolean takes =
          SettingCause.of(entry.getKey())
              .filter(cause -> cause.takes(entry.getValue().value(1)))
              .isPresent();
      if (!takes) {
        try {
          usual =
              usual.with(
                  NcclSettings.parse(List.of(entry.getKey() + "=" + entry.getValue().value(1))));
        } catch (SettingException e) {
          // A setting that NCCL does not know has no effect and is not a fault.
          continue;
        }
      }
    }
    return usual;
  }

  private static List<Stated> merged(List<Stated> causes) {
    Map<CauseKind, Stated> byKind = new LinkedHashMap<>();
    for (Stated stated : causes) {
      byKind.merge(
          stated.kind(),
          stated,
          (first, second) -> {
            List<Evidence> evidence = new ArrayList<>(first.evidence());
            evidence.addAll(second.evidence());
            boolean isNew =
                second.edits().startsWith("env ") && !first.edits().contains(second.edits());
            return new Stated(
                first.kind(),
                isNew ? first.detail() + ", " + second.detail() : first.detail(),
                evidence,
                isNew && !first.edits().isEmpty()
                    ? first.edits() + "; " + second.edits()
                    : first.edits().isEmpty() ? second.edits() : first.edits());
          });
    }
    return List.copyOf(byKind.values());
  }

  private void add(CauseKind kind, String detail, List<LogStatement> lines, String edits) {
    if (!lines.isEmpty()) {
      causes.add(new Stated(kind, detail, shown(lines), edits));
    }
  }

  private static List<Evidence> shown(List<LogStatement> lines) {
    List<Evidence> evidence =
        new ArrayList<>(lines.stream().limit(SHOWN).map(LogStatement::evidence).toList());
    if (lines.size() > SHOWN) {
      evidence.add(
          new Evidence(lines.get(0).place(), "and " + (lines.size() - SHOWN) + " more lines"));
    }
    return evidence;
  }

  private List<LogStatement> lines(LineKind kind, Predicate<LogStatement> which) {
    return facts.all(kind).stream().filter(which).toList();
  }

  private static boolean isSocket(LogStatement peer) {
    return peer.value(2).startsWith("NET/Socket");
  }

  private static boolean isNetwork(LogStatement peer) {
    return peer.value(2).startsWith("NET/") && !isSocket(peer);
  }

  private boolean hasRdmaPorts() {
    return node.isEmpty()
        || !isStatedMachine
        || node.get().nets().stream().anyMatch(net -> net.port() > 0);
  }

  private void network() {
    if (!hasRdmaPorts()) {
      return;
    }
    List<LogStatement> peers = lines(LineKind.PEER, StatedCauses::isSocket);
    boolean isOther = facts.all(LineKind.PEER).stream().anyMatch(StatedCauses::isNetwork);
    List<LogStatement> chosen =
        isOther ? List.of() : lines(LineKind.NETWORK, line -> line.value(0).equals("Socket"));
    List<LogStatement> evidence = new ArrayList<>(chosen.stream().limit(1).toList());
    evidence.addAll(peers);
    if (!evidence.isEmpty()) {
      evidence.addAll(facts.all(LineKind.NO_PORT).stream().limit(1).toList());
    }
    add(
        CauseKind.WRONG_NETWORK,
        "data between nodes goes over TCP (NET/Socket)",
        evidence,
        "env NCCL_NET=Socket");
    add(
        CauseKind.WRONG_NETWORK,
        "the provider of libfabric is TCP",
        lines(
            LineKind.PROVIDER,
            line -> line.value(0).contains("tcp") || line.value(0).contains("sockets")),
        "env NCCL_NET=Socket");
  }

  private void ports() {
    Set<String> found = facts.ports();
    int gpus = facts.first(LineKind.COMM).map(line -> line.number(2)).orElse(0);
    List<String> names =
        node.map(topology -> topology.nets().stream().map(NetNode::name).toList())
            .orElse(List.of());
    // Machines with eight GPUs on a board have more than one port per four GPUs.
    boolean isFew = gpus >= MANY_GPUS && found.size() * FEW_PORTS <= gpus;
    if (found.isEmpty() || !isStatedMachine && !isFew) {
      return;
    }
    List<String> gone =
        names.stream().anyMatch(found::contains)
            ? names.stream().filter(name -> !found.contains(name)).toList()
            : names.subList(Math.min(found.size(), names.size()), names.size());
    boolean isPart = !gone.isEmpty() && gone.size() < names.size();
    if (isPart || names.isEmpty()) {
      add(
          CauseKind.FEWER_NICS,
          isPart
              ? (names.size() - gone.size()) + " of " + names.size() + " NICs"
              : QuantityFormat.count(found.size(), "NIC") + " for " + gpus + " GPUs of a node",
          facts.all(LineKind.PORTS).stream().limit(1).toList(),
          isPart ? "remove net:" + String.join(" net:", gone) : "");
    }
  }

  private void gpuDirect() {
    boolean canHave = node.isEmpty() || node.get().nets().stream().anyMatch(NetNode::gdr);
    if (!canHave) {
      return;
    }
    List<LogStatement> without =
        lines(LineKind.PEER, line -> isNetwork(line) && !line.value(2).contains("GDRDMA"));
    List<LogStatement> with =
        lines(LineKind.PEER, line -> isNetwork(line) && line.value(2).contains("GDRDMA"));
    if (without.isEmpty()) {
      return;
    }
    List<LogStatement> evidence = new ArrayList<>(without.stream().limit(SHOWN).toList());
    evidence.addAll(facts.all(LineKind.GDR_OFF).stream().limit(1).toList());
    add(
        CauseKind.NO_GPUDIRECT,
        with.isEmpty()
            ? "no connection between nodes uses GPUDirect RDMA"
            : without.size()
                + " of "
                + (with.size() + without.size())
                + " connections between nodes are without GPUDirect RDMA",
        evidence,
        "net:*.gdr=0");
  }

  private void peers() {
    add(
        CauseKind.P2P_OFF,
        "the driver refuses direct access between GPUs",
        facts.all(LineKind.NO_P2P),
        "env NCCL_P2P_DISABLE=1");
    boolean hasNvlink = node.map(StatedCauses::hasNvlink).orElse(false);
    if (hasNvlink) {
      add(
          CauseKind.P2P_OFF,
          "GPUs of a node exchange data through shared memory",
          lines(LineKind.PEER, line -> line.value(2).startsWith("SHM")),
          "env NCCL_P2P_DISABLE=1");
    }
    if (hasNvlink && facts.has(LineKind.SYSTEM) && !facts.has(LineKind.NVLINK)) {
      add(
          CauseKind.NO_NVLINK,
          "NCCL sees no NVLink",
          facts.all(LineKind.SYSTEM).stream().limit(1).toList(),
          "remove nvlink:*");
    }
  }

  private static boolean hasNvlink(Topology node) {
    return IntStream.range(0, node.size())
        .anyMatch(at -> node.links(at).stream().anyMatch(link -> link.type() == LinkType.NVL));
  }

  private void multicast() {
    boolean isHopper =
        node.map(
                topology ->
                    topology.gpus().stream().allMatch(gpu -> gpu.sm() >= ComputeCapability.HOPPER))
            .orElse(false);
    if (isHopper) {
      add(
          CauseKind.NVLS_OFF,
          "NVLink multicast is not available",
          facts.all(LineKind.NO_MULTICAST),
          "env NCCL_NVLS_ENABLE=0");
    }
  }

  private void files() {
    // NCCL tries this file by default; it exists only on some virtual machines.
    lines(LineKind.UNREADABLE, line -> !line.value(1).startsWith("/var/run/")).stream()
        .collect(
            Collectors.groupingBy(line -> line.value(1), LinkedHashMap::new, Collectors.toList()))
        .forEach((file, lines) -> add(CauseKind.WRONG_FILE, "NCCL cannot read " + file, lines, ""));
    add(
        CauseKind.WRONG_FILE,
        "channels come from a graph file",
        facts.all(LineKind.GRAPH_FILE),
        "");
  }

  private void releases() {
    Set<String> releases = new LinkedHashSet<>();
    facts.all(LineKind.VERSION).forEach(line -> releases.add(line.value(0)));
    if (releases.size() > 1) {
      add(
          CauseKind.OTHER_VERSION,
          "processes run NCCL " + String.join(" and ", releases),
          facts.all(LineKind.VERSION),
          "");
    }
  }

  private void links() {
    List<LogStatement> speeds = facts.all(LineKind.NET_SPEED);
    if (speeds.isEmpty() || !hasNetwork) {
      return;
    }
    double slowest =
        speeds.stream().mapToDouble(line -> Double.parseDouble(line.value(0))).min().orElseThrow();
    double expected =
        node.filter(topology -> isStatedMachine)
            .map(topology -> topology.nets().stream().mapToDouble(NetNode::bwGBps).min().orElse(0))
            .orElse(0.0);
    if (slowest < BELOW * expected
        && facts.all(LineKind.PEER).stream().noneMatch(StatedCauses::isSocket)) {
      add(
          CauseKind.SLOW_NIC,
          TextWriter.format("NCCL reads %.1f GB/s for a port, expected %.1f", slowest, expected),
          lines(LineKind.NET_SPEED, line -> Double.parseDouble(line.value(0)) == slowest),
          "net:*.speed=" + Math.round(slowest * 8000));
    }
    List<LogStatement> lanes =
        lines(
            LineKind.PCI_SPEED,
            line ->
                line.value(1).equals("NIC") && Double.parseDouble(line.value(0)) < BELOW * slowest);
    add(
        CauseKind.SLOW_PCIE,
        "the PCIe link of a NIC is slower than its port",
        lanes,
        "net:*.link_width=4");
  }
}
