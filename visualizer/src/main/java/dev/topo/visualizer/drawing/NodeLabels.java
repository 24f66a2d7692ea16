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

/** The text in the box of a node and its tooltip. */
public final class NodeLabels {
  private static final double LARGE = 12;
  private static final double MEDIUM = 10;
  private static final double SMALL = 9;

  private final Topology topology;
  private final boolean ranksAreDevs;

  /** Creates the texts for the nodes of a machine. */
  public NodeLabels(Topology topology) {
    this.topology = topology;
    this.ranksAreDevs = topology.gpus().stream().allMatch(gpu -> gpu.rank() == gpu.dev());
  }

  /** Returns the name of a GPU: its device number, with its rank if that is a different number. */
  public String gpuName(GpuNode gpu) {
    return "GPU " + gpu.dev() + (ranksAreDevs ? "" : " · rank " + gpu.rank());
  }

  /** The lines in the box of a node that is neither a card nor a port. */
  List<TextLine> lines(int node) {
    Node device = topology.node(node);
    if (device instanceof GpuNode gpu) {
      return List.of(
          TextLine.bold(gpuName(gpu), LARGE),
          TextLine.plain(gpu.id() + " · sm " + gpu.sm(), SMALL));
    }
    if (device instanceof CpuNode cpu) {
      return List.of(TextLine.bold(cpu.label() + " · " + MachineFormat.cpuName(cpu), MEDIUM));
    }
    if (device instanceof PciNode pci) {
      return List.of(TextLine.plain(pci.label(), SMALL));
    }
    return List.of(TextLine.bold("NVSwitch", LARGE));
  }

  /** The lines in the box of a card: one for each port, then its id. */
  List<TextLine> cardLines(int card, List<Integer> ports) {
    List<TextLine> lines = new ArrayList<>();
    for (int port : ports) {
      NetNode net = (NetNode) topology.node(port);
      lines.add(
          TextLine.bold(PortName.of(net) + " · " + PrintfNumber.general(net.bwGBps()), MEDIUM));
    }
    lines.add(TextLine.plain(topology.node(card).label(), SMALL));
    return lines;
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
