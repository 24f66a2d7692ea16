package dev.topo.hw.foreign;

import dev.topo.hw.foreign.LstopoFile.Item;
import dev.topo.model.io.TopologyFormatException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Converts lstopo's XML to a machine. A device's upstream bridge is the one that NCCL uses: two
 * levels above the device, that is, above the port of a switch ({@code ncclTopoGetXmlFromSys},
 * {@code nccl:src/graph/xml.cc}).
 */
final class LstopoReader {
  /** PCI type: {@code 0302 [10de:1db8] [10de:131d] a1 00}. */
  private static final Pattern PCI_TYPE =
      Pattern.compile(
          "([0-9a-fA-F]{4}) \\[([0-9a-fA-F]{4}:[0-9a-fA-F]{4})\\] \\[([0-9a-fA-F]{4}:[0-9a-fA-F]{4})\\]( [0-9a-fA-F]{2}){0,2}");

  /** Kind of an InfiniBand device ({@code hwloc:include/hwloc.h}); a bit from version 3 on. */
  private static final int OPENFABRICS = 3;

  private static final int OPENFABRICS_BIT = 1 << 5;
  private static final int FIRST_VERSION_WITH_BITS = 3;

  private final String name;
  private final boolean hasBits;
  private final List<ForeignCpu> cpus = new ArrayList<>();
  private final List<ForeignDevice> devices = new ArrayList<>();
  private final Map<String, PlacedText> numaNodes = new HashMap<>();
  private final Map<String, PlacedText> busIds = new HashMap<>();
  private final Map<String, PlacedText> ports = new HashMap<>();
  private String arch = "";
  private String product = "";
  private int nUnknownSpeeds;

  private LstopoReader(String name, boolean hasBits) {
    this.name = name;
    this.hasBits = hasBits;
  }

  /**
   * Ancestors of an object.
   *
   * @param numaNode only NUMA node of the nearest object with NUMA nodes; {@code -1} for several
   * @param bridges bus ids of the bridges, from the root on
   * @param cpu the package
   */
  private record Above(String numaNode, List<String> bridges, Optional<Item> cpu) {
    static final Above NOTHING = new Above("-1", List.of(), Optional.empty());

    Above bridge(String busId) {
      List<String> longer = new ArrayList<>(bridges);
      longer.add(busId);
      return new Above(numaNode, longer, cpu);
    }

    /** Bridge that NCCL puts a device below, above the port of a switch. */
    Optional<String> upstream() {
      int port = bridges.size() - 1;
      return port < 1 ? Optional.empty() : Optional.of(bridges.get(port - 1));
    }
  }

  /**
   * Machine in a file.
   *
   * @throws TopologyFormatException if the file is not XML of lstopo, has no GPU, or contains a
   *     device or NUMA node twice
   */
  static ForeignMachine read(byte[] content, String name) {
    LstopoFile file = ForeignXml.read(content, LstopoFile.class, name);
    String version = file.version().replaceFirst("\\..*", "");
    LstopoReader reader =
        new LstopoReader(
            name,
            version.matches("[0-9]{1,3}") && Integer.parseInt(version) >= FIRST_VERSION_WITH_BITS);
    file.objects().forEach(item -> reader.visit(item, Above.NOTHING));
    ForeignMachine machine =
        new ForeignMachine(
            reader.cpus, reader.devices, Map.of(), reader.product, reader.assumptions());
    if (machine.gpus().isEmpty()) {
      throw new TopologyFormatException(
          name,
          "has no GPU of NVIDIA, expected a PCIDev of class 0302 (lstopo --of xml, not with --no-io)");
    }
    return machine;
  }

  private List<String> assumptions() {
    String speeds = "PCI links at the speed that they had when lstopo ran";
    return nUnknownSpeeds == 0
        ? List.of(speeds)
        : List.of(
            speeds,
            "links of %s PCI devices as not known, their pci_link_speed is none of PCI Express"
                .formatted(nUnknownSpeeds));
  }

  private void visit(Item item, Above above) {
    Above here =
        item.nodeset().text().isEmpty()
            ? above
            : new Above(HwlocBitmap.onlyBit(item.nodeset(), name), above.bridges(), above.cpu());
    switch (item.type()) {
      case "Machine" -> arch = architecture(item.info("Architecture"));
      case "Package", "Socket" ->
          here = new Above(here.numaNode(), here.bridges(), Optional.of(item));
      case "NUMANode" -> cpus.add(cpu(item, above.cpu()));
      case "Bridge", "PCIDev" -> {
        if (!item.busId().text().isEmpty()) {
          ForeignDevice device = device(item, here);
          devices.add(device);
          here = here.bridge(device.busId());
        }
      }
      case "OSDev" -> product = product.isEmpty() ? item.info("GPUModel") : product;
      default -> {
        // Caches and cores do not affect paths.
      }
    }
    for (Item child : item.objects()) {
      visit(child, here);
    }
  }

  private String architecture(String text) {
    return switch (text) {
      case "", "x86_64" -> text;
      case "aarch64", "arm64" -> "arm64";
      case "ppc64le", "ppc64" -> "ppc64";
      default ->
          throw new TopologyFormatException(
              name, "Architecture '%s', expected x86_64, aarch64 or ppc64le".formatted(text));
    };
  }

  /** Converts a NUMA node. Its package is above it, in hwloc 1 below it. */
  private ForeignCpu cpu(Item node, Optional<Item> above) {
    String number = node.index().text();
    if (!number.matches("[0-9]{1,6}")) {
      throw new TopologyFormatException(
          node.index().in(name), "NUMANode os_index=\"%s\", expected a number".formatted(number));
    }
    node.index().addOnce(numaNodes, "NUMANode", number, name);
    Optional<Item> cpuPackage =
        above.or(
            () ->
                node.objects().stream()
                    .filter(
                        child -> child.type().equals("Package") || child.type().equals("Socket"))
                    .findFirst());
    String vendor = cpuPackage.map(item -> item.info("CPUVendor")).orElse("");
    boolean isX86 = vendor.equals("GenuineIntel") || vendor.equals("AuthenticAMD");
    return new ForeignCpu(
        number,
        HwlocBitmap.mask(node.cpuset(), name),
        arch.isEmpty() && isX86 ? "x86_64" : arch,
        vendor,
        cpuPackage.map(item -> item.info("CPUFamilyNumber")).orElse(""),
        cpuPackage.map(item -> item.info("CPUModelNumber")).orElse(""));
  }

  private ForeignDevice device(Item item, Above above) {
    String busId = item.busId().text().toLowerCase(Locale.ROOT);
    Matcher type = PCI_TYPE.matcher(item.pciType());
    if (!ForeignDevice.isBusId(busId) || !type.matches()) {
      throw new TopologyFormatException(
          item.busId().in(name),
          "<object type=\"%s\" pci_busid=\"%s\" pci_type=\"%s\">: expected 0000:1b:00.0 and 0302 [10de:2330] [10de:16c1]"
              .formatted(item.type(), busId, item.pciType()));
    }
    item.busId().addOnce(busIds, "PCI device", busId, name);
    return new ForeignDevice(
        busId,
        "0x" + type.group(1).toLowerCase(Locale.ROOT) + "00",
        type.group(2).toLowerCase(Locale.ROOT),
        type.group(3).toLowerCase(Locale.ROOT),
        link(item.linkGBps()),
        above.upstream(),
        above.numaNode(),
        port(item));
  }

  /** InfiniBand device of a card; empty if it has none. */
  private String port(Item card) {
    Optional<PlacedText> port =
        card.objects().stream()
            .filter(child -> child.type().equals("OSDev") && isOpenFabrics(child.deviceType()))
            .map(Item::name)
            .findFirst();
    port.ifPresent(
        found -> {
          if (!ForeignDevice.isPortName(found.text())) {
            throw new TopologyFormatException(
                found.in(name),
                "OSDev name=\"%s\", expected an InfiniBand device as mlx5_0"
                    .formatted(found.text()));
          }
          found.addOnce(ports, "InfiniBand device", found.text(), name);
        });
    return port.map(PlacedText::text).orElse("");
  }

  private boolean isOpenFabrics(String kind) {
    if (!kind.matches("[0-9]{1,6}")) {
      return false;
    }
    int number = Integer.parseInt(kind);
    return hasBits ? (number & OPENFABRICS_BIT) != 0 : number == OPENFABRICS;
  }

  /** Link of a device; hwloc writes 0 for an unknown speed. */
  private PciLink link(PlacedText speed) {
    String text = speed.text();
    boolean isNumber = text.matches("[0-9]{1,5}(\\.[0-9]{1,9})?");
    double gbps = isNumber ? Double.parseDouble(text) : 0;
    if (!text.isEmpty() && (!isNumber || gbps > PciLink.MAX_GBPS)) {
      throw new TopologyFormatException(
          speed.in(name),
          "pci_link_speed=\"%s\", expected GB/s, from 0 (not known) to %s (%s)"
              .formatted(text, PciLink.MAX_GBPS, PciLink.FASTEST_TEXT));
    }
    PciLink link = PciLink.ofBandwidth(gbps);
    if (gbps > 0 && link.equals(PciLink.UNKNOWN)) {
      nUnknownSpeeds++;
    }
    return link;
  }
}
