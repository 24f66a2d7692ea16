package dev.topo.simulator.evaluate;

import dev.topo.model.CpuArch;
import dev.topo.model.CpuModel;
import dev.topo.model.CpuNode;
import dev.topo.model.LinkType;
import dev.topo.model.Topology;
import dev.topo.model.io.ResourceTable;
import dev.topo.search.path.LinkTable;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The time that a byte occupies the links inside a machine. NCCL's own numbers serve its choice of
 * channels; for a link between CPUs they depend on the release, for the data they do not.
 */
final class LinkTimes {
  private static final double PS_PER_NS = 1000;

  private static final Map<CpuModel, Double> BETWEEN_CPUS = betweenCpus();

  /**
   * The part of NCCL's number that links between other x86 CPUs carry, which no release changed.
   */
  private static final double OTHER_CPUS = number("other-cpus");

  /**
   * The factor by which a byte occupies a PCI link longer when it goes through the host's memory.
   */
  private static final double THROUGH_HOST = number("host");

  private final double[] direct;
  private final double[] throughHost;

  /** The times of the links of a table of this topology. */
  LinkTimes(Topology topology, LinkTable table) {
    this.direct = new double[table.size()];
    this.throughHost = new double[table.size()];
    for (int node = 0; node < topology.size(); node++) {
      for (int link = table.firstOf(node); link < table.endOf(node); link++) {
        boolean isBetweenCpus = table.type(link) == LinkType.SYS;
        double rate =
            isBetweenCpus
                ? betweenCpus((CpuNode) topology.node(node), table.bwGBps(link))
                : table.bwGBps(link);
        direct[link] = PS_PER_NS / rate;
        boolean isPci = table.type(link) == LinkType.PCI;
        throughHost[link] = direct[link] * (isPci ? THROUGH_HOST : 1);
      }
    }
  }

  private static double betweenCpus(CpuNode cpu, double plannedGBps) {
    double others = cpu.arch() == CpuArch.X86 ? OTHER_CPUS * plannedGBps : plannedGBps;
    return BETWEEN_CPUS.getOrDefault(cpu.model(), others);
  }

  /**
   * The time that a byte occupies a link, before what is lost to protocol overhead.
   *
   * @param isThroughHost whether it is on its way to or from the host's memory
   */
  double psPerByte(int link, boolean isThroughHost) {
    return isThroughHost ? throughHost[link] : direct[link];
  }

  private static Map<CpuModel, Double> betweenCpus() {
    Map<CpuModel, Double> rates = new EnumMap<>(CpuModel.class);
    for (List<String> row : rows("cpu")) {
      rates.put(CpuModel.valueOf(row.get(0)), Double.valueOf(row.get(1)));
    }
    return rates;
  }

  private static double number(String kind) {
    return Double.parseDouble(rows(kind).get(0).get(0));
  }

  private static List<List<String>> rows(String kind) {
    return ResourceTable.rows(LinkTimes.class, "links.txt", kind);
  }
}
