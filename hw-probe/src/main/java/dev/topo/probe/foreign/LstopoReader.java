package dev.topo.probe.foreign;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.probe.foreign.LstopoFile.Item;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes a machine of lstopo's XML. A bridge is kept where NCCL keeps it: two levels above a device,
 * past the port of a switch ({@code ncclTopoGetXmlFromSys}, {@code nccl:src/graph/xml.cc}).
 */
final class LstopoReader {
  /** {@code 0302 [10de:1db8] [10de:131d] a1 00}. */
  private static final Pattern PCI_TYPE =
      Pattern.compile(
          "([0-9a-fA-F]{4}) \\[([0-9a-fA-F:]{9})\\] \\[([0-9a-fA-F:]{9})\\]( [0-9a-fA-F]{2}){0,2}");

  private static final Pattern BUS_ID =
      Pattern.compile("[0-9a-f]{4,8}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-7]");

  /** Kind of an InfiniBand device ({@code hwloc:include/hwloc.h}); from version 3 on a bit. */
  private static final int OPENFABRICS = 3;

  private static final int OPENFABRICS_BIT = 1 << 5;
  private static final int FIRST_WITH_BITS = 3;

  private final String name;
  private final boolean hasBits;
  private final List<ForeignCpu> cpus = new ArrayList<>();
  private final List<ForeignDevice> devices = new ArrayList<>();
  private String arch = "";
  private String product = "";

  private LstopoReader(String name, boolean hasBits) {
    this.name = name;
    this.hasBits = hasBits;
  }

  /**
   * The machine in a file.
   *
   * @throws TopologyFormatException if it is no XML of lstopo, or has no GPU
   */
  static ForeignMachine read(byte[] content, String name) {
    LstopoFile file = ForeignXml.read(content, LstopoFile.class, name);
    String version = file.version().replaceFirst("\\..*", "");
    LstopoReader reader =
        new LstopoReader(
            name, version.matches("[0-9]{1,3}") && Integer.parseInt(version) >= FIRST_WITH_BITS);
    file.objects().forEach(item -> reader.visit(item, "", new Item[0], new Item[0]));
    ForeignMachine machine =
        new ForeignMachine(
            reader.cpus,
            reader.devices,
            Map.of(),
            reader.product,
            List.of("PCI links at the speed that they had when lstopo ran"));
    if (machine.gpus().isEmpty()) {
      throw new TopologyFormatException(
          SourceLocation.of(name),
          "has no GPU of NVIDIA, expected a PCIDev of class 0302 (lstopo --of xml, not with --no-io)");
    }
    return machine;
  }

  /**
   * Visits an object.
   *
   * @param nodeset the NUMA nodes of the nearest object above that has some
   * @param bridges the bridges above, from the root on
   * @param packages the package above, if any
   */
  private void visit(Item item, String nodeset, Item[] bridges, Item[] packages) {
    String nodes = item.nodeset().isEmpty() ? nodeset : item.nodeset();
    Item[] above = bridges;
    Item[] within = packages;
    switch (item.type()) {
      case "Machine" -> arch = architecture(item.info("Architecture"));
      case "Package", "Socket" -> within = new Item[] {item};
      case "NUMANode" -> cpus.add(cpu(item, packages));
      case "Bridge", "PCIDev" -> {
        if (!item.busId().isEmpty()) {
          devices.add(device(item, nodes, bridges));
          above = Arrays.copyOf(bridges, bridges.length + 1);
          above[bridges.length] = item;
        }
      }
      case "OSDev" -> product = product.isEmpty() ? item.info("GPUModel") : product;
      default -> {
        // Caches and cores matter to no path.
      }
    }
    for (Item child : item.objects()) {
      visit(child, nodes, above, within);
    }
  }

  private static String architecture(String text) {
    return switch (text) {
      case "aarch64" -> "arm64";
      case "ppc64le" -> "ppc64";
      default -> text;
    };
  }

  /** A NUMA node below its package; in hwloc 1 the package is below it. */
  private ForeignCpu cpu(Item node, Item[] packages) {
    Optional<Item> of =
        packages.length > 0
            ? Optional.of(packages[0])
            : node.objects().stream()
                .filter(child -> child.type().equals("Package") || child.type().equals("Socket"))
                .findFirst();
    String vendor = of.map(item -> item.info("CPUVendor")).orElse("");
    boolean isX86 = vendor.equals("GenuineIntel") || vendor.equals("AuthenticAMD");
    return new ForeignCpu(
        node.index(),
        mask(node.cpuset()),
        arch.isEmpty() && isX86 ? "x86_64" : arch,
        vendor,
        of.map(item -> item.info("CPUFamilyNumber")).orElse(""),
        of.map(item -> item.info("CPUModelNumber")).orElse(""));
  }

  private ForeignDevice device(Item item, String nodes, Item[] bridges) {
    String busId = item.busId().toLowerCase(Locale.ROOT);
    Matcher type = PCI_TYPE.matcher(item.pciType());
    if (!BUS_ID.matcher(busId).matches() || !type.matches()) {
      throw new TopologyFormatException(
          SourceLocation.of(name),
          "<object type=\"%s\" pci_busid=\"%s\" pci_type=\"%s\">: expected 0000:1b:00.0 and 0302 [10de:2330] [10de:16c1]"
              .formatted(item.type(), item.busId(), item.pciType()));
    }
    int port = bridges.length - 1;
    return new ForeignDevice(
        busId,
        "0x" + type.group(1).toLowerCase(Locale.ROOT) + "00",
        type.group(2).toLowerCase(Locale.ROOT),
        type.group(3).toLowerCase(Locale.ROOT),
        link(item.linkGBps()),
        port < 1
            ? Optional.empty()
            : Optional.of(bridges[port - 1].busId().toLowerCase(Locale.ROOT)),
        onlyBit(nodes),
        item.objects().stream()
            .filter(child -> child.type().equals("OSDev") && isOpenFabrics(child.deviceType()))
            .map(Item::name)
            .findFirst()
            .orElse(""));
  }

  private boolean isOpenFabrics(String kind) {
    if (!kind.matches("[0-9]{1,6}")) {
      return false;
    }
    int number = Integer.parseInt(kind);
    return hasBits ? (number & OPENFABRICS_BIT) != 0 : number == OPENFABRICS;
  }

  private static PciLink link(String gbps) {
    return gbps.matches("[0-9]{1,5}(\\.[0-9]{1,9})?")
        ? PciLink.ofBandwidth(Double.parseDouble(gbps))
        : PciLink.UNKNOWN;
  }

  /** A bit map as sysfs writes it; empty if it is unlimited. */
  private static String mask(String bitmap) {
    if (!bitmap.matches("(0x[0-9a-f]{1,8}|)(,(0x[0-9a-f]{1,8}|))*") || bitmap.isEmpty()) {
      return "";
    }
    return Arrays.stream(bitmap.split(",", -1))
        .map(word -> word.replace("0x", ""))
        .map(word -> "0".repeat(8 - word.length()) + word)
        .collect(Collectors.joining(","));
  }

  /** The number of the only bit of a bit map; -1 if there are several, or none. */
  private static String onlyBit(String bitmap) {
    String mask = mask(bitmap).replace(",", "");
    if (mask.isEmpty()) {
      return "-1";
    }
    BigInteger bits = new BigInteger(mask, 16);
    return bits.bitCount() == 1 ? String.valueOf(bits.getLowestSetBit()) : "-1";
  }
}
