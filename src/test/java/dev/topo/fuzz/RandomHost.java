package dev.topo.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A machine with GPUs and network cards as lstopo and nvidia-smi print it, drawn at random. What
 * the tools print of one machine agrees.
 *
 * @param gpus in the order of their bus ids
 * @param nics in the order of their bus ids
 */
record RandomHost(Product product, List<Place> gpus, List<Place> nics, int packages, Form form) {
  private static final int LINKS_OF_PAIR = 4;

  /** GPUs of one kind: how nvidia-smi names them, and their NVLinks to all others. */
  enum Product {
    H100("h100", "NVIDIA H100 80GB HBM3", "2330", 18),
    A100("a100", "NVIDIA A100-SXM4-80GB", "20b2", 12),
    A40("a40", "NVIDIA A40", "2235", 0),
    L40S("l40s", "NVIDIA L40S", "26b9", 0);

    private final String word;
    private final String words;
    private final String id;
    private final int links;

    Product(String word, String words, String id, int links) {
      this.word = word;
      this.words = words;
      this.id = id;
      this.links = links;
    }

    /** How it is written in an assumption. */
    String word() {
      return word;
    }
  }

  /** The version of lstopo's XML. */
  enum Form {
    HWLOC_1,
    HWLOC_2,
    HWLOC_3
  }

  /**
   * Where a device is.
   *
   * @param bus of the root port, from which the bus ids follow
   * @param branch devices of one branch are behind one switch; -1 for a device at a root port
   */
  record Place(int numa, int bus, int branch) {
    String busId() {
      return String.format(Locale.ROOT, "0000:%02x:00.0", branch < 0 ? bus + 1 : bus + 3);
    }
  }

  static RandomHost draw(Random random) {
    Product product = any(Product.values(), random);
    int packages = 1 + random.nextInt(2);
    List<Place> gpus = new ArrayList<>();
    List<Place> nics = new ArrayList<>();
    int bus = 1;
    for (int branch = 0; branch < 1 + random.nextInt(6); branch++) {
      boolean isSwitch = random.nextInt(3) > 0;
      int numa = branch * packages / 6;
      for (int i = 0; i < (isSwitch ? 1 + random.nextInt(3) : 1); i++) {
        boolean isGpu = gpus.isEmpty() || random.nextInt(3) > 0;
        (isGpu ? gpus : nics).add(new Place(numa, bus, isSwitch ? branch : -1));
        bus += 5;
      }
    }
    return new RandomHost(product, gpus, nics, packages, any(Form.values(), random));
  }

  private static <T> T any(T[] values, Random random) {
    return values[random.nextInt(values.length)];
  }

  /** What is to be assumed where the matrix or the query is alone. */
  String assumption() {
    return "gpu=" + product.word + ",cpu=amd-genoa" + (nics.isEmpty() ? "" : ",net=200000");
  }

  /** lstopo's XML. */
  String lstopo(Random random) {
    StringBuilder out = new StringBuilder("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    out.append("<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology");
    out.append(
        switch (form) {
          case HWLOC_1 -> ">\n";
          case HWLOC_2 -> " version=\"2.0\">\n";
          case HWLOC_3 -> " version=\"3.0\">\n";
        });
    out.append("<object type=\"Machine\" os_index=\"0\" cpuset=\"0x0000ffff\">\n");
    out.append("<info name=\"Architecture\" value=\"x86_64\"/>\n");
    for (int numa = 0; numa < packages; numa++) {
      socket(out, numa, random);
    }
    return out.append("</object>\n</topology>\n").toString();
  }

  private void socket(StringBuilder out, int numa, Random random) {
    String sets =
        " os_index=\"%d\" cpuset=\"0x%08x\" nodeset=\"0x%08x\""
            .formatted(numa, 0xff << (8 * numa), 1 << numa);
    String kind =
        """
        <info name="CPUVendor" value="GenuineIntel"/>
        <info name="CPUFamilyNumber" value="6"/>
        <info name="CPUModelNumber" value="143"/>
        """;
    if (form == Form.HWLOC_1) {
      out.append("<object type=\"NUMANode\"" + sets + ">\n<object type=\"Socket\">\n");
      out.append(kind).append("</object>\n");
    } else {
      out.append("<object type=\"Package\"" + sets + ">\n").append(kind);
      out.append("<object type=\"NUMANode\"" + sets + "/>\n");
    }
    out.append("<object type=\"Bridge\" bridge_type=\"0-1\">\n");
    int branches = all().stream().mapToInt(Place::branch).max().orElse(0);
    for (int branch = -1; branch <= branches; branch++) {
      int number = branch;
      List<Place> devices =
          all().stream().filter(place -> place.numa == numa && place.branch == number).toList();
      if (branch < 0) {
        devices.forEach(
            place -> out.append(port(place.bus, 1) + device(place, random) + "</object>\n"));
      } else if (!devices.isEmpty()) {
        branch(out, devices, random);
      }
    }
    out.append("</object>\n</object>\n");
  }

  /** Root port, upstream bridge of a switch, a port of it for each device. */
  private void branch(StringBuilder out, List<Place> devices, Random random) {
    int bus = devices.get(0).bus;
    out.append(port(bus, 1)).append(port(bus + 1, 0));
    for (Place place : devices) {
      out.append(port(place.bus + 2, 0)).append(device(place, random)).append("</object>\n");
    }
    out.append("</object>\n</object>\n");
  }

  private static String port(int bus, int slot) {
    return "<object type=\"Bridge\" bridge_type=\"1-1\" pci_busid=\"0000:%02x:%02x.0\" pci_type=\"0604 [1000:c030] [1000:a096] b0\" pci_link_speed=\"63.015385\">\n"
        .formatted(bus, slot);
  }

  private String device(Place place, Random random) {
    boolean isGpu = gpus.contains(place);
    int number = (isGpu ? gpus : nics).indexOf(place);
    String speed =
        List.of("63.015385", "31.507692", "0.000000", "17.300000").get(random.nextInt(4));
    return "<object type=\"PCIDev\" pci_busid=\"%s\" pci_type=\"%s\" pci_link_speed=\"%s\">\n%s\n</object>\n"
        .formatted(
            place.busId(),
            isGpu
                ? "0302 [10de:" + product.id + "] [10de:16c1] a1"
                : "0207 [15b3:1021] [15b3:0041] 00",
            speed,
            isGpu
                ? "<object type=\"OSDev\" name=\"nvml%d\" osdev_type=\"1\"><info name=\"GPUModel\" value=\"%s\"/></object>"
                    .formatted(number, product.words)
                : "<object type=\"OSDev\" name=\"mlx5_%d\" osdev_type=\"%d\"/>"
                    .formatted(number, form == Form.HWLOC_3 ? 32 : 3));
  }

  private List<Place> all() {
    List<Place> all = new ArrayList<>(gpus);
    all.addAll(nics);
    return all;
  }

  /** The table of {@code nvidia-smi topo -m}. */
  String matrix() {
    List<Place> all = all();
    List<String> names =
        IntStream.range(0, all.size())
            .mapToObj(i -> i < gpus.size() ? "GPU" + i : "NIC" + (i - gpus.size()))
            .toList();
    StringBuilder out = new StringBuilder("\t\u001b[4m" + String.join("\t", names));
    out.append("\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m\n");
    for (int i = 0; i < all.size(); i++) {
      int row = i;
      String cells =
          IntStream.range(0, all.size())
              .mapToObj(column -> cell(row, column))
              .collect(Collectors.joining("\t"));
      int numa = all.get(i).numa;
      out.append(names.get(i)).append('\t').append(cells);
      out.append(
          i < gpus.size() ? "\t" + 8 * numa + "-" + (8 * numa + 7) + "\t" + numa + "\t\tN/A" : "");
      out.append('\n');
    }
    out.append(
        "\nLegend:\n\n  X    = Self\n  NV#  = Connection traversing a bonded set of # NVLinks\n");
    out.append("\nNIC Legend:\n\n");
    for (int i = 0; i < nics.size(); i++) {
      out.append("  NIC" + i + ": mlx5_" + i + "\n");
    }
    return out.toString();
  }

  private String cell(int row, int column) {
    Place from = all().get(row);
    Place to = all().get(column);
    boolean isNvlink = row < gpus.size() && column < gpus.size();
    if (row == column) {
      return " X ";
    }
    if (isNvlink && product.links > 0) {
      return "NV" + product.links;
    }
    boolean isPair = product == Product.A40 && (row ^ 1) == column;
    if (isNvlink && isPair) {
      return "NV" + LINKS_OF_PAIR;
    }
    return from.branch >= 0 && from.branch == to.branch
        ? "PXB"
        : from.numa == to.numa ? "NODE" : "SYS";
  }

  /** The XML of {@code nvidia-smi -q -x}. */
  String query(Random random) {
    String gpu =
        """
          <gpu id="0000%s">
            <product_name>%s</product_name>
            <pci>
              <pci_device_id>%s10DE</pci_device_id>
              <pci_bus_id>0000%s</pci_bus_id>
              <pci_sub_system_id>16C110DE</pci_sub_system_id>
              <pci_gpu_link_info>
                <pcie_gen><max_link_gen>%s</max_link_gen></pcie_gen>
                <link_widths><max_link_width>%s</max_link_width></link_widths>
              </pci_gpu_link_info>
            </pci>
          </gpu>
        """;
    return gpus.stream()
        .map(
            place ->
                gpu.formatted(
                    place.busId().toUpperCase(Locale.ROOT),
                    product.words,
                    product.id.toUpperCase(Locale.ROOT),
                    place.busId().toUpperCase(Locale.ROOT),
                    List.of("3", "4", "5", "N/A").get(random.nextInt(4)),
                    List.of("4x", "8x", "16x", "N/A").get(random.nextInt(4))))
        .collect(
            Collectors.joining(
                "",
                "<?xml version=\"1.0\" ?>\n<!DOCTYPE nvidia_smi_log SYSTEM \"nvsmi_device_v12.dtd\">\n<nvidia_smi_log>\n",
                "</nvidia_smi_log>\n"));
  }

  /** The text of {@code lspci -Dn}. */
  String lspci() {
    return all().stream()
        .map(
            place ->
                Optional.of(place)
                    .filter(gpus::contains)
                    .map(gpu -> gpu.busId() + " 0302: 10de:" + product.id + " (rev a1)\n")
                    .orElse(place.busId() + " 0207: 15b3:1021\n"))
        .collect(Collectors.joining());
  }
}
