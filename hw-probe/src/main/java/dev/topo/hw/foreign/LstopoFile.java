package dev.topo.hw.foreign;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Objects;
import tools.jackson.dataformat.xml.annotation.JacksonXmlElementWrapper;

/**
 * The XML of hwloc 1, 2 and 3 ({@code lstopo FILE.xml}), reduced to what a topology of NCCL needs.
 * Absent texts are empty.
 *
 * @param version version of the format; empty in hwloc 1
 */
record LstopoFile(
    String version,
    @JsonProperty("object") @JacksonXmlElementWrapper(useWrapping = false) List<Item> objects) {
  LstopoFile {
    version = orEmpty(version);
    objects = orEmpty(objects);
  }

  /**
   * Object of hwloc: a machine, package, NUMA node, bridge, PCI device or OS device.
   *
   * @param index its number in the operating system
   * @param cpuset its CPUs, as hwloc bitmap
   * @param nodeset its NUMA nodes, in the same format; empty for I/O
   * @param busId bus id of a PCI device or bridge
   * @param pciType class, ids and revision: {@code 0302 [10de:2330] [10de:16c1] a1}
   * @param linkGBps bandwidth of the PCI link when the file was written
   * @param deviceType number of the kind of an OS device
   */
  record Item(
      String type,
      PlacedText name,
      @JsonProperty("os_index") PlacedText index,
      PlacedText cpuset,
      PlacedText nodeset,
      @JsonProperty("pci_busid") PlacedText busId,
      @JsonProperty("pci_type") String pciType,
      @JsonProperty("pci_link_speed") PlacedText linkGBps,
      @JsonProperty("osdev_type") String deviceType,
      @JsonProperty("info") @JacksonXmlElementWrapper(useWrapping = false) List<Info> infos,
      @JsonProperty("object") @JacksonXmlElementWrapper(useWrapping = false) List<Item> objects) {
    Item {
      type = orEmpty(type);
      name = PlacedText.orNone(name);
      index = PlacedText.orNone(index);
      cpuset = PlacedText.orNone(cpuset);
      nodeset = PlacedText.orNone(nodeset);
      busId = PlacedText.orNone(busId);
      pciType = orEmpty(pciType);
      linkGBps = PlacedText.orNone(linkGBps);
      deviceType = orEmpty(deviceType);
      infos = orEmpty(infos);
      objects = orEmpty(objects);
    }

    /** Value of an info; empty if there is none with this name. */
    String info(String wanted) {
      return infos.stream()
          .filter(info -> info.name.equals(wanted))
          .map(Info::value)
          .findFirst()
          .orElse("");
    }
  }

  /** Additional property of an object. */
  record Info(String name, String value) {
    Info {
      name = orEmpty(name);
      value = orEmpty(value);
    }
  }

  private static String orEmpty(String text) {
    return Objects.requireNonNullElse(text, "");
  }

  private static <T> List<T> orEmpty(List<T> list) {
    return List.copyOf(Objects.requireNonNullElse(list, List.of()));
  }
}
