package dev.topo.inspect.guest;

import dev.topo.inspect.guest.PciFunction.Kind;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Properties of the host's CPUs that apply in a virtual machine: vendor, family and model, and the
 * number of NUMA domains with devices. Numbers and masks of CPUs are the guest's own: from its dump
 * if that has a NUMA domain for each of the host's; otherwise the host's number with all CPUs of
 * the guest, or without a mask, in which case NCCL uses the guest's domain with the same number
 * ({@code nccl:src/graph/xml.cc#ncclTopoGetXmlFromCpu}).
 */
record GuestCpus(Map<String, XmlElement> guestByHost, OptionalInt vcpus, boolean hostMasks) {
  static GuestCpus of(
      XmlElement host, DevicePairing pairing, Optional<XmlElement> dump, OptionalInt vcpus) {
    int cpus =
        host.elements("cpu").stream()
            .mapToInt(cpu -> CpuMask.end(cpu.attribute("affinity").orElse("")))
            .max()
            .orElse(0);
    return new GuestCpus(
        dump.map(guest -> guestByHost(host, pairing, guest)).orElse(Map.of()),
        vcpus,
        vcpus.isPresent() && vcpus.getAsInt() == cpus);
  }

  /** Guest's NUMA domain for each of the host's, if there is one for each. */
  private static Map<String, XmlElement> guestByHost(
      XmlElement host, DevicePairing pairing, XmlElement guest) {
    Map<String, XmlElement> cpuOfDevice = new LinkedHashMap<>();
    for (XmlElement cpu : guest.elements("cpu")) {
      devices(cpu).forEach(busId -> cpuOfDevice.put(busId, cpu));
    }
    Map<String, String> ids = pairing.guestByHost();
    Map<String, XmlElement> found = new LinkedHashMap<>();
    Set<String> taken = new TreeSet<>();
    for (XmlElement cpu : host.elements("cpu")) {
      List<String> devices =
          devices(cpu).stream().flatMap(id -> Optional.ofNullable(ids.get(id)).stream()).toList();
      Set<String> domains =
          devices.stream()
              .map(cpuOfDevice::get)
              .map(other -> other == null ? "" : other.attribute("numaid").orElse(""))
              .collect(Collectors.toSet());
      if (devices.isEmpty()) {
        continue;
      }
      String domain = domains.iterator().next();
      XmlElement guestCpu = cpuOfDevice.get(devices.get(0));
      if (domains.size() != 1
          || !domain.matches("[0-9]+")
          || !taken.add(domain)
          || guestCpu == null) {
        return Map.of();
      }
      found.put(cpu.attribute("numaid").orElse(""), guestCpu);
    }
    return found;
  }

  private static List<String> devices(XmlElement cpu) {
    return PciTree.functions(cpu).stream()
        .filter(function -> function.kind() == Kind.GPU || function.kind() == Kind.NIC)
        .map(PciFunction::busId)
        .toList();
  }

  /** Attributes of one of the host's CPUs in the guest. */
  Map<String, String> attributes(XmlElement cpu) {
    Map<String, String> attributes = new LinkedHashMap<>(cpu.attributes());
    // NCCL overwrites it.
    attributes.remove("host_hash");
    XmlElement guestCpu = guestByHost.get(attributes.getOrDefault("numaid", ""));
    if (guestCpu != null) {
      attributes.put("numaid", guestCpu.attribute("numaid").orElse(""));
      guestCpu
          .attribute("affinity")
          .ifPresentOrElse(
              mask -> attributes.put("affinity", mask), () -> attributes.remove("affinity"));
    } else if (vcpus.isEmpty()) {
      attributes.remove("affinity");
    } else if (!hostMasks) {
      attributes.put("affinity", CpuMask.first(vcpus.getAsInt()));
    }
    return attributes;
  }

  /** Remark on the treatment of the masks. */
  String remark() {
    if (!guestByHost.isEmpty()) {
      return "numaid and affinity are those of the guest's own NUMA domains";
    }
    if (vcpus.isEmpty()) {
      return "affinity is left out: NCCL takes the CPUs of the guest's NUMA domain of the same number,"
          + " if there is one (--vcpus N writes all CPUs of the guest)";
    }
    return hostMasks
        ? "affinity is the host's, as the guest has as many CPUs"
        : "affinity is all " + vcpus.getAsInt() + " CPUs of the guest";
  }
}
