package dev.topo.probe.foreign;

import dev.topo.probe.foreign.SmiQueryFile.Gpu;
import java.util.Locale;

/** A GPU of {@code nvidia-smi -q -x} in the forms of a topology file. */
final class SmiGpu {
  private SmiGpu() {}

  /** {@code 0000:1a:00.0} for {@code 00000000:1A:00.0}. */
  static String busId(Gpu gpu) {
    return gpu.pci().busId().toLowerCase(Locale.ROOT).replaceFirst("^0000(?=[0-9a-f]{4}:)", "");
  }

  /** {@code 10de:2330} for {@code 233010DE}; empty if it has another form. */
  static String ids(String text) {
    String small = text.toLowerCase(Locale.ROOT).replaceFirst("^0x", "");
    return small.matches("[0-9a-f]{8}") ? small.substring(4) + ":" + small.substring(0, 4) : "";
  }

  static PciLink link(Gpu gpu) {
    String generation = gpu.pci().link().generation().most();
    String width = gpu.pci().link().width().most().replace("x", "");
    return generation.matches("[0-9]") && width.matches("[0-9]{1,2}")
        ? PciLink.of(Integer.parseInt(generation), Integer.parseInt(width))
        : PciLink.UNKNOWN;
  }
}
