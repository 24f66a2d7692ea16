package dev.topo.verify;

import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A machine with the GPUs that take part in a job and their ranks, as NCCL has it once all ranks of
 * the host have met.
 *
 * @param devices the PCI devices of the GPUs, in the order of their ranks
 */
record RankedSystem(List<String> devices) {
  /** Parts of a bus id before the function, {@code 0000:18:00}, in which all spellings agree. */
  private static final int DEVICE_LENGTH = "0000:18:00".length();

  /**
   * The machine with these GPUs only.
   *
   * @param busIds of the GPUs, in the order of their ranks
   */
  static XmlElement of(XmlElement system, List<String> busIds) {
    return new RankedSystem(busIds.stream().map(RankedSystem::device).toList()).ranked(system, "");
  }

  private XmlElement ranked(XmlElement element, String busId) {
    String own = element.attribute("busid").orElse(busId);
    List<XmlNode> children =
        element.children().stream().flatMap(child -> ranked(child, own)).toList();
    Map<String, String> attributes = new LinkedHashMap<>(element.attributes());
    if (element.name().equals("gpu")) {
      attributes.put("rank", String.valueOf(devices.indexOf(device(busId))));
    }
    return new XmlElement(element.name(), attributes, children, element.location());
  }

  private Stream<XmlNode> ranked(XmlNode node, String busId) {
    if (!(node instanceof XmlElement element)) {
      return Stream.of(node);
    }
    boolean absent = element.name().equals("gpu") && !devices.contains(device(busId));
    return absent ? Stream.empty() : Stream.of(ranked(element, busId));
  }

  private static String device(String busId) {
    String lower = busId.toLowerCase(Locale.ROOT);
    return lower.length() > DEVICE_LENGTH ? lower.substring(0, DEVICE_LENGTH) : lower;
  }
}
