package dev.topo.hw.foreign;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Machine in the output of tools.
 *
 * @param devices devices with distinct bus ids, bridges before the devices below them
 * @param nvlinks number of NVLinks between GPUs, by bus ids; empty if no tool shows it
 * @param product name of the GPUs; empty if no tool shows it
 * @param assumed the assumptions, a phrase each
 */
record ForeignMachine(
    List<ForeignCpu> cpus,
    List<ForeignDevice> devices,
    Map<String, Map<String, Integer>> nvlinks,
    String product,
    List<String> assumed) {
  ForeignMachine {
    cpus = List.copyOf(cpus);
    devices = List.copyOf(devices);
    nvlinks = Map.copyOf(nvlinks);
    assumed = List.copyOf(assumed);
    Set<String> above = new HashSet<>();
    for (ForeignDevice device : devices) {
      if (!device.upstream().map(above::contains).orElse(true) || !above.add(device.busId())) {
        throw new IllegalArgumentException(
            device + ": expected bridges before what is below them, and each bus id once");
      }
    }
  }

  List<ForeignDevice> gpus() {
    return devices.stream().filter(ForeignDevice::isGpu).toList();
  }
}
