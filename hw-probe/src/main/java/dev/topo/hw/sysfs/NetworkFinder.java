package dev.topo.hw.sysfs;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import java.util.List;

/**
 * Finds the network that NCCL uses: InfiniBand and RoCE if a port is up, otherwise sockets ({@code
 * nccl:src/plugin/net.cc#ncclNetInit}). Does not consider plugins for other networks.
 */
public record NetworkFinder(MachineFacts facts, NetSettings settings, Diagnostics diagnostics) {
  private static final SourceLocation INFINIBAND = SourceLocation.of("/sys/class/infiniband");
  private static final SourceLocation INTERFACES = SourceLocation.of("/sys/class/net");

  public Network find() {
    List<NetPort> sockets = new SocketFinder(facts.interfaces(), settings).find();
    if (sockets.isEmpty()) {
      diagnostics.warn(
          "no-network",
          INTERFACES,
          "no interface is up, has an address and is allowed; NCCL needs one even for InfiniBand");
      return Network.NONE;
    }
    boolean infiniband = isAllowed("IB") && !settings.infinibandDisabled();
    List<NetPort> ports =
        infiniband ? new InfinibandFinder(facts, settings).find() : List.<NetPort>of();
    if (!ports.isEmpty()) {
      addRemarks(ports);
      return new Network(ports, true);
    }
    if (infiniband) {
      warnOfClosedDevices();
    }
    if (!isAllowed("Socket")) {
      diagnostics.warn(
          "no-network",
          INFINIBAND,
          "NCCL_NET=%s: no such network here, expected IB with a port that is up, or Socket"
              .formatted(settings.network().orElse("")));
      return Network.NONE;
    }
    return new Network(sockets, false);
  }

  private boolean isAllowed(String network) {
    return settings.network().map(network::equalsIgnoreCase).orElse(true);
  }

  private void addRemarks(List<NetPort> ports) {
    diagnostics.note(
        "guessed-maxconn",
        INFINIBAND,
        "maxconn is the usual %s; only the device knows its own, and no result depends on it"
            .formatted(InfinibandFinder.USUAL_QUEUE_PAIRS));
    for (NetPort port : ports) {
      if (port.speedMbps() <= 0) {
        diagnostics.warn(
            "unknown-rate",
            INFINIBAND,
            port.name() + ": its rate has no form that is known, as in 400 Gb/sec (4X NDR)");
      }
    }
  }

  private void warnOfClosedDevices() {
    for (InfinibandDevice device : facts.infiniband()) {
      if (device.verbsNumber().isEmpty()) {
        diagnostics.warn(
            "closed-infiniband-device",
            INFINIBAND,
            device.name() + ": has no file in /dev/infiniband, so that NCCL cannot open it");
      }
    }
  }
}
