package dev.topo.inspect.lint;

import dev.topo.inspect.lint.TopologyIndex.Device;
import dev.topo.model.ComputeCapability;
import dev.topo.model.SwitchedGpu;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.xml.PciClass;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Rules for NVLinks, C2C links and links between PCI switches: their targets and bandwidths. */
final class LinkRules {
  private final TopologyIndex index;
  private final Findings findings;
  private final Map<String, Device> gpuByBusId = new HashMap<>();
  private final Map<String, Integer> countByEnds = new HashMap<>();
  private final Map<Device, Integer> countByGpu = new LinkedHashMap<>();
  private final List<Peer> peers = new ArrayList<>();

  LinkRules(TopologyIndex index, Findings findings) {
    this.index = index;
    this.findings = findings;
  }

  /** Link from one GPU of the file to another. */
  private record Peer(String from, String to, LintElement link) {}

  void check() {
    for (Device gpu : index.gpus()) {
      gpuByBusId.putIfAbsent(gpu.host() + gpu.busId(), gpu);
    }
    for (Device gpu : index.gpus()) {
      countByGpu.put(gpu, 0);
      gpu.element().elements("nvlink").forEach(link -> nvlink(gpu, link));
      gpu.element().elements("c2c").forEach(this::c2c);
    }
    peers.forEach(this::checkReverse);
    totals();
    missingEverywhere();
    domain();
    pciLinks();
  }

  /**
   * Reports GPUs whose model has NVLinks if the file has no NVLink at all; otherwise {@link
   * #totals} reports GPUs without one.
   */
  private void missingEverywhere() {
    if (index.gpus().size() < 2
        || index.gpus().stream().anyMatch(gpu -> !gpu.element().elements("nvlink").isEmpty())) {
      return;
    }
    for (Device gpu : countByGpu.keySet()) {
      String device = gpu.pci().map(pci -> pci.text("device")).orElse("");
      SwitchedGpu.of(device.toLowerCase(Locale.ROOT), gpu.element().text("sm"))
          .ifPresent(
              model ->
                  findings.add(
                      LintRule.NVLINK_AT_RUN_TIME,
                      model.isCertain() ? Severity.WARNING : Severity.NOTE,
                      gpu.element(),
                      "has no NVLink, %s (--assume gpu=%s,nvlink=nvswitch)"
                          .formatted(
                              model.isCertain()
                                  ? "but every " + model.model() + " has"
                                  : "but may be a " + model.model(),
                              model.model().toLowerCase(Locale.ROOT))));
    }
  }

  /**
   * Reports a machine with Arm CPUs and NVSwitches: such machines come in racks whose NVSwitches
   * join the GPUs of all nodes.
   */
  private void domain() {
    long hosts = countByGpu.keySet().stream().map(Device::host).distinct().count();
    countByGpu.keySet().stream()
        .filter(gpu -> gpu.cpu().filter(cpu -> cpu.text("arch").equals("arm64")).isPresent())
        .flatMap(gpu -> gpu.element().elements("nvlink").stream())
        .filter(link -> PciClass.of(link.text("tclass")) == PciClass.NVSWITCH)
        .filter(link -> hosts == 1)
        .limit(1)
        .forEach(
            link ->
                findings.add(
                    LintRule.NVLINK_DOMAIN,
                    link,
                    "joins a GPU of a machine with CPUs of Arm to NVSwitch"));
  }

  private void nvlink(Device gpu, LintElement link) {
    if (findings.require(link, "count") && link.number("count", 0) < 1) {
      findings.add(LintRule.NVLINK_COUNT, link, "count", "is no number of links");
    }
    int count = Math.max(0, link.number("count", 0));
    countByGpu.merge(gpu, count, Integer::sum);
    // NCCL compares targets as numbers: leading zeros of the domain do not count.
    String target =
        link.text("target").toLowerCase(Locale.ROOT).replaceFirst("^0000([0-9a-f]{4}:)", "$1");
    String key = gpu.host() + target;
    String tclass = link.text("tclass");
    if (link.attribute("tclass").isEmpty()) {
      if (!findings.require(link, "target")) {
        return;
      }
      findings.add(LintRule.NVLINK_NO_TCLASS, link, "attribute tclass is missing");
      tclass = gpuByBusId.containsKey(key) ? "0x03" : "0x068000";
    }
    PciClass kind = PciClass.of(tclass);
    if (kind != PciClass.GPU) {
      if (kind != PciClass.NVSWITCH && kind != PciClass.CPU) {
        findings.add(LintRule.NVLINK_TCLASS, link, "tclass", "is no GPU, NVSwitch or CPU bridge");
      }
      return;
    }
    if (!findings.require(link, "target")) {
      return;
    }
    String from = gpu.host() + gpu.busId();
    if (from.equals(key)) {
      findings.add(LintRule.NVLINK_SELF, link, "target", "is the GPU itself");
    } else if (!gpuByBusId.containsKey(key)) {
      findings.add(LintRule.NVLINK_DANGLING, link, "target", "is no GPU of the file");
    } else {
      countByEnds.merge(from + ">" + key, count, Integer::sum);
      peers.add(new Peer(from, key, link));
    }
  }

  private void checkReverse(Peer peer) {
    int out = countByEnds.getOrDefault(peer.from + ">" + peer.to, 0);
    Integer back = countByEnds.get(peer.to + ">" + peer.from);
    if (back == null || (back == 0 && out > 0)) {
      findings.add(
          LintRule.NVLINK_ONE_SIDED, peer.link, "target", "does not list a link back to this GPU");
    } else if (out > back && out > 0) {
      String message = "is " + out + " in all, the other end lists " + back;
      findings.add(LintRule.NVLINK_UNEQUAL_ENDS, peer.link, "count", message);
    }
  }

  private void c2c(LintElement link) {
    for (String attribute : List.of("bw", "count")) {
      if (findings.require(link, attribute) && link.number(attribute, 0) < 1) {
        findings.add(LintRule.C2C_VALUE, link, attribute, "makes a link without bandwidth");
      }
    }
  }

  private void totals() {
    Map<Integer, Integer> maxBySm = new HashMap<>();
    countByGpu.forEach((gpu, count) -> maxBySm.merge(gpu.number("sm", 0), count, Math::max));
    countByGpu.forEach(
        (gpu, count) -> {
          int sm = gpu.number("sm", 0);
          int max = maxBySm.getOrDefault(sm, 0);
          String has = "has " + count + " NVLinks, ";
          if (sm > 0
              && !ComputeCapability.isNewer(sm)
              && count > ComputeCapability.maxNvlinks(sm)) {
            String message =
                has + "expected at most " + ComputeCapability.maxNvlinks(sm) + " at sm " + sm;
            findings.add(LintRule.NVLINK_MANY, gpu.element(), message);
          }
          if (count == 0 && max > 0) {
            String message = "has no NVLink, others have " + max;
            findings.add(LintRule.NVLINK_MISSING, gpu.element(), message);
          } else if (count < max) {
            String message = has + "others of its kind have " + max;
            findings.add(LintRule.NVLINK_UNEVEN, gpu.element(), message);
          }
        });
  }

  private void pciLinks() {
    for (Device device : index.pcis()) {
      LintElement pci = device.element();
      boolean isBridge =
          pci.elements("gpu").isEmpty()
              && pci.elements("nic").isEmpty()
              && PciClass.of(pci.text("class")) == PciClass.PCI;
      for (LintElement link : pci.elements("pcilink")) {
        if (!isBridge) {
          findings.add(LintRule.PCILINK_PARENT, link, "is in a pci that is no bridge");
        } else if (findings.require(link, "target")) {
          String target = link.text("target");
          boolean known =
              index.pcis().stream()
                  .anyMatch(other -> target.equalsIgnoreCase(other.element().text("busid")));
          if (!known) {
            findings.add(
                LintRule.PCILINK_DANGLING, Severity.NOTE, link, "target", "is no pci of the file");
          }
        }
      }
    }
  }
}
