package dev.topo.reference;

import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.job.NcclSettings;
import dev.topo.search.path.Domain;
import dev.topo.search.path.Domain.SystemBandwidth;
import dev.topo.search.path.DomainFinder;
import dev.topo.search.path.LocalDevices;
import dev.topo.search.rules.TopologyRules;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The paths of every reference machine, pair by pair, and its devices with the GPU that drives each
 * port.
 */
class PathReferenceTest {
  /** Versions whose answers give for a port the GPU that drives the port numbered as its place. */
  private static final Set<String> DRIVERS_BY_PLACE = Set.of("2.19.3", "2.20.5");

  @Test
  void ownMachinesHaveNcclsPaths() {
    compare("own", ReferenceSets.own());
  }

  @Test
  void randomMachinesHaveNcclsPaths() {
    compare("random", ReferenceSets.random());
  }

  @Test
  void publishedMachinesHaveNcclsPaths() {
    compare("public", ReferenceSets.published());
  }

  static void compare(String set, List<ReferenceCase> cases) {
    Agreement agreement = new Agreement("paths " + set);
    int pairs = 0;
    for (ReferenceCase reference : cases) {
      if (!reference.has("paths.txt")) {
        continue; // VersionRefusalTest
      }
      Topology topology = reference.topology();
      // The bounds are those of a job on one node, the pairs those before ports are removed from
      // it.
      Domain onOneNode = domain(reference, topology, false);
      Domain domain = domain(reference, topology, true);
      List<String> expected = reference.lines("paths.txt");
      List<String> missing = missing(expected, lines(onOneNode, domain));
      pairs += expected.size();
      agreement.add(reference.name(), missing.isEmpty() ? "" : "not found: " + missing.get(0));
    }
    agreement.finish(" (" + pairs + " lines)");
  }

  /**
   * The expected lines that were not found, each as often as it is expected: two ports can have one
   * name.
   */
  private static List<String> missing(List<String> expected, List<String> found) {
    Map<String, Integer> left = new HashMap<>();
    found.forEach(line -> left.merge(line, 1, Integer::sum));
    List<String> missing = new ArrayList<>();
    for (String line : expected) {
      if (left.merge(line, -1, Integer::sum) < 0) {
        missing.add(line);
      }
    }
    return missing;
  }

  private static Domain domain(ReferenceCase reference, Topology topology, boolean crossesNetwork) {
    return DomainFinder.find(topology, NcclSettings.DEFAULTS, crossesNetwork, reference.profile())
        .get(0);
  }

  private static List<String> lines(Domain onOneNode, Domain domain) {
    Topology topology = domain.topology();
    TopologyRules rules = domain.profile().topology();
    List<String> lines = new ArrayList<>();
    SystemBandwidth most = SystemBandwidth.of(onOneNode);
    lines.add(
        String.format(
            Locale.ROOT,
            "# maxBw %s totalBw %s inter %d",
            PrintfNumber.general(most.maxGBps()),
            PrintfNumber.general(most.totalGBps()),
            onOneNode.crossesNetwork() ? 1 : 0));
    for (GpuNode gpu : topology.gpus()) {
      lines.add(
          String.format(
              Locale.ROOT,
              "# %s rank %d dev %d sm %d gdr %d",
              gpu.label(),
              gpu.rank(),
              gpu.dev(),
              gpu.sm(),
              gpu.gdr() ? 1 : 0));
    }
    for (int n = 0; n < topology.nets().size(); n++) {
      lines.add(net(topology.nets().get(n), driver(domain, n)));
    }
    topology
        .cpus()
        .forEach(
            cpu ->
                lines.add(
                    String.format(
                        Locale.ROOT,
                        "# %s arch %d vendor %d model %d",
                        rules.label(cpu),
                        cpu.arch().number(),
                        cpu.vendor().number(),
                        domain.profile().links().known(cpu).number())));
    for (int from = 0; from < topology.size(); from++) {
      for (NodeType type :
          new NodeType[] {NodeType.GPU, NodeType.NVS, NodeType.NET, NodeType.CPU}) {
        for (int to : topology.indexes(type)) {
          lines.add(
              String.format(
                  Locale.ROOT,
                  "%s -> %s type=%s bw=%s count=%d",
                  rules.label(topology.node(from)),
                  rules.label(topology.node(to)),
                  domain.profile().paths().name(domain.paths().type(from, to)),
                  PrintfNumber.general(domain.paths().bwGBps(from, to)),
                  domain.paths().hops(from, to)));
        }
      }
    }
    return lines;
  }

  private static int driver(Domain domain, int place) {
    LocalDevices devices = domain.paths().localDevices();
    if (!DRIVERS_BY_PLACE.contains(domain.profile().version())) {
      return devices.gpuOf(place);
    }
    List<NetNode> nets = domain.topology().nets();
    return IntStream.range(0, nets.size())
        .filter(n -> nets.get(n).dev() == place)
        .map(devices::gpuOf)
        .findFirst()
        .orElse(-1);
  }

  private static String net(NetNode net, int driver) {
    return String.format(
        Locale.ROOT,
        "# %s dev %d asic %x port %d bw %s latency %s gdr %d coll %d maxChannels %d localGpu %d",
        net.label(),
        net.dev(),
        net.asic(),
        net.port(),
        PrintfNumber.general(net.bwGBps()),
        PrintfNumber.general(net.latencyUs()),
        net.gdr() ? 1 : 0,
        net.collNet() ? 1 : 0,
        net.maxChannels(),
        driver);
  }
}
