package dev.topo.simulator.diagnosis;

import dev.topo.model.Alike;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * Finds the causes that the log and the settings of a run state. What NCCL has to do on a machine
 * without NVLink, RDMA or NVSwitch is not a cause.
 */
final class StatedCauses {
  /** Largest number of lines of a kind that are shown as evidence. */
  private static final int MOST_LINES = 2;

  /**
   * A link is a limit if its bandwidth is below this fraction of the expected one, or of that of
   * the port behind it.
   */
  private static final double LIMITING_FRACTION = 0.6;

  private static final int MANY_GPUS = 8;

  /** A node with at most one port for this many GPUs has few ports. */
  private static final int GPUS_PER_PORT = 4;

  private final RunFacts facts;
  private final Optional<Topology> node;
  private final boolean isStatedMachine;
  private final boolean hasNetwork;
  private final List<Stated> causes = new ArrayList<>();

  /**
   * Creates a search for causes.
   *
   * @param facts facts of the run
   * @param node the healthy node of the run; empty if unknown
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

  /** Finds the causes, one of each kind, those of settings first. */
  List<Stated> find() {
    causes.clear();
    causes.addAll(SettingCause.among(facts.settings(), hasNetwork));
    if (hasNetwork) {
      addWrongNetwork();
      addNoGpuDirect();
      addMissingPorts();
    }
    addPeerFaults();
    addNoMulticast();
    addFileFaults();
    addMixedReleases();
    addSlowLinks();
    return merged(causes);
  }

  /** Returns the settings of the run that topo knows and that are not causes. */
  NcclSettings usualSettings() {
    NcclSettings usual = NcclSettings.DEFAULTS;
    for (Map.Entry<String, LogStatement> entry : facts.settings().entrySet()) {
      boolean isRestricting =
          SettingCause.of(entry.getKey())
              .filter(cause -> cause.restricts(entry.getValue().value(1)))
              .isPresent();
      if (!isRestricting) {
        try {
          usual =
              usual.with(
                  NcclSettings.parse(List.of(entry.getKey() + "=" + entry.getValue().value(1))));
        } catch (SettingException e) {
          // A setting that NCCL does not know has no effect and is not a fault.
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
        new ArrayList<>(lines.stream().limit(MOST_LINES).map(LogStatement::evidence).toList());
    if (lines.size() > MOST_LINES) {
      evidence.add(
          new Evidence(lines.get(0).place(), "and " + (lines.size() - MOST_LINES) + " more lines"));
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

  private void addWrongNetwork() {
    if (!hasRdmaPorts()) {
      return;
    }
    List<LogStatement> peers = lines(LineKind.PEER, StatedCauses::isSocket);
    boolean hasOtherNetwork = facts.all(LineKind.PEER).stream().anyMatch(StatedCauses::isNetwork);
    List<LogStatement> socketChoice =
        hasOtherNetwork
            ? List.of()
            : lines(LineKind.NETWORK, line -> line.value(0).equals("Socket"));
    List<LogStatement> evidence = new ArrayList<>(socketChoice.stream().limit(1).toList());
    evidence.addAll(peers);
    if (!evidence.isEmpty()) {
      evidence.addAll(facts.first(LineKind.NO_PORT).stream().toList());
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

  private void addMissingPorts() {
    Set<String> found = facts.ports();
    int gpus = facts.first(LineKind.COMM).map(line -> line.number(2)).orElse(0);
    List<String> names =
        node.map(topology -> topology.nets().stream().map(NetNode::name).toList())
            .orElse(List.of());
    // Nodes with eight GPUs or more have more than one port per four GPUs.
    boolean isFew = gpus >= MANY_GPUS && found.size() * GPUS_PER_PORT <= gpus;
    if (found.isEmpty() || !isStatedMachine && !isFew) {
      return;
    }
    List<String> missing =
        names.stream().anyMatch(found::contains)
            ? names.stream().filter(name -> !found.contains(name)).toList()
            : names.subList(Math.min(found.size(), names.size()), names.size());
    boolean isSomeMissing = !missing.isEmpty() && missing.size() < names.size();
    if (isSomeMissing || names.isEmpty()) {
      add(
          CauseKind.FEWER_NICS,
          isSomeMissing
              ? (names.size() - missing.size()) + " of " + names.size() + " NICs"
              : QuantityFormat.count(found.size(), "NIC") + " for " + gpus + " GPUs of a node",
          facts.first(LineKind.PORTS).stream().toList(),
          isSomeMissing ? "remove net:" + String.join(" net:", missing) : "");
    }
  }

  private void addNoGpuDirect() {
    boolean canUseGpuDirect = node.isEmpty() || node.get().nets().stream().anyMatch(NetNode::gdr);
    if (!canUseGpuDirect) {
      return;
    }
    List<LogStatement> without =
        lines(LineKind.PEER, line -> isNetwork(line) && !line.value(2).contains("GDRDMA"));
    List<LogStatement> with =
        lines(LineKind.PEER, line -> isNetwork(line) && line.value(2).contains("GDRDMA"));
    if (without.isEmpty()) {
      return;
    }
    List<LogStatement> evidence = new ArrayList<>(without.stream().limit(MOST_LINES).toList());
    evidence.addAll(facts.first(LineKind.GDR_OFF).stream().toList());
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

  private void addPeerFaults() {
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
          facts.first(LineKind.SYSTEM).stream().toList(),
          "remove nvlink:*");
    }
  }

  private static boolean hasNvlink(Topology node) {
    return IntStream.range(0, node.size())
        .anyMatch(at -> node.links(at).stream().anyMatch(link -> link.type() == LinkType.NVL));
  }

  private void addNoMulticast() {
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

  private void addFileFaults() {
    // NCCL tries this file by default; it exists only on some virtual machines.
    Alike.by(
            lines(LineKind.UNREADABLE, line -> !line.value(1).startsWith("/var/run/")),
            line -> line.value(1))
        .forEach((file, lines) -> add(CauseKind.WRONG_FILE, "NCCL cannot read " + file, lines, ""));
    add(
        CauseKind.WRONG_FILE,
        "channels come from a graph file",
        facts.all(LineKind.GRAPH_FILE),
        "");
  }

  private void addMixedReleases() {
    Set<String> releases = facts.values(LineKind.VERSION, 0);
    if (releases.size() > 1) {
      add(
          CauseKind.OTHER_VERSION,
          "processes run NCCL " + String.join(" and ", releases),
          facts.all(LineKind.VERSION),
          "");
    }
  }

  private void addSlowLinks() {
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
    if (slowest < LIMITING_FRACTION * expected
        && facts.all(LineKind.PEER).stream().noneMatch(StatedCauses::isSocket)) {
      add(
          CauseKind.SLOW_NIC,
          TextWriter.format("NCCL reads %.1f GB/s for a port, expected %.1f", slowest, expected),
          lines(LineKind.NET_SPEED, line -> Double.parseDouble(line.value(0)) == slowest),
          "net:*.speed=" + Math.round(slowest * 8000));
    }
    List<LogStatement> slowLinks =
        lines(
            LineKind.PCI_SPEED,
            line ->
                line.value(1).equals("NIC")
                    && Double.parseDouble(line.value(0)) < LIMITING_FRACTION * slowest);
    add(
        CauseKind.SLOW_PCIE,
        "the PCIe link of a NIC is slower than its port",
        slowLinks,
        "net:*.link_width=4");
  }
}
