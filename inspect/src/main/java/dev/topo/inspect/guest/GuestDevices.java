package dev.topo.inspect.guest;

import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Optional;

/**
 * PCI devices visible to a virtual machine.
 *
 * @param source the file that lists them; empty if only a map is given
 * @param functions the listed devices, in order
 * @param dump the topology that NCCL would detect there without a file, if given
 */
public record GuestDevices(String source, List<PciFunction> functions, Optional<XmlElement> dump) {
  /** No information about the guest. */
  public static final GuestDevices NONE = new GuestDevices("", List.of(), Optional.empty());

  public GuestDevices {
    functions = List.copyOf(functions);
  }

  /** The dump, if it has GPUs and not only their PCI devices. */
  public Optional<XmlElement> dumpWithGpus() {
    return dump.filter(GuestDevices::hasGpu);
  }

  private static boolean hasGpu(XmlElement element) {
    return element.name().equals("gpu")
        || element.elements().stream().anyMatch(GuestDevices::hasGpu);
  }

  boolean isKnown() {
    return !source.isEmpty();
  }
}
