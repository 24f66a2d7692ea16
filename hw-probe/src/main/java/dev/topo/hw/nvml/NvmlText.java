package dev.topo.hw.nvml;

import dev.topo.model.Labels;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Format of the file {@code nvml.txt} in a capture: one record per line; consecutive links with
 * equal values share a line.
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
      out.append(
          "peer %s %s read=%s write=%s\n"
              .formatted(peer.from(), peer.to(), bit(peer.read()), bit(peer.write())));
    }
    return out.toString();
  }

  private static void links(StringBuilder out, NvmlDevice device) {
    ranges(
        out,
        "nvlink " + device.index(),
        device.nvlinks(),
        NvmlDevice.Nvlink::number,
        link ->
            "p2p=%s active=%s%s"
                .formatted(
                    bit(link.peerToPeer()),
                    bit(link.active()),
                    link.remote().map(busId -> " remote=" + busId).orElse("")));
    ranges(
        out,
        "c2c " + device.index(),
        device.c2cLinks(),
        NvmlDevice.C2cLink::number,
        link -> "active=" + bit(link.active()) + " bw=" + link.bwMBps());
  }

  private static <L> void ranges(
      StringBuilder out,
      String head,
      List<L> links,
      ToIntFunction<L> number,
      Function<L, String> text) {
    int first = 0;
    for (int i = 1; i <= links.size(); i++) {
      L last = links.get(i - 1);
      boolean continues =
          i < links.size()
              && text.apply(links.get(i)).equals(text.apply(last))
              && number.applyAsInt(links.get(i)) == number.applyAsInt(last) + 1;
      if (!continues) {
        int from = number.applyAsInt(links.get(first));
        int to = number.applyAsInt(last);
        String range = to > from ? from + "-" + to : String.valueOf(from);
        out.append("%s %s %s\n".formatted(head, range, text.apply(last)));
        first = i;
      }
    }
  }

  private static String bit(boolean value) {
    return value ? "1" : "0";
  }

  private static String word(Capability capability) {
    return Labels.of(capability);
  }

  /**
   * Parses a snapshot.
   *
   * @throws IllegalArgumentException if a line is malformed, with the line
   */
  public static NvmlSnapshot parse(String text) {
    return new NvmlTextParser(text).parse();
  }

  static Optional<Capability> capability(String word) {
    return Labels.exact(Capability.values(), NvmlText::word, word);
  }
}
