package dev.topo.model;

import dev.topo.model.CpuModel.CpuArch;
import dev.topo.model.CpuModel.CpuVendor;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Pattern;

/** A node of a {@link Topology}. */
public sealed interface Node {
  NodeType type();

  /** Identity of this node among the nodes of its type. */
  NodeId id();

  /** Index of the host of this node, 0 unless the topology spans several hosts. */
  default int systemId() {
    return id().systemId();
  }

  Node withId(NodeId newId);

  /** Type and id as NCCL's log prints them, separated by a blank: {@code GPU 0-1b000}. */
  default String label() {
    return type() + " " + id();
  }

  /**
   * The identity of a node among nodes of its type: the host it is on and its number there (the bus
   * id of a PCI device, the NUMA id of a CPU, the device number of a network port). Written as
   * NCCL's log does: both in hexadecimal, {@code 0-1b000}.
   *
   * @param systemId index of the host, 0 unless the topology spans several hosts
   * @param localId number on that host, 56 bits
   */
  record NodeId(int systemId, long localId) {
    public static final int LOCAL_BITS = 56;

    /** The bits that NCCL keeps of a local number ({@code NCCL_TOPO_ID_LOCAL_ID_MASK}). */
    private static final long LOCAL_MASK = 0x00ff_ffff_ffff_ffffL;

    /**
     * Truncates the local number to the 56 bits that NCCL keeps: NUMA id -1 becomes {@code
     * ffffffffffffff}.
     */
    public NodeId {
      localId &= LOCAL_MASK;
    }

    /** The 64-bit number that NCCL uses for this id in its graph files. */
    public long packed() {
      return ((long) systemId << LOCAL_BITS) + localId;
    }

    /** The reverse of {@link #packed}. */
    public static NodeId ofPacked(long packed) {
      return new NodeId((int) (packed >>> LOCAL_BITS), packed);
    }

    @Override
    public String toString() {
      return Long.toHexString(systemId) + "-" + Long.toHexString(localId);
    }
  }

  /** The kinds of nodes in a topology, in NCCL's order. A {@code CPU} is a NUMA domain. */
  enum NodeType {
    /** A participating GPU. */
    GPU,
    /** A PCI bridge or switch. */
    PCI,
    /** The NVSwitches of a machine, which NCCL models as one node. */
    NVS,
    /** A NUMA domain with its memory. */
    CPU,
    /** A network card: one PCI function, with one or more network ports. */
    NIC,
    /** A network port that NCCL can send from and receive on. */
    NET
  }

  /**
   * A NUMA domain.
   *
   * @param id host and NUMA id
   * @param numaId NUMA id, -1 where the operating system reports none
   * @param arch instruction set
   * @param vendor manufacturer; {@link CpuVendor#NONE} except for x86
   * @param model generation as the newest release of NCCL distinguishes it, for any release in use
   */
  record CpuNode(NodeId id, int numaId, CpuArch arch, CpuVendor vendor, CpuModel model)
      implements Node {
    @Override
    public NodeType type() {
      return NodeType.CPU;
    }

    @Override
    public CpuNode withId(NodeId newId) {
      return new CpuNode(newId, numaId, arch, vendor, model);
    }
  }

  /**
   * A GPU of the job.
   *
   * @param id host and bus id
   * @param busId PCI bus id as the topology file writes it
   * @param dev NVML's device number on its host
   * @param rank its rank among the GPUs of its machine that take part in the job, from 0
   * @param sm compute capability, major times 10 plus minor: 90 for Hopper
   * @param gdr whether it supports GPUDirect RDMA
   * @param device its PCI device id as the topology file states it, in lower case: {@code 0x2330};
   *     empty without one
   * @param isLinkStated whether the file states speed and width of its PCI link
   * @param p2p a digit for each GPU of the host, by device number: 1 if the driver allows the two
   *     to access each other's memory; {@code topo} writes it to files; empty if not stated
   */
  record GpuNode(
      NodeId id,
      BusId busId,
      int dev,
      int rank,
      int sm,
      boolean gdr,
      String device,
      boolean isLinkStated,
      String p2p)
      implements Node {
    /** Compute capabilities of GeForce cards without P2P over PCI, from Turing on. */
    private static final Set<Integer> GEFORCE_SMS = Set.of(75, 86, 89, 120);

    /** Checks that the rank is not negative. */
    public GpuNode {
      if (rank < 0) {
        throw new IllegalArgumentException("rank " + rank + " is negative");
      }
    }

    /**
     * Whether NVIDIA's driver allows P2P over PCI for a GPU model: it refuses GeForce cards ({@code
     * nvmlDeviceGetP2PStatus} answers {@code GNS}; nccl#1086). Device ids of workstation and data
     * centre cards have bits 4 and 5 set (pci-ids.ucw.cz, 10de). Empty where the id is not
     * conclusive.
     */
    public static Optional<Boolean> mayUsePci(int sm, String device) {
      return GEFORCE_SMS.contains(sm)
          ? Optional.of(device)
              .filter(id -> id.matches("0x(?!0000)[0-9a-f]{4}"))
              .map(id -> id.matches(".*[37bf]."))
          : Optional.of(true);
    }

    /** Whether the driver lets this GPU access {@code peer} over PCI; empty if unknown. */
    public Optional<Boolean> mayAccess(GpuNode peer) {
      if (peer.dev < p2p.length()) {
        return Optional.of(p2p.charAt(peer.dev) == '1');
      }
      Optional<Boolean> own = mayUsePci(sm, device);
      Optional<Boolean> ofPeer = mayUsePci(peer.sm, peer.device);
      return own.equals(Optional.of(true)) || ofPeer.equals(Optional.of(false)) ? ofPeer : own;
    }

    @Override
    public NodeType type() {
      return NodeType.GPU;
    }

    @Override
    public GpuNode withId(NodeId newId) {
      return new GpuNode(newId, busId, dev, rank, sm, gdr, device, isLinkStated, p2p);
    }
  }

  /**
   * A PCI switch or bridge.
   *
   * @param id host and bus id
   * @param busId PCI bus id as the topology file writes it
   * @param device vendor, device, subsystem vendor and subsystem device, 16 bits each, highest
   *     first; 0 where not known
   */
  record PciNode(NodeId id, BusId busId, long device) implements Node {
    @Override
    public NodeType type() {
      return NodeType.PCI;
    }

    @Override
    public PciNode withId(NodeId newId) {
      return new PciNode(newId, busId, device);
    }
  }

  /**
   * The NVSwitches of a machine, as one node.
   *
   * @param id always {@code 0-0}: NCCL makes one such node
   */
  record NvsNode(NodeId id) implements Node {
    @Override
    public NodeType type() {
      return NodeType.NVS;
    }

    @Override
    public NvsNode withId(NodeId newId) {
      return new NvsNode(newId);
    }
  }

  /**
   * A network card.
   *
   * @param id host and bus id; local number 0 for the virtual card that holds ports without PCI
   *     device
   * @param isLinkStated whether the file states speed and width of its PCI link; virtual machines
   *     often do not, and NCCL then assumes 16 lanes of PCIe 3.0
   */
  record NicNode(NodeId id, boolean isLinkStated) implements Node {
    @Override
    public NodeType type() {
      return NodeType.NIC;
    }

    @Override
    public NicNode withId(NodeId newId) {
      return new NicNode(newId, isLinkStated);
    }
  }

  /**
   * A network port.
   *
   * @param id host and device number
   * @param name the name of the device, {@code mlx5_0}; empty if the file has none
   * @param dev device number of the network plugin
   * @param asic identity of the chip: ports of one chip share its bandwidth
   * @param port port number on the chip
   * @param bwGBps bandwidth in GB/s (NCCL computes it in single precision)
   * @param latencyUs latency in microseconds as reported by the plugin, 0 if none
   * @param gdr whether it supports GPUDirect RDMA
   * @param collNet whether it supports in-network reduction (SHARP)
   * @param maxChannels number of connections that it supports
   * @param rail the rail that it is on, if the file states one and the NCCL version reads it
   * @param plane the plane of the network that it is on, under the same conditions; planes are not
   *     connected to each other
   * @param pciModel vendor and device of its PCI function, 16 bits each; 0 where the NCCL version
   *     does not read them, or none are stated
   */
  record NetNode(
      NodeId id,
      String name,
      int dev,
      long asic,
      int port,
      float bwGBps,
      float latencyUs,
      boolean gdr,
      boolean collNet,
      int maxChannels,
      OptionalInt rail,
      OptionalInt plane,
      int pciModel)
      implements Node {
    /** Names of network interfaces; RDMA ports are named after their drivers. */
    private static final Pattern INTERFACE =
        Pattern.compile(
            "(eth|en[opsx]|ib\\d|ibp|ibs|bond|br|lo|veth|wl|team|cali|tun|tap|docker|lxc|virbr).*");

    private static final Pattern RDMA_DEVICE =
        Pattern.compile("(mlx|bnxt_re|irdma|ionic|roce|rdmap|efa|cxi|hfi|mana|qedr|erdma|xsc).*");

    /** Devices that NCCL uses through a libfabric plugin, not through its own network. */
    private static final Pattern LIBFABRIC_DEVICE = Pattern.compile("(rdmap|efa|cxi).*");

    private static final long MAX_INTERFACE_NUMBER = 0xffff;

    /**
     * The number of connections that the socket transport reports for an interface ({@code
     * ncclNetSocketGetProperties}).
     */
    private static final int CONNECTIONS_OF_INTERFACE = 65_536;

    /**
     * Speed in GB/s that the socket transport assumes for an interface that reports none (10 Gb/s).
     */
    private static final float ASSUMED_GBPS = 1.25f;

    /** Checks that the bandwidth is positive. */
    public NetNode {
      if (!(bwGBps > 0)) {
        throw new IllegalArgumentException("bandwidth " + bwGBps + " GB/s is not positive");
      }
    }

    /** A physical port of a chip, which several network devices may share. */
    public record Cable(long asic, int port) {}

    /**
     * The physical port: devices with the same GUID and port number share one ({@code
     * ncclTopoSearchRecNet}, {@code nccl:src/graph/search.cc}).
     */
    public Cable cable() {
      return new Cable(asic, port);
    }

    /**
     * True if the port is a network interface, which NCCL uses through TCP sockets. NCCL writes a
     * number for interfaces where RDMA devices have a GUID, no GPUDirect and 65536 connections
     * ({@code ncclNetSocketGetProperties}, {@code nccl:src/transport/net_socket.cc}); in
     * hand-written files the name decides.
     */
    public boolean isInterface() {
      boolean hasGuid = Long.compareUnsigned(asic, MAX_INTERFACE_NUMBER) > 0;
      boolean isNamed = INTERFACE.matcher(name).matches();
      boolean isStated =
          maxChannels == CONNECTIONS_OF_INTERFACE && !RDMA_DEVICE.matcher(name).matches();
      return !hasGuid && !gdr && (isNamed || isStated);
    }

    /** True if the port belongs to NCCL's own network for InfiniBand and RoCE. */
    public boolean isVerbsDevice() {
      return !isInterface() && !LIBFABRIC_DEVICE.matcher(name).matches();
    }

    /**
     * True if the speed may be the one that NCCL assumes for an interface that reports none ({@code
     * ncclNetSocketGetSpeed}, {@code nccl:src/transport/net_socket.cc}).
     */
    public boolean isSpeedAssumed() {
      return isInterface() && bwGBps == ASSUMED_GBPS;
    }

    @Override
    public NodeType type() {
      return NodeType.NET;
    }

    @Override
    public NetNode withId(NodeId newId) {
      return new NetNode(
          newId,
          name,
          dev,
          asic,
          port,
          bwGBps,
          latencyUs,
          gdr,
          collNet,
          maxChannels,
          rail,
          plane,
          pciModel);
    }
  }

  /**
   * A PCI bus id as in a topology file, {@code 0000:1b:00.0}. NCCL compares bus ids by number: all
   * hexadecimal digits concatenated ({@code nccl:src/misc/utils.cc#busIdToInt64}).
   *
   * @param text the id as written
   */
  record BusId(String text) {
    private static final int MAX_DIGITS = 16;

    /**
     * Checks that the text has hexadecimal digits with {@code :} and {@code .} between them and
     * nothing else.
     */
    public BusId {
      if (!isBusId(text)) {
        throw new IllegalArgumentException(
            "'" + text + "' is not a PCI bus id such as 0000:1b:00.0");
      }
    }

    /** True if {@link #BusId} accepts this text. */
    public static boolean isBusId(String text) {
      int digits = 0;
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == ':' || c == '.') {
          continue;
        }
        if (Character.digit(c, 16) < 0 || c > 'f') {
          return false;
        }
        digits++;
      }
      return digits > 0 && digits <= MAX_DIGITS;
    }

    /** NCCL's number for this bus id: {@code 0000:1b:00.0} is {@code 0x1b000}. */
    public long number() {
      String digits = text.replace(":", "").replace(".", "");
      return Long.parseUnsignedLong(digits.toLowerCase(Locale.ROOT), 16);
    }

    /** The bus id with this number as NCCL writes it ({@code int64ToBusId}). */
    public static BusId of(long number) {
      return new BusId(
          String.format(
              Locale.ROOT,
              "%04x:%02x:%02x.%x",
              number >>> 20,
              (number >>> 12) & 0xff,
              (number >>> 4) & 0xff,
              number & 0xf));
    }

    @Override
    public String toString() {
      return text;
    }
  }
}
