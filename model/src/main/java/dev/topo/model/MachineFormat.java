package dev.topo.model;

import dev.topo.model.Node.CpuNode;
import dev.topo.model.Node.GpuNode;
import dev.topo.model.Node.NetNode;
import dev.topo.model.Node.NodeType;
import dev.topo.model.QuantityFormat.PrintfNumber;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Formats machines and their parts as text, for reports and drawings. */
public final class MachineFormat {
  private MachineFormat() {}

  /**
   * The parts of a machine in one line: {@code 8 GPUs (sm 90), NVSwitch, 8 ports of 50 GB/s, 2 CPUs
   * (Intel Sapphire Rapids)}.
   */
  public static String summary(Topology topology) {
    List<String> parts = new ArrayList<>();
    String sm = distinct(topology.gpus().stream().map(GpuNode::sm).map(String::valueOf).toList());
    parts.add(QuantityFormat.count(topology.gpus().size(), "GPU") + " (sm " + sm + ")");
    if (topology.hasNvSwitch()) {
      parts.add("NVSwitch");
    }
    List<NetNode> nets = topology.nets();
    if (nets.isEmpty()) {
      parts.add("no network port");
    } else {
      String bw = distinct(nets.stream().map(net -> PrintfNumber.general(net.bwGBps())).toList());
      parts.add(QuantityFormat.count(nets.size(), "port") + " of " + bw + " GB/s");
    }
    String cpu = distinct(topology.cpus().stream().map(MachineFormat::cpuName).toList());
    parts.add(QuantityFormat.count(topology.nodes(NodeType.CPU).size(), "CPU") + " (" + cpu + ")");
    return String.join(", ", parts);
  }

  private static String distinct(List<String> values) {
    return values.stream().distinct().collect(Collectors.joining(" and "));
  }

  /** The generation of a CPU: {@code Intel Sapphire Rapids}. */
  public static String cpuName(CpuNode cpu) {
    return switch (cpu.arch()) {
      case POWER -> "POWER";
      case ARM -> "Arm";
      case UNKNOWN -> "unknown";
      case X86 ->
          switch (cpu.vendor()) {
            case AMD -> "AMD";
            case ZHAOXIN -> "Zhaoxin";
            case INTEL ->
                switch (cpu.model()) {
                  case INTEL_EMERALD_RAPIDS -> "Intel Emerald Rapids or newer";
                  case INTEL_GRANITE_RAPIDS -> "Intel Granite Rapids";
                  case INTEL_SAPPHIRE_RAPIDS -> "Intel Sapphire Rapids";
                  case INTEL_SKYLAKE -> "Intel Skylake to Ice Lake";
                  default -> "Intel Broadwell or older";
                };
            case NONE, UNKNOWN -> "x86";
          };
    };
  }
}
