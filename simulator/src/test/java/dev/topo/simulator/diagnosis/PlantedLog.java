package dev.topo.simulator.diagnosis;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Writes what NCCL would log with NCCL_DEBUG=INFO, as a rank of each node sees it.
 *
 * @param version NCCL's release
 * @param nodes number of nodes
 * @param gpus GPUs of a node
 * @param ports what NET/IB finds; none if it finds none
 * @param network the network of connections between nodes, as in IB
 * @param direct whether they use GPUDirect RDMA
 * @param inNode the transport inside a node
 * @param extra further lines, without their prefix
 */
record PlantedLog(
    String version,
    int nodes,
    int gpus,
    List<String> ports,
    String network,
    boolean direct,
    String inNode,
    List<String> extra) {

  /** A run without a fault. */
  static PlantedLog healthy(String version, int nodes, int gpus, int ports) {
    List<String> names = new ArrayList<>();
    for (int port = 0; port < ports; port++) {
      names.add("mlx5_" + port);
    }
    return new PlantedLog(version, nodes, gpus, names, "IB", true, "P2P/CUMEM/read", List.of());
  }

  PlantedLog withPorts(List<String> found) {
    return new PlantedLog(version, nodes, gpus, found, network, direct, inNode, extra);
  }

  PlantedLog over(String other, boolean gpuDirect) {
    return new PlantedLog(version, nodes, gpus, ports, other, gpuDirect, inNode, extra);
  }

  PlantedLog inside(String transport) {
    return new PlantedLog(version, nodes, gpus, ports, network, direct, transport, extra);
  }

  PlantedLog with(String... lines) {
    return new PlantedLog(version, nodes, gpus, ports, network, direct, inNode, List.of(lines));
  }

  String text(long seed) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int rank = 0; rank < nodes * gpus; rank++) {
      int local = rank % gpus;
      String prefix =
          "node%02d:%d:%d [%d] NCCL INFO "
              .formatted(rank / gpus, 4000 + rank, 5000 + random.nextInt(999), local);
      List<String> lines = new ArrayList<>();
      if (rank == 0) {
        lines.add("NCCL version " + version + "+cuda12.4");
      }
      lines.add("NET/Plugin: Could not find: libnccl-net.so");
      StringBuilder found = new StringBuilder();
      for (int port = 0; port < ports.size(); port++) {
        found.append("[%d]%s:1/IB ".formatted(port, ports.get(port)));
      }
      lines.add(
          ports.isEmpty()
              ? "NET/IB : No device found."
              : "NET/IB : Using " + found + "[RO]; OOB eth0:10.0.0." + rank + "<0>");
      lines.add("Using network " + network);
      lines.addAll(extra);
      lines.add(
          "comm 0x55e0%04x rank %d nRanks %d nNodes %d localRanks %d localRank %d MNNVL 0"
              .formatted(random.nextInt(65536), rank, nodes * gpus, nodes, gpus, local));
      lines.add(
          "Channel 00/0 : %d[%d] -> %d[%d] via %s"
              .formatted(rank, local, rank + 1, (local + 1) % gpus, inNode));
      if (nodes > 1 && (local == 0 || local == gpus - 1)) {
        lines.add(
            "Channel 00/0 : %d[%d] -> %d[0] [send] via NET/%s/0%s"
                .formatted(
                    rank, local, (rank + 1) % (nodes * gpus), network, direct ? "/GDRDMA" : ""));
      }
      lines.forEach(line -> text.append(prefix).append(line).append('\n'));
    }
    return text.toString();
  }
}
