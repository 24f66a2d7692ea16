package dev.topo.hw.foreign;

import dev.topo.hw.foreign.SmiQueryFile.Gpu;
import dev.topo.model.io.TopologyFormatException;
import java.util.Locale;
import java.util.Set;

/** GPU of {@code nvidia-smi -q -x} in the formats of a topology file. */
final class SmiGpu {
  /** nvidia-smi's texts for unknown values. */
  private static final Set<String> NOT_KNOWN =
      Set.of(
          "",
          "N/A",
          "[N/A]",
          "Not Supported",
          "[Not Supported]",
          "Unknown",
          "Unknown Error",
          "[Unknown Error]",
          "Insufficient Permissions");

  private SmiGpu() {}

  /** Bus id {@code 0000:1a:00.0} for {@code 00000000:1A:00.0}. */
  static String busId(Gpu gpu) {
    return gpu.pci()
        .busId()
        .text()
        .toLowerCase(Locale.ROOT)
        .replaceFirst("^0000(?=[0-9a-f]{4}:)", "");
  }

  /** Ids {@code 10de:2330} for {@code 233010DE}; empty for another format. */
  static String ids(String text) {
    String small = text.toLowerCase(Locale.ROOT).replaceFirst("^0x", "");
    return small.matches("[0-9a-f]{8}") ? small.substring(4) + ":" + small.substring(0, 4) : "";
  }

  /**
   * Fastest link of a GPU; unknown if nvidia-smi says so.
   *
   * @throws TopologyFormatException if it is not a PCI Express link
   */
  static PciLink link(Gpu gpu, String file) {
    PlacedText generation = gpu.pci().link().generation().most();
    PlacedText width = gpu.pci().link().width().most();
    if (NOT_KNOWN.contains(generation.text()) || NOT_KNOWN.contains(width.text())) {
      return PciLink.UNKNOWN;
    }
    int number = number(generation.text(), "[0-9]{1,3}");
    int lanes = number(width.text(), "[0-9]{1,3}x?");
    if (!PciLink.isGeneration(number)) {
      throw new TopologyFormatException(
          generation.in(file),
          "<max_link_gen>: '%s', expected a PCIe generation from 1 to 6, or N/A"
              .formatted(generation.text()));
    }
    if (!PciLink.isWidth(lanes)) {
      throw new TopologyFormatException(
          width.in(file),
          "<max_link_width>: '%s', expected a number of lanes as 16x, or N/A"
              .formatted(width.text()));
    }
    return PciLink.of(number, lanes);
  }

  private static int number(String text, String form) {
    return text.matches(form) ? Integer.parseInt(text.replace("x", "")) : -1;
  }
}
