package dev.topo.inspect.guest;

import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Optional;

/**
 * The PCI devices that a virtual machine sees.
 *
 * @param source the file that says so; empty where only a map is given
 * @param functions the devices that it names, in its order
 * @param dump the topology that NCCL would see there without a file, if it was given
 */
public record GuestDevices(String source, List<PciFunction> functions, Optional<XmlElement> dump) {
  /** Nothing is known. */
  public static final GuestDevices NONE = new GuestDevices("", List.of(), Optional.empty());

  public GuestDevices {
    functions = List.copyOf(functions);
  }

  /** The dump, if it has GPUs and not only their places. */
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
