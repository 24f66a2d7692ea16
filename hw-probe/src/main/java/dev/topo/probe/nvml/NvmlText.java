package dev.topo.probe.nvml;

import java.util.Arrays;
import java.util.Locale;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The file {@code nvml.txt} of a capture: one record per line, consecutive links with equal values
 * in one line.
 *
 * <pre>
 * driver 580.95.05
 * cuda 13000
 * gpu 0 bus=00000000:1B:00.0 sm=90 gdr=yes dmabuf=yes mig=0 uuid=GPU-…
 * nvlink 0 0-17 p2p=1 active=1 remote=00000000:05:00.0
 * c2c 0 0-9 active=1 bw=44800
 * peer 0 1 read=1 write=1
 * </pre>
 */
public final class NvmlText {
  private NvmlText() {}

  public static String write(NvmlSnapshot snapshot) {
    StringBuilder out = new StringBuilder();
    out.append("driver ").append(snapshot.driverVersion()).append('\n');
    out.append("cuda ").append(snapshot.cudaVersion()).append('\n');
    for (NvmlDevice device : snapshot.devices()) {
      out.append("gpu ").append(device.index()).append(" bus=").append(device.busId());
      out.append(" sm=").append(device.sm());
      out.append(" gdr=").append(word(device.gpuDirectRdma()));
      out.append(" dmabuf=").append(word(device.dmaBuf()));
      out.append(" mig=").append(bit(device.mig()));
      if (!device.uuid().isEmpty()) {
        out.append(" uuid=").append(device.uuid());
      }
      out.append('\n');
      links(out, device);
    }
    for (NvmlSnapshot.Peer peer : snapshot.peers()) {
      out.append("peer ").append(peer.from()).append(' ').append(peer.to());
      out.append(" read=").append(bit(peer.read())).append(" write=").append(bit(peer.write()));
      out.append('\n');
    }
    return out.toString();
  }

  private static void links(StringBuilder out, NvmlDevice device) {
    List<NumberedText> lines = new ArrayList<>();
    for (NvmlDevice.Nvlink link : device.nvlinks()) {
      String remote = link.remote().map(busId -> " remote=" + busId).orElse("");
      lines.add(
          new NumberedText(
              link.number(),
              "p2p=" + bit(link.peerToPeer()) + " active=" + bit(link.active()) + remote));
    }
    ranges(out, "nvlink " + device.index(), lines);
    lines.clear();
    for (NvmlDevice.C2cLink link : device.c2cLinks()) {
      lines.add(
          new NumberedText(link.number(), "active=" + bit(link.active()) + " bw=" + link.bwMBps()));
    }
    ranges(out, "c2c " + device.index(), lines);
  }

  private record NumberedText(int number, String text) {}

  private static void ranges(StringBuilder out, String head, List<NumberedText> lines) {
    int first = 0;
    for (int i = 1; i <= lines.size(); i++) {
      boolean continues =
          i < lines.size()
              && lines.get(i).text().equals(lines.get(i - 1).text())
              && lines.get(i).number() == lines.get(i - 1).number() + 1;
      if (!continues) {
        int from = lines.get(first).number();
        int to = lines.get(i - 1).number();
        out.append(head).append(' ').append(from);
        if (to > from) {
          out.append('-').append(to);
        }
        out.append(' ').append(lines.get(first).text()).append('\n');
        first = i;
      }
    }
  }

  private static String bit(boolean value) {
    return value ? "1" : "0";
  }

  private static String word(Capability capability) {
    return capability.name().toLowerCase(Locale.ROOT);
  }

  /**
   * A snapshot from its text.
   *
   * @throws IllegalArgumentException if a line has another form, with the line
   */
  public static NvmlSnapshot parse(String text) {
    return new NvmlTextParser(text).parse();
  }

  static Optional<Capability> capability(String word) {
    return Arrays.stream(Capability.values()).filter(one -> word(one).equals(word)).findFirst();
  }
}
