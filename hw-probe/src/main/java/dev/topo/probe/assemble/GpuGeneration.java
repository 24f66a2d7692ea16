package dev.topo.probe.assemble;

import dev.topo.model.diagnostic.ResourceTable;
import java.util.List;
import java.util.Optional;

/**
 * A range of PCI device ids with one compute capability, for GPUs whose driver cannot be queried.
 */
record GpuGeneration(int first, int last, int sm) {
  private static final List<GpuGeneration> ALL =
      ResourceTable.rows(GpuGeneration.class, "gpus.txt", "chip").stream()
          .map(
              row ->
                  new GpuGeneration(
                      Integer.decode(row.get(1)),
                      Integer.decode(row.get(2)),
                      Integer.parseInt(row.get(3))))
          .toList();

  /** The compute capability of a device id of sysfs, {@code 90} for {@code 0x2335}. */
  static Optional<Integer> sm(String deviceId) {
    try {
      int id = Integer.decode(deviceId);
      return ALL.stream()
          .filter(range -> id >= range.first && id <= range.last)
          .map(GpuGeneration::sm)
          .findFirst();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}
