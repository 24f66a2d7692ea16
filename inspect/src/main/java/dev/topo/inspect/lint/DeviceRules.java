package dev.topo.inspect.lint;

import dev.topo.model.ComputeCapability;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.xml.PciClass;
import dev.topo.search.rules.NcclProfile;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** Rules for the attributes of CPUs, PCI devices, GPUs and NICs, one element at a time. */
record DeviceRules(TopologyIndex index, Findings findings, NcclProfile profile) {
  private static final Set<String> ARCHS = Set.of("x86_64", "arm64", "ppc64");
  private static final List<String> VENDORS =
      List.of("GenuineIntel", "AuthenticAMD", "CentaurHauls", "  Shanghai  ");
  private static final Pattern CLASS = Pattern.compile("0x[0-9a-fA-F]{2,8}");
  private static final Pattern AFFINITY = Pattern.compile("[0-9a-fA-F]{1,8}(,[0-9a-fA-F]{1,8})*");
  private static final Set<Integer> WIDTHS = Set.of(0, 1, 2, 4, 8, 12, 16, 32);

  /** Compute capabilities of NVIDIA GPUs, times 10. */
  private static final Set<Integer> GENERATIONS =
      Set.of(
          30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 88, 89, 90, 100, 101, 103,
          110, 120, 121);

  private static final int MIN_NET_MBPS = 1000;

  void check() {
    index.cpus().forEach(cpu -> cpu(cpu.element()));
    index.pcis().forEach(pci -> pci(pci.element()));
    index.gpus().forEach(gpu -> gpu(gpu.element()));
    index.nets().forEach(net -> net(net.element()));
  }

  private void cpu(LintElement cpu) {
    if (findings.require(cpu, "numaid") && cpu.number("numaid", 0) == -1) {
      findings.add(LintRule.NUMA_UNKNOWN, cpu, "numaid", "is no NUMA domain");
    }
    String arch = cpu.value("arch").orElse("x86_64");
    if (ARCHS.stream().noneMatch(arch::startsWith)) {
      findings.add(
          LintRule.CPU_ARCH,
          cpu,
          "arch",
          "is none that NCCL knows, expected one of x86_64, arm64, ppc64");
    }
    String vendor = cpu.value("vendor").orElse("GenuineIntel");
    if (arch.startsWith("x86_64") && VENDORS.stream().noneMatch(vendor::startsWith)) {
      findings.add(LintRule.CPU_VENDOR, cpu, "vendor", "is none that NCCL knows");
    }
    String affinity = cpu.value("affinity").orElse("0");
    if (!AFFINITY.matcher(affinity).matches()) {
      findings.add(
          LintRule.AFFINITY_FORM, cpu, "affinity", "is no list of masks such as 0000ffff,ffffffff");
    }
  }

  private void pci(LintElement pci) {
    findings.require(pci, "busid");
    List<LintElement> gpus = pci.elements("gpu");
    List<LintElement> nics = pci.elements("nic");
    boolean endpoint = !gpus.isEmpty() || !nics.isEmpty();
    String pciClass = pci.value("class").orElse("0x060400");
    boolean bridge = PciClass.of(pciClass) == PciClass.PCI;
    if (!CLASS.matcher(pciClass).matches()) {
      findings.add(LintRule.PCI_CLASS, pci, "class", "is no PCI class code such as 0x060400");
    }
    if (!gpus.isEmpty() && !nics.isEmpty()) {
      findings.add(LintRule.GPU_AND_NIC, pci, "has a gpu and a nic");
    }
    if (!gpus.isEmpty() && pci.value("busid").orElse("").matches(".*\\.[0-9a-f]*[^048c]")) {
      findings.add(
          LintRule.GPU_FUNCTION,
          profile.fault("gpu-function").isPresent()
              ? Severity.ERROR
              : LintRule.GPU_FUNCTION.severity(),
          pci,
          "busid",
          "is a GPU at a function that is no multiple of 4");
    }
    for (List<LintElement> devices : List.of(gpus, nics)) {
      boolean isRead = devices == gpus && profile.topology().readsAllGpus;
      if (devices.size() > 1 && !isRead) {
        findings.add(LintRule.SECOND_DEVICE, devices.get(1), "is the second in its pci");
      }
    }
    List<LintElement> below = pci.elements("pci");
    if (!below.isEmpty() && (endpoint || !bridge)) {
      findings.add(
          LintRule.BELOW_ENDPOINT,
          below.get(0),
          endpoint
              ? "hangs below a pci with a device of its own"
              : "hangs below class=\"" + pciClass + "\", expected a bridge (0x060400)");
    }
    link(pci);
  }

  private void link(LintElement pci) {
    String speed = pci.value("link_speed").orElse("8.0 GT/s PCIe");
    if (speed.isEmpty()) {
      findings.add(LintRule.LINK_SPEED_EMPTY, pci, "link_speed", "is empty");
    } else if (!profile.links().isKnownPciSpeed(speed)) {
      LintAttribute attribute = pci.attribute("link_speed").orElseThrow();
      String known = speed + " PCIe";
      if (profile.links().isKnownPciSpeed(known)) {
        findings.add(
            LintRule.LINK_SPEED,
            LintRule.LINK_SPEED.severity(),
            pci,
            attribute,
            "is not known to NCCL, expected \"" + known + "\"",
            findings.edit(attribute.valueOffset(), attribute.valueEnd(), known));
      } else {
        findings.add(LintRule.LINK_SPEED, pci, "link_speed", "is not known to NCCL");
      }
    }
    int width = pci.number("link_width", 1);
    if (width == 0) {
      findings.add(LintRule.LINK_WIDTH_ZERO, pci, "link_width", "is no number of lanes");
    } else if (!WIDTHS.contains(width)) {
      findings.add(
          LintRule.LINK_WIDTH,
          width < 0 ? Severity.ERROR : LintRule.LINK_WIDTH.severity(),
          pci,
          "link_width",
          "is no number of lanes that PCI has");
    }
  }

  private void gpu(LintElement gpu) {
    if (gpu.number("dev", 0) < 0) {
      findings.add(LintRule.GPU_DEV_NEGATIVE, gpu, "dev", "is negative");
    }
    int sm = gpu.number("sm", 90);
    boolean isNumber = CNumber.parse(gpu.value("sm").orElse("90")).form() == CNumber.Form.NUMBER;
    if (isNumber && !GENERATIONS.contains(sm) && !ComputeCapability.isNewer(sm)) {
      findings.add(LintRule.GPU_SM, gpu, "sm", "is no compute capability times 10");
    }
    keep(gpu);
  }

  private void keep(LintElement device) {
    if (device.text("keep").equals("1")) {
      findings.add(LintRule.KEEP, device, "keep", "is NCCL's own mark");
    }
  }

  private void net(LintElement net) {
    keep(net);
    if (net.text("name").isEmpty()) {
      findings.add(LintRule.NET_WITHOUT_NAME, net, "has no name");
    }
    int speed = net.number("speed", MIN_NET_MBPS);
    if (speed <= 0) {
      findings.add(LintRule.NET_SPEED, net, "speed", "is no speed");
    } else if (speed < MIN_NET_MBPS) {
      findings.add(LintRule.NET_SPEED_UNIT, net, "speed", "are " + speed + " Mb/s");
    }
  }
}
