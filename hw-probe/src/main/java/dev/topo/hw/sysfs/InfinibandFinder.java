package dev.topo.hw.sysfs;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Finds the ports that NCCL uses for InfiniBand and RoCE, in its order ({@code
 * nccl:src/transport/net_ib.cc#ncclIbInitDevices}). "Data direct" functions of ConnectX-8 are not
 * detected: only its library lists them.
 */
record InfinibandFinder(MachineFacts facts, NetSettings settings) {
  /**
   * Queue pairs of ConnectX-4 to ConnectX-7. The actual number can only be queried from the device;
   * NCCL's search does not depend on it.
   */
  static final int USUAL_QUEUE_PAIRS = 131_072;

  /**
   * Drivers whose devices accept DMA-BUF file descriptors ({@code reg_user_mr_dmabuf} of Linux).
   */
  private static final Set<String> DMA_BUF_DRIVERS =
      Set.of("mlx5_core", "bnxt_en", "ice", "irdma", "efa", "mana");

  /**
   * Characters at the end of a path that may differ between devices of one card: device and
   * function, or only the function.
   */
  private static final int DEVICE_AND_FUNCTION = 4;

  private static final int FUNCTION = 1;

  List<NetPort> find() {
    List<NetPort> found = new ArrayList<>();
    List<Optional<PciPath>> places = new ArrayList<>();
    for (InfinibandDevice device : facts.infiniband()) {
      Optional<PciPath> place =
          device.path().map(path -> path.place().firstFunction(settings.mergeVirtualFunctions()));
      for (InfinibandDevice.Port port : device.ports()) {
        if (found.size() < NetSettings.MAX_INFINIBAND && isUsed(device, port)) {
          found.add(port(device, port, place, portsOfCard(place, places)));
          places.add(place);
        }
      }
    }
    return found;
  }

  private boolean isUsed(InfinibandDevice device, InfinibandDevice.Port port) {
    return device.verbsNumber().isPresent()
        && port.active()
        && port.linkLayer() != LinkLayer.UNSPECIFIED
        && settings.infinibandFilter().allows(device.name(), port.number());
  }

  /** Number of earlier ports of the same card. */
  private int portsOfCard(Optional<PciPath> place, List<Optional<PciPath>> before) {
    if (place.isEmpty()) {
      return 0;
    }
    String path = place.get().text();
    int ignored = settings.mergeVirtualFunctions() ? DEVICE_AND_FUNCTION : FUNCTION;
    String card = path.substring(0, Math.max(0, path.length() - ignored));
    return (int)
        before.stream()
            .filter(other -> other.filter(text -> text.text().startsWith(card)).isPresent())
            .count();
  }

  private NetPort port(
      InfinibandDevice device, InfinibandDevice.Port port, Optional<PciPath> place, int before) {
    boolean dmaBuf = facts.kernel().infinibandDmaBuf() && DMA_BUF_DRIVERS.contains(device.driver());
    return new NetPort(
        device.name(),
        place.filter(path -> "pci".equals(facts.firstFunctionPaths().get(path))).map(PciPath::name),
        port.speedMbps(),
        port.number() + before,
        device.systemImageGuid(),
        USUAL_QUEUE_PAIRS,
        facts.kernel().peerMemory(),
        dmaBuf,
        port.linkLayer());
  }
}
