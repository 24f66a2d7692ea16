package dev.topo.simulator.diagnosis;

import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A machine assumed from the name of its GPUs and the ports in a log: GPUs and ports below PCIe
 * switches, half of the GPUs at each of two CPUs.
 *
 * @param document the machine as NCCL's XML
 * @param words the assumptions, in words
 */
record AssumedMachine(XmlDocument document, SpecText words) {
  private static final Map<String, String> CPUS =
      Map.of(
          "intel",
          "arch=\"x86_64\" vendor=\"GenuineIntel\" familyid=\"6\" modelid=\"143\"",
          "amd",
          "arch=\"x86_64\" vendor=\"AuthenticAMD\" familyid=\"143\" modelid=\"49\"",
          "arm",
          "arch=\"arm64\"");

  private static final String DEVICE =
      "<pci busid=\"%04x:%02x:00.0\" class=\"%s\" vendor=\"%s\" device=\"0x1021\""
          + " subsystem_vendor=\"0x1\" subsystem_device=\"0x1\" link_speed=\"%s GT/s PCIe\" link_width=\"16\">";

  private static final int FIRST_BUS = 0x10;
  private static final int MBPS_PER_GBPS = 1000;

  /**
   * GUID of the first assumed card. NCCL takes ports whose GUIDs differ only in the last byte for
   * one card, so each card's GUID is {@link #GUID_STEP} after the last.
   */
  private static final long FIRST_GUID = 0x9403f0000000L;

  private static final long GUID_STEP = 0x100;

  /**
   * Assumes a machine from the name of its GPUs; empty if no such machine is known or it has too
   * few GPUs.
   *
   * @param gpus GPUs of a node that take part; the machine may have more
   * @param ports names of the ports in the log; if there are fewer than the machine usually has,
   *     the usual ports are assumed, as missing ports are a fault
   * @param portGbps speed of a port in Gb/s, if the log states it
   */
  static Optional<AssumedMachine> of(
      String gpuName, int gpus, List<String> ports, Optional<Double> portGbps) {
    return Board.of(gpuName)
        .filter(board -> gpus <= board.mostGpus())
        .map(board -> of(board, gpuName, Math.max(gpus, board.gpus()), ports, portGbps));
  }

  /** Largest number of GPUs of a node with these GPUs; 0 if no such machine is known. */
  static int mostGpus(String gpuName) {
    return Board.of(gpuName).map(Board::mostGpus).orElse(0);
  }

  private static AssumedMachine of(
      Board board, String gpuName, int count, List<String> ports, Optional<Double> portGbps) {
    List<String> names = ports.size() < board.ports() ? usualPorts(board) : ports;
    long mbps = Math.round(portGbps.orElse((double) board.portGbps()) * MBPS_PER_GBPS);
    int cpus = count > 1 ? 2 : 1;
    StringBuilder xml = new StringBuilder("<system version=\"1\">\n");
    for (int cpu = 0; cpu < cpus; cpu++) {
      xml.append(
          "<cpu host_hash=\"0x1\" numaid=\"%s\" affinity=\"ffffffff\" %s>\n"
              .formatted(cpu, CPUS.get(board.cpu())));
      int end = (cpu + 1) * count / cpus;
      for (int gpu = cpu * count / cpus; gpu < end; gpu += board.perSwitch()) {
        xml.append(branch(board, gpu, Math.min(end, gpu + board.perSwitch()), count, names, mbps));
      }
      xml.append("</cpu>\n");
    }
    xml.append("</system>\n");
    return new AssumedMachine(
        new XmlReader().read(xml.toString().getBytes(StandardCharsets.UTF_8), "assumed machine"),
        SpecText.of(
            "assumed: %d %s, %s, %d NICs of %d Gb/s%s; %s FILE states it",
            count,
            gpuName,
            board.nvlinks() > 0 ? "NVSwitch with " + board.nvlinks() + " NVLinks" : "PCIe only",
            names.size(),
            mbps / MBPS_PER_GBPS,
            ports.size() < board.ports() ? "" : " (" + String.join(", ", names) + " in the log)",
            SpecField.MACHINE));
  }

  private static List<String> usualPorts(Board board) {
    return IntStream.range(0, board.ports()).mapToObj(i -> "mlx5_" + i).toList();
  }

  /** XML of a PCIe switch with a range of GPUs and the ports beside them. */
  private static String branch(
      Board board, int from, int end, int count, List<String> ports, long mbps) {
    int domain = from;
    int bus = FIRST_BUS;
    StringBuilder xml = new StringBuilder();
    xml.append(device(domain, bus, "0x060400", "0x1000", board)).append('\n');
    for (int gpu = from; gpu < end; gpu++) {
      xml.append(device(domain, bus + 1 + gpu - from, "0x030200", "0x10de", board));
      xml.append(
          "<gpu dev=\"%s\" sm=\"%s\" rank=\"%s\" gdr=\"1\">".formatted(gpu, board.sm(), gpu));
      if (board.nvlinks() > 0) {
        xml.append(
            "<nvlink target=\"ffffffff:ffff:ff\" count=\"%s\" tclass=\"0x068000\"/>"
                .formatted(board.nvlinks()));
      }
      xml.append("</gpu></pci>\n");
    }
    for (int port = 0; port < ports.size(); port++) {
      int nearestGpu = port * count / ports.size();
      if (nearestGpu >= from && nearestGpu < end) {
        xml.append(device(domain, bus + FIRST_BUS + port, "0x020700", "0x15b3", board));
        xml.append(
            ("<nic><net name=\"%s\" dev=\"%s\" latency=\"0\" speed=\"%s\" port=\"1\" guid=\"0x%x\" maxconn=\"131072\""
                    + " gdr=\"1\" coll=\"0\"/></nic></pci>\n")
                .formatted(ports.get(port), port, mbps, FIRST_GUID + port * GUID_STEP));
      }
    }
    return xml.append("</pci>\n").toString();
  }

  private static String device(int domain, int bus, String type, String vendor, Board board) {
    return DEVICE.formatted(domain, bus, type, vendor, board.gigatransfers());
  }
}
