package dev.topo.visualizer.drawing;

import dev.topo.model.MachineFormat;
import dev.topo.model.Node;
import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.PciNode;
import dev.topo.model.QuantityFormat.PrintfNumber;
import dev.topo.model.Topology;
import dev.topo.model.io.TextWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The text in the box of a node and its tooltip. */
public final class NodeLabels {
  private static final double LARGE = 12;

  private final Topology topology;
  private final boolean isCompact;
  private final boolean ranksAreDevs;

  /** Creates the texts for the nodes of a machine. */
  public NodeLabels(Topology topology) {
    this(topology, false);
  }

  /**
   * Creates the texts for the nodes of a machine.
   *
   * @param isCompact whether boxes are as narrow as their names, with the rest in the hints
   */
  NodeLabels(Topology topology, boolean isCompact) {
    this.topology = topology;
    this.isCompact = isCompact;
    this.ranksAreDevs = topology.gpus().stream().allMatch(gpu -> gpu.rank() == gpu.dev());
  }

  /** Returns the name of a GPU: its device number, with its rank if that is a different number. */
  public String gpuName(GpuNode gpu) {
    return "GPU " + gpu.dev() + (ranksAreDevs ? "" : " · rank " + gpu.rank());
  }

  /** True if details are left to the hints. */
  boolean isCompact() {
    return isCompact;
  }

  /** The size of the least important texts. */
  double small() {
    return sized(9, 11);
  }

  /** One of two lengths in pixels, depending on the picture. */
  double sized(double usual, double compact) {
    return isCompact ? compact : usual;
  }

  /** The lines in the box of a node that is neither a card nor a port. */
  List<TextLine> lines(int node) {
    Node device = topology.node(node);
    if (device instanceof GpuNode gpu) {
      String sm = "sm " + gpu.sm();
      return isCompact
          ? List.of(
              TextLine.bold("GPU " + gpu.dev(), LARGE),
              TextLine.plain(ranksAreDevs ? sm : "rank " + gpu.rank(), small()))
          : List.of(
              TextLine.bold(gpuName(gpu), LARGE), TextLine.plain(gpu.id() + " · " + sm, small()));
    }
    if (device instanceof CpuNode cpu) {
      String name = cpu.label() + " · " + MachineFormat.cpuName(cpu);
      return List.of(TextLine.bold(name, sized(10, 11)));
    }
    if (device instanceof PciNode pci) {
      return List.of(TextLine.plain(isCompact ? "PCI" : pci.label(), small()));
    }
    return List.of(TextLine.bold("NVSwitch", LARGE));
  }

  /** The lines in the box of a card: one for each port, then its id. */
  List<TextLine> cardLines(int card, List<Integer> ports) {
    List<TextLine> lines = new ArrayList<>();
    for (int port : ports) {
      NetNode net = (NetNode) topology.node(port);
      String speed = isCompact ? "" : " · " + PrintfNumber.general(net.bwGBps());
      lines.add(TextLine.bold(PortName.of(net) + speed, sized(10, 11)));
    }
    lines.add(TextLine.plain(isCompact ? speeds(ports) : topology.node(card).label(), small()));
    return lines;
  }

  private String speeds(List<Integer> ports) {
    return ports.stream()
            .map(port -> PrintfNumber.general(((NetNode) topology.node(port)).bwGBps()))
            .distinct()
            .collect(Collectors.joining(", "))
        + " GB/s";
  }

  /** All attributes of a node. */
  String hint(int node) {
    Node device = topology.node(node);
    String name = device instanceof NetNode net ? ", " + PortName.of(net) : "";
    String facts = facts(device);
    return device.label() + name + (facts.isEmpty() ? "" : ", " + facts);
  }

  /** Returns facts about a device besides its names; empty if there are none. */
  public static String facts(Node device) {
    if (device instanceof GpuNode gpu) {
      return TextWriter.format(
          "rank %d, dev %d, sm %d%s, %s",
          gpu.rank(), gpu.dev(), gpu.sm(), gpu.gdr() ? ", GDR" : "", gpu.busId());
    }
    if (device instanceof CpuNode cpu) {
      return MachineFormat.cpuName(cpu) + ", NUMA " + cpu.numaId();
    }
    if (device instanceof NetNode net) {
      return PrintfNumber.general(net.bwGBps())
          + " GB/s"
          + (net.gdr() ? ", GDR" : "")
          + (net.collNet() ? ", CollNet" : "");
    }
    return device instanceof PciNode pci ? pci.busId().toString() : "";
  }
}
