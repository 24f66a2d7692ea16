package dev.topo.hw.probe;

import dev.topo.hw.nvml.Capability;
import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.hw.sysfs.MachineFacts;
import dev.topo.hw.sysfs.PciDevice;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import dev.topo.model.io.ResourceTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds GPUs on PCI if NVIDIA's driver cannot be queried: in the order of their bus ids, with the
 * compute capability of their device id, and without NVLinks.
 */
record DriverlessGpus(MachineFacts facts, Diagnostics diagnostics) {
  private static final SourceLocation DEVICES = SourceLocation.of("/sys/bus/pci/devices");

  private static final List<Generation> GENERATIONS =
      ResourceTable.rows(DriverlessGpus.class, "gpus.txt", "chip").stream()
          .map(
              row ->
                  new Generation(
                      Integer.decode(row.get(1)),
                      Integer.decode(row.get(2)),
                      Integer.parseInt(row.get(3))))
          .toList();

  /** Range of PCI device ids with one compute capability. */
  private record Generation(int first, int last, int sm) {}

  /**
   * GPUs, with a warning that the driver was not available.
   *
   * @param reason why the driver cannot be queried
   */
  List<NvmlDevice> find(String reason) {
    List<NvmlDevice> devices = new ArrayList<>();
    for (String busId : facts.nvidiaGpus()) {
      Optional<Integer> sm =
          facts.pciDevice(busId).map(PciDevice::device).flatMap(DriverlessGpus::sm);
      if (sm.isEmpty()) {
        diagnostics.warn(
            "unknown-gpu",
            DEVICES,
            busId + ": compute capability of this device id is not known, sm is 0");
      }
      Capability gdr = Capability.UNKNOWN;
      Capability dmaBuf = Capability.UNKNOWN;
      devices.add(
          new NvmlDevice(
              devices.size(), busId, "", sm.orElse(0), gdr, dmaBuf, false, List.of(), List.of()));
    }
    warn(devices.size(), reason);
    return devices;
  }

  /** Compute capability for a device id in sysfs, {@code 90} for {@code 0x2335}. */
  static Optional<Integer> sm(String deviceId) {
    try {
      int id = Integer.decode(deviceId);
      return GENERATIONS.stream()
          .filter(range -> id >= range.first && id <= range.last)
          .map(Generation::sm)
          .findFirst();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private void warn(int count, String reason) {
    if (count == 0) {
      diagnostics.warn(
          "no-gpu", DEVICES, "no GPU of NVIDIA on PCI, and no driver to ask (" + reason + ")");
      return;
    }
    String kernelDriver = facts.kernel().nvidiaDriver();
    String driver =
        kernelDriver.isEmpty()
            ? "NVIDIA's driver is not loaded"
            : "NVIDIA's driver " + kernelDriver + " is loaded, but cannot be asked";
    diagnostics.warn(
        "gpu-without-driver",
        DEVICES,
        ("%s (%s): %s GPU%s seen by PCI class only; NVLinks are not known, sm and gdr are by device"
                + " id and class")
            .formatted(driver, reason, count, count == 1 ? "" : "s"));
  }
}
