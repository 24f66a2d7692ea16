package dev.topo.inspect.lint.topology;

import dev.topo.inspect.lint.finding.LintRule;
import dev.topo.inspect.lint.text.Findings;
import dev.topo.inspect.lint.text.LintElement;
import dev.topo.inspect.lint.topology.TopologyIndex.Device;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A topology file beside the machine that it is for: NCCL uses the file wherever it says something
 * ({@code ncclTopoGetXmlFromSys} and the others fill in only what is missing).
 */
public final class MachineRules {
  private final TopologyIndex file;
  private final TopologyIndex machine;
  private final Findings findings;
  private final LintElement system;

  public MachineRules(
      LintElement system, TopologyIndex file, TopologyIndex machine, Findings findings) {
    this.system = system;
    this.file = file;
    this.machine = machine;
    this.findings = findings;
  }

  public void check() {
    gpus();
    nets();
    links();
    distances();
  }

  private static Map<String, Device> byBusId(List<Device> devices) {
    Map<String, Device> map = new LinkedHashMap<>();
    devices.forEach(device -> map.putIfAbsent(device.busId(), device));
    return map;
  }

  private void gpus() {
    Map<String, Device> real = byBusId(machine.gpus());
    Map<String, Device> stated = byBusId(file.gpus());
    for (Device gpu : file.gpus()) {
      Device there = real.get(gpu.busId());
      if (there == null) {
        LintElement pci = gpu.pci().orElse(gpu.element());
        findings.add(
            LintRule.MACHINE_NO_SUCH_GPU,
            pci,
            "busid",
            "is no GPU of the machine, it has "
                + (real.isEmpty() ? "none" : String.join(", ", real.keySet())));
        continue;
      }
      differs(LintRule.MACHINE_SM, gpu.element(), there.element(), "sm");
      numa(gpu, there);
      nvlinks(gpu, there);
    }
    if (!file.gpus().isEmpty()) {
      real.keySet().stream()
          .filter(busId -> !stated.containsKey(busId))
          .forEach(
              busId ->
                  findings.add(
                      LintRule.MACHINE_GPU_MISSING, system, "does not have the GPU " + busId));
    }
  }

  private void differs(LintRule rule, LintElement stated, LintElement real, String attribute) {
    Optional<String> own = stated.value(attribute);
    Optional<String> other = real.value(attribute);
    if (own.isPresent() && other.isPresent() && !own.get().equals(other.get())) {
      findings.add(rule, stated, attribute, "is \"" + other.get() + "\" on the machine");
    }
  }

  private void numa(Device stated, Device real) {
    Optional<LintElement> cpu = stated.cpu();
    Optional<LintElement> there = real.cpu();
    if (cpu.isPresent() && there.isPresent()) {
      String own = cpu.get().value("numaid").orElse("");
      String other = there.get().value("numaid").orElse("");
      if (!own.equals(other)) {
        findings.add(
            LintRule.MACHINE_NUMA,
            stated.element(),
            "hangs below numaid " + own + ", on the machine below " + other);
      }
    }
  }

  /** Links by what they lead to: a GPU by bus id, all NVSwitches together. */
  private static Map<String, Integer> ends(Device gpu) {
    Map<String, Integer> ends = new TreeMap<>();
    for (LintElement link : gpu.element().elements("nvlink")) {
      String tclass = link.value("tclass").orElse("0x068000");
      String end =
          PciClassCodes.isGpu(tclass) ? link.value("target").orElse("") : "NVSwitch or CPU";
      ends.merge(end, link.number("count", 0), Integer::sum);
    }
    return ends;
  }

  private void nvlinks(Device stated, Device real) {
    Map<String, Integer> own = ends(stated);
    Map<String, Integer> other = ends(real);
    // Without any NVLink in the file NCCL looks for those of the machine.
    if (!own.isEmpty() && !own.equals(other)) {
      findings.add(
          LintRule.MACHINE_NVLINK,
          stated.element(),
          "has NVLinks " + own + ", on the machine " + other);
    }
  }

  private static Map<String, Device> byName(List<Device> nets) {
    Map<String, Device> map = new LinkedHashMap<>();
    nets.forEach(net -> map.putIfAbsent(net.element().value("name").orElse(""), net));
    map.remove("");
    return map;
  }

  private void nets() {
    Map<String, Device> real = byName(machine.nets());
    Map<String, Device> stated = byName(file.nets());
    stated.forEach((name, net) -> net(name, net, real.get(name)));
    if (!file.nets().isEmpty()) {
      real.keySet().stream()
          .filter(name -> !stated.containsKey(name))
          .forEach(
              name ->
                  findings.add(
                      LintRule.MACHINE_NET_MISSING, system, "does not have the net " + name));
    }
  }

  private void net(String name, Device net, @Nullable Device there) {
    if (there == null) {
      findings.add(LintRule.MACHINE_NO_SUCH_NET, net.element(), "name", "is no net of the machine");
      return;
    }
    if (!net.busId().equals(there.busId())) {
      findings.add(
          LintRule.MACHINE_ELSEWHERE,
          net.element(),
          name + " hangs off " + place(net) + ", on the machine off " + place(there));
    }
    numa(net, there);
    differs(LintRule.MACHINE_NET_VALUE, net.element(), there.element(), "speed");
    differs(LintRule.MACHINE_NET_VALUE, net.element(), there.element(), "gdr");
  }

  private static String place(Device net) {
    return net.busId().isEmpty() ? "no PCI device" : net.busId();
  }

  private void links() {
    Map<String, LintElement> real = new HashMap<>();
    machine.pcis().forEach(pci -> real.put(pci.element().value("busid").orElse(""), pci.element()));
    for (Device pci : file.pcis()) {
      LintElement there = real.get(pci.element().value("busid").orElse(" "));
      if (there != null) {
        differs(LintRule.MACHINE_LINK, pci.element(), there, "link_width");
        differs(LintRule.MACHINE_LINK, pci.element(), there, "link_speed");
      }
    }
  }

  /** How far a GPU and a NIC are from each other: 0 below one switch, more with each step up. */
  private static int distance(Device gpu, Device net) {
    if (!Objects.equals(host(gpu), host(net))) {
      return 1000;
    }
    int common = 0;
    while (common < Math.min(gpu.path().size(), net.path().size())
        && gpu.path().get(common).offset() == net.path().get(common).offset()) {
      common++;
    }
    boolean sameSwitch = common > 0 && gpu.path().get(common - 1).name().equals("pci");
    return sameSwitch ? 0 : common > 1 ? 100 : 200;
  }

  private static Optional<String> host(Device device) {
    return device.cpu().flatMap(cpu -> cpu.value("host_hash"));
  }

  private static final String[] DISTANCES = {
    "below one PCI switch", "below one CPU", "below different CPUs"
  };

  private void distances() {
    Map<String, Device> gpus = byBusId(machine.gpus());
    Map<String, Device> nets = byName(machine.nets());
    for (Device gpu : file.gpus()) {
      Device realGpu = gpus.get(gpu.busId());
      for (Device net : file.nets()) {
        Device realNet = nets.get(net.element().value("name").orElse(""));
        if (realGpu == null || realNet == null) {
          continue;
        }
        int own = distance(gpu, net) / 100;
        int real = distance(realGpu, realNet) / 100;
        if (own > real) {
          findings.add(
              LintRule.MACHINE_GDR_DISTANCE,
              net.element(),
              "name",
              "and GPU "
                  + gpu.busId()
                  + " are "
                  + DISTANCES[Math.min(own, 2)]
                  + ", on the machine "
                  + DISTANCES[Math.min(real, 2)]);
          break;
        }
      }
    }
  }
}
