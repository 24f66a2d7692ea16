package dev.topo.hw.sysfs;

import dev.topo.hw.sysfs.InterfaceAddresses.AddressFamily;
import dev.topo.model.NicDistance;
import dev.topo.model.NicMerging;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.nic.NameFilter;
import java.util.Arrays;
import java.util.Optional;

/**
 * NCCL's settings that select and merge network devices. A malformed number is ignored, as in NCCL.
 *
 * @param meetingInterface interface of the address in {@code NCCL_COMM_ID}
 */
public record NetSettings(
    boolean infinibandDisabled,
    NameFilter infinibandFilter,
    boolean mergeVirtualFunctions,
    NicMerging merging,
    boolean dmaBuf,
    Optional<NameFilter> socketNames,
    Optional<AddressFamily> socketFamily,
    Optional<String> meetingInterface,
    Optional<String> network) {
  /**
   * Maximum number of InfiniBand devices: {@code MAX_IB_DEVS}, {@code
   * nccl:src/transport/net_ib.cc}.
   */
  static final int MAX_INFINIBAND = 32;

  /**
   * Maximum number of interfaces for sockets: {@code MAX_IFS}, {@code nccl:src/include/socket.h}.
   */
  static final int MAX_SOCKETS = 16;

  public static NetSettings of(NcclSettings settings, Optional<String> meetingInterface) {
    return new NetSettings(
        flag(settings, "NCCL_IB_DISABLE", false),
        settings
            .text("NCCL_IB_HCA")
            .map(list -> NameFilter.parse(list, MAX_INFINIBAND))
            .orElse(NameFilter.ALL),
        flag(settings, "NCCL_IB_MERGE_VFS", true),
        new NicMerging(
            settings.text("NCCL_NET_MERGE_LEVEL").map(NicDistance::parse).orElse(NicDistance.PORT),
            settings.text("NCCL_NET_FORCE_MERGE"),
            flag(settings, "NCCL_IB_MERGE_NICS", true)),
        flag(settings, "NCCL_DMABUF_ENABLE", true),
        settings
            .text("NCCL_SOCKET_IFNAME")
            .filter(list -> list.length() > 1)
            .map(list -> NameFilter.parse(list, MAX_SOCKETS)),
        settings.text("NCCL_SOCKET_FAMILY").flatMap(NetSettings::family),
        meetingInterface,
        settings.text("NCCL_NET").filter(name -> !name.isEmpty()));
  }

  private static boolean flag(NcclSettings settings, String name, boolean defaultValue) {
    String text = settings.text(name).orElse("").strip();
    try {
      return text.isEmpty() ? defaultValue : Long.decode(text) != 0;
    } catch (NumberFormatException e) {
      return defaultValue;
    }
  }

  private static Optional<AddressFamily> family(String text) {
    return Arrays.stream(AddressFamily.values())
        .filter(family -> text.equals("AF_" + family.name()))
        .findFirst();
  }
}
