package dev.topo.hw.probe;

import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.nvml.NvmlSnapshot;
import dev.topo.hw.sysfs.InterfaceAddresses;
import dev.topo.hw.sysfs.InterfaceAddresses.AddressFamily;
import dev.topo.model.io.TextWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Replaces names in a capture, unless Linux, its drivers or NCCL define them: names of interfaces,
 * InfiniBand devices, GPUs, cards and folders. Equal names get equal replacements, numbered in the
 * order of the machine. Stateful; one per capture.
 */
final class Anonymizer {
  private static final Pattern UUID =
      Pattern.compile("[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}");

  private static final Pattern GPU_UUID = Pattern.compile("(GPU-|MIG-|).*", Pattern.DOTALL);

  /** Location of a device in a name assigned by systemd or rdma-core. */
  private static final String PLACE =
      "(?:o\\d{1,5}|(?:P\\d{1,5})?(?:p\\d{1,5})?s\\d{1,5}(?:f\\d{1,3})?(?:u\\d{1,3})*)(?:v\\d{1,5})?"
          + "(?:np?\\d{1,3}|d\\d{1,3})?";

  /** Names assigned by the kernel or systemd (systemd.net-naming-scheme(7)). */
  private static final Pattern INTERFACE =
      Pattern.compile(
          "lo|(?:eth|ib|usb|wlan|wwan|docker|virbr|bond|team|dummy|hsn)\\d{1,3}|(?:en|ib|wl|ww|sl)"
              + PLACE);

  /** Names assigned by the drivers or rdma-core. */
  private static final Pattern INFINIBAND =
      Pattern.compile(
          "(?:mlx4_|mlx5_|mlx5_ib|mlx5_an|mlx5_bond_|bnxt_re|irdma|i40iw|hfi1_|qib|efa_|mana_|manae_"
              + "|erdma_|qedr|cxgb4_|hns_|ocrdma|rxe|siw|vmw_pvrdma)\\d{1,3}|(?:rdma|roce|ib|iw|opa)"
              + PLACE);

  /** Prefixes of interface names that NCCL treats specially ({@code SocketFinder}). */
  private static final List<String> KINDS = List.of("enx", "ib", "docker", "lo", "virbr");

  /** Parts of paths that are equal on every machine. */
  private static final Pattern COMMON =
      Pattern.compile(
          "pci[0-9a-f]{4}:[0-9a-f]{2}|[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]"
              + "|node\\d{1,6}|uverbs\\d{1,6}|\\d{1,3}|virtio\\d{1,3}|usb\\d{1,3}"
              + "|\\d{1,3}-\\d{1,2}(?:\\.\\d{1,2}){0,6}(?::\\d{1,2}\\.\\d{1,2})?"
              + "|(?:LNXSYSTM|LNXSYBUS|ACPI000[0-9]|PNP0A0[0-9]|VMBUS):[0-9a-f]{2}");

  private static final Set<String> WORDS =
      Set.of(
          ("sys proc dev var run bus class kernel module devices system node net pci usb virtio vmbus"
                  + " platform virtual acpi mm infiniband infiniband_verbs abi_version memory_peers"
                  + " nv_mem nv_mem_nc nvidia nvidia_peermem nvidia-topologyd virtualTopology.xml"
                  + " pci_switch_link virtual_switch_links drivers driver device subsystem ports"
                  + " cpuinfo osrelease version cpumap vendor subsystem_vendor subsystem_device"
                  + " max_link_speed max_link_width numa_node ifindex flags operstate speed"
                  + " sys_image_guid ibdev state link_layer rate mlx4_core mlx5_core bnxt_en ice irdma"
                  + " efa mana virtio_net virtio-pci hv_netvsc")
              .split(" "));

  private final Map<String, String> interfaces = new HashMap<>();
  private final Map<String, String> infiniband = new HashMap<>();
  private final Map<String, String> gpus = new HashMap<>();
  private final Map<String, String> parts = new HashMap<>();
  private final Map<Long, Integer> cards = new HashMap<>();

  Anonymizer(MachineObservation machine) {
    machine.facts().interfaces().forEach(card -> interfaceName(card.name()));
    machine.facts().infiniband().forEach(device -> infinibandName(device.name()));
    machine.facts().infiniband().forEach(device -> card(device.systemImageGuid()));
  }

  private static String replaced(
      Map<String, String> known, String name, IntFunction<String> replacement) {
    String replaced = known.get(name);
    if (replaced == null) {
      replaced = replacement.apply(known.size());
      known.put(name, replaced);
    }
    return replaced;
  }

  private static boolean isCommon(String part) {
    return WORDS.contains(part) || COMMON.matcher(part).matches();
  }

  /** Replacement for the name of an interface. */
  String interfaceName(String name) {
    if (isCommon(name) || INTERFACE.matcher(name).matches()) {
      return name;
    }
    String kind = KINDS.stream().filter(name::startsWith).findFirst().orElse("if");
    return replaced(
        interfaces,
        name,
        n ->
            switch (kind) {
              case "if" -> kind + n;
              // Both the name and its replacement contain an address.
              case "enx" -> TextWriter.format("enx02%010x", n);
              default -> kind + "x" + n;
            });
  }

  /** Replacement for the name of an InfiniBand device. */
  String infinibandName(String name) {
    boolean isKept = isCommon(name) || INFINIBAND.matcher(name).matches();
    return isKept ? name : replaced(infiniband, name, n -> "device" + n);
  }

  /** Replacement for the name of a network device of either kind. */
  String deviceName(String name) {
    if (interfaces.containsKey(name)
        || !infiniband.containsKey(name) && INTERFACE.matcher(name).matches()) {
      return interfaceName(name);
    }
    return infinibandName(name);
  }

  /** Number that replaces the GUID of a card; 0 if the card has none. */
  int card(long guid) {
    if (guid == 0) {
      return 0;
    }
    Integer number = cards.putIfAbsent(guid, cards.size() + 1);
    return number == null ? cards.size() : number;
  }

  /** Replacement for a path in sysfs, {@code /proc}, {@code /dev} or {@code /var}. */
  String path(String path) {
    String[] names = path.split("/", -1);
    for (int i = 1; i < names.length; i++) {
      if (isCommon(names[i])) {
        continue;
      }
      boolean isDevice = path.startsWith("/sys/");
      names[i] =
          switch (isDevice ? names[i - 1] : "") {
            case "net" -> interfaceName(names[i]);
            case "infiniband" -> infinibandName(names[i]);
            default -> part(names[i]);
          };
    }
    return String.join("/", names);
  }

  private String part(String name) {
    String pattern = UUID.matcher(name).matches() ? "00000000-0000-0000-0000-%012x" : "x%03d";
    return replaced(parts, name, n -> TextWriter.format(pattern, n + 1));
  }

  /** The driver's description of the GPUs, with replaced names. */
  NvmlSnapshot nvml(NvmlSnapshot snapshot) {
    List<NvmlDevice> devices =
        snapshot.devices().stream()
            .map(
                device ->
                    new NvmlDevice(
                        device.index(),
                        CapturedText.busId(device.busId()),
                        uuid(device.uuid()),
                        device.sm(),
                        device.gpuDirectRdma(),
                        device.dmaBuf(),
                        device.mig(),
                        device.nvlinks().stream().map(Anonymizer::nvlink).toList(),
                        device.c2cLinks()))
            .toList();
    return new NvmlSnapshot(
        CapturedText.version(snapshot.driverVersion()),
        snapshot.cudaVersion(),
        devices,
        snapshot.peers());
  }

  private static NvmlDevice.Nvlink nvlink(NvmlDevice.Nvlink link) {
    return new NvmlDevice.Nvlink(
        link.number(),
        link.peerToPeer(),
        link.active(),
        link.remote().map(CapturedText::busId).filter(busId -> !busId.isEmpty()));
  }

  private String uuid(String uuid) {
    Matcher kind = GPU_UUID.matcher(uuid);
    if (uuid.isEmpty() || !kind.matches()) {
      return "";
    }
    return replaced(
        gpus,
        uuid,
        n -> TextWriter.format("%s00000000-0000-0000-0000-%012x", kind.group(1), n + 1));
  }

  /** Address families, with replaced names. */
  InterfaceAddresses addresses(InterfaceAddresses addresses) {
    return new InterfaceAddresses(
        addresses
            .families()
            .map(
                families -> {
                  TreeMap<String, Set<AddressFamily>> renamed = new TreeMap<>();
                  families.forEach((name, found) -> renamed.put(interfaceName(name), found));
                  return renamed;
                }));
  }
}
