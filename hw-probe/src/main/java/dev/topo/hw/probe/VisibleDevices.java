package dev.topo.hw.probe;

import dev.topo.hw.nvml.NvmlDevice;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.Diagnostics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * GPUs that a process sees, by CUDA's rules for {@code CUDA_VISIBLE_DEVICES}: numbers or prefixes
 * of UUIDs; the first one that does not exist ends the list. CUDA's numbers are assumed to equal
 * NVML's, which is true for GPUs of one kind and with {@code CUDA_DEVICE_ORDER=PCI_BUS_ID}.
 */
record VisibleDevices(List<NvmlDevice> devices, Diagnostics diagnostics) {
  private static final SourceLocation VARIABLE = SourceLocation.of("CUDA_VISIBLE_DEVICES");

  List<NvmlDevice> select(Optional<String> variable) {
    if (variable.isEmpty()) {
      return devices;
    }
    List<NvmlDevice> visible = new ArrayList<>();
    if (variable.get().isBlank()) {
      return visible;
    }
    for (String item : variable.get().split(",", -1)) {
      Optional<NvmlDevice> device = find(item.strip());
      if (device.isEmpty() || visible.contains(device.get())) {
        diagnostics.warn(
            "invisible-gpu",
            VARIABLE,
            "'%s' %s; CUDA ignores the rest of the list, expected %s"
                .formatted(
                    item.strip(), device.isEmpty() ? "is no GPU here" : "is repeated", expected()));
        break;
      }
      visible.add(device.get());
    }
    return visible;
  }

  private Optional<NvmlDevice> find(String item) {
    if (item.startsWith("GPU-")) {
      List<NvmlDevice> found =
          devices.stream().filter(device -> device.uuid().startsWith(item)).toList();
      return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
    }
    try {
      int number = Integer.parseInt(item);
      return number >= 0 && number < devices.size()
          ? Optional.of(devices.get(number))
          : Optional.empty();
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }

  private String expected() {
    return devices.isEmpty() ? "an empty list" : "0 to " + (devices.size() - 1);
  }
}
