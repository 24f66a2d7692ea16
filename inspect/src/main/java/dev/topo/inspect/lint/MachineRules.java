package dev.topo.inspect.lint;

import dev.topo.inspect.lint.TopologyIndex.Device;
import dev.topo.model.xml.PciClass;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Rules that compare a topology file with its machine. What the file states takes precedence: NCCL
 * fills in only missing parts ({@code ncclTopoGetXmlFromSys} and others).
 */
record MachineRules(
    LintElement system, TopologyIndex file, TopologyIndex machine, Findings findings) {
  void check() {
    gpus();
    nets();
    links();
    distances();
  }

  /** Maps each key to the first device that has it. */
  private static Map<String, Device> firstByKey(
      List<Device> devices, Function<Device, String> key) {
    Map<String, Device> map = new LinkedHashMap<>();
    devices.forEach(device -> map.putIfAbsent(key.apply(device), device));
    return map;
  }

  private static Map<String, Device> byBusId(List<Device> gpus) {
    return firstByKey(gpus, Device::busId);
  }

  private static Map<String, Device> byName(List<Device> nets) {
    Map<String, Device> map = firstByKey(nets, net -> net.element().text("name"));
    map.remove("");
    return map;
  }

  private void missing(
      LintRule rule, String what, Map<String, Device> stated, Map<String, Device> real) {
    real.keySet().stream()
        .filter(name -> !stated.containsKey(name))
        .forEach(name -> findings.add(rule, system, "does not have the " + what + " " + name));
  }

  private void gpus() {
    Map<String, Device> real = byBusId(machine.gpus());
    Map<String, Device> stated = byBusId(file.gpus());
    for (Device gpu : file.gpus()) {
      Device actual = real.get(gpu.busId());
      if (actual == null) {
        LintElement pci = gpu.pci().orElse(gpu.element());
        String known = real.isEmpty() ? "none" : String.join(", ", real.keySet());
        String message = "is no GPU of the machine, it has " + known;
        findings.add(LintRule.MACHINE_NO_SUCH_GPU, pci, "busid", message);
        continue;
      }
      differs(LintRule.MACHINE_SM, gpu.element(), actual.element(), "sm");
      numa(gpu, actual);
      nvlinks(gpu, actual);
    }
    if (!file.gpus().isEmpty()) {
      missing(LintRule.MACHINE_GPU_MISSING, "GPU", stated, real);
    }
  }

  private void differs(LintRule rule, LintElement stated, LintElement real, String attribute) {
    Optional<String> written = stated.value(attribute);
    Optional<String> actual = real.value(attribute);
    if (written.isPresent() && actual.isPresent() && !written.get().equals(actual.get())) {
      findings.add(rule, stated, attribute, "is \"" + actual.get() + "\" on the machine");
    }
  }

  private void numa(Device stated, Device real) {
    Optional<String> written = stated.cpu().map(cpu -> cpu.text("numaid"));
    Optional<String> actual = real.cpu().map(cpu -> cpu.text("numaid"));
    if (written.isPresent() && actual.isPresent() && !written.equals(actual)) {
      String message =
          "hangs below numaid " + written.get() + ", on the machine below " + actual.get();
      findings.add(LintRule.MACHINE_NUMA, stated.element(), message);
    }
  }

  /** Number of links by target: GPUs by bus id, all NVSwitches together. */
  private static Map<String, Integer> linksByTarget(Device gpu) {
    Map<String, Integer> linksByTarget = new TreeMap<>();
    for (LintElement link : gpu.element().elements("nvlink")) {
      boolean isGpu = PciClass.of(link.text("tclass")) == PciClass.GPU;
      String end = isGpu ? link.text("target") : "NVSwitch or CPU";
      linksByTarget.merge(end, link.number("count", 0), Integer::sum);
    }
    return linksByTarget;
  }

  private void nvlinks(Device stated, Device real) {
    Map<String, Integer> written = linksByTarget(stated);
    Map<String, Integer> actual = linksByTarget(real);
    // Without any NVLink in the file NCCL looks for those of the machine.
    if (!written.isEmpty() && !written.equals(actual)) {
      String message = "has NVLinks " + written + ", on the machine " + actual;
      findings.add(LintRule.MACHINE_NVLINK, stated.element(), message);
    }
  }

  private void nets() {
    Map<String, Device> real = byName(machine.nets());
    Map<String, Device> stated = byName(file.nets());
    stated.forEach((name, net) -> net(name, net, real.get(name)));
    if (!file.nets().isEmpty()) {
      missing(LintRule.MACHINE_NET_MISSING, "net", stated, real);
    }
  }

  private void net(String name, Device net, @Nullable Device actual) {
    if (actual == null) {
      findings.add(LintRule.MACHINE_NO_SUCH_NET, net.element(), "name", "is no net of the machine");
      return;
    }
    if (!net.busId().equals(actual.busId())) {
      findings.add(
          LintRule.MACHINE_ELSEWHERE,
          net.element(),
          name + " hangs off " + place(net) + ", on the machine off " + place(actual));
    }
    numa(net, actual);
    differs(LintRule.MACHINE_NET_VALUE, net.element(), actual.element(), "speed");
    differs(LintRule.MACHINE_NET_VALUE, net.element(), actual.element(), "gdr");
  }

  private static String place(Device net) {
    return net.busId().isEmpty() ? "no PCI device" : net.busId();
  }

  private void links() {
    Map<String, LintElement> real = new HashMap<>();
    machine.pcis().forEach(pci -> real.put(pci.element().text("busid"), pci.element()));
    for (Device pci : file.pcis()) {
      LintElement actual = real.get(pci.element().value("busid").orElse(" "));
      if (actual != null) {
        differs(LintRule.MACHINE_LINK, pci.element(), actual, "link_width");
        differs(LintRule.MACHINE_LINK, pci.element(), actual, "link_speed");
      }
    }
  }

  /**
   * Distance between a GPU and a NIC, as an index of {@link #DISTANCES}: 0 below one PCI switch, 1
   * below one CPU, 2 below different CPUs, 3 on different hosts.
   */
  private static int distance(Device gpu, Device net) {
    if (!gpu.host().equals(net.host())) {
      return 3;
    }
    int common = 0;
    while (common < Math.min(gpu.path().size(), net.path().size())
        && gpu.path().get(common).offset() == net.path().get(common).offset()) {
      common++;
    }
    boolean sameSwitch = common > 0 && gpu.path().get(common - 1).name().equals("pci");
    return sameSwitch ? 0 : common > 1 ? 1 : 2;
  }

  private static final String[] DISTANCES = {
    "below one PCI switch", "below one CPU", "below different CPUs", "below different CPUs"
  };

  private void distances() {
    Map<String, Device> gpus = byBusId(machine.gpus());
    Map<String, Device> nets = byName(machine.nets());
    for (Device gpu : file.gpus()) {
      Device realGpu = gpus.get(gpu.busId());
      for (Device net : file.nets()) {
        Device realNet = nets.get(net.element().text("name"));
        if (realGpu == null || realNet == null) {
          continue;
        }
        int written = distance(gpu, net);
        int real = distance(realGpu, realNet);
        if (written > real) {
          String places = DISTANCES[written] + ", on the machine " + DISTANCES[real];
          String message = "and GPU " + gpu.busId() + " are " + places;
          findings.add(LintRule.MACHINE_GDR_DISTANCE, net.element(), "name", message);
          break;
        }
      }
    }
  }
}
