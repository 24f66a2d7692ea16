package dev.topo.hw.probe;

import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlReader;
import dev.topo.model.xml.XmlWriter;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Topology that the operator of a virtual machine provides for NCCL, as stored in a capture: the
 * elements and attributes that NCCL reads, with well-formed values.
 */
record CapturedTopology(Anonymizer names) {
  /** Text without XML, in place of a file that is not XML. */
  private static final String NOT_XML = "not XML\n";

  private static final Vocabulary KNOWN = Vocabulary.TOPOLOGY;

  private static final Pattern VALUE =
      Pattern.compile(
          "-?\\d{1,9}(?:\\.\\d{1,6})?|0x[0-9a-fA-F]{1,8}"
              + "|\\d{1,3}(?:\\.\\d{1,2})? GT/s(?: PCIe)?|Unknown(?: speed)?"
              + "|[0-9a-fA-F]{4,8}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]"
              + "|x86_64|arm64|ppc64|GenuineIntel|AuthenticAMD|CentaurHauls| *Shanghai *");

  private static final Pattern GUID = Pattern.compile("0x[0-9a-fA-F]{1,16}");

  /** Captured text of a file. */
  String text(String content) {
    try {
      XmlElement root =
          new XmlReader()
              .read(content.getBytes(StandardCharsets.ISO_8859_1), "virtualTopology.xml")
              .root();
      return KNOWN.isElement(root.name()) ? XmlWriter.write(element(root)) : NOT_XML;
    } catch (TopologyFormatException e) {
      return NOT_XML;
    }
  }

  private XmlElement element(XmlElement read) {
    Map<String, String> attributes = new LinkedHashMap<>();
    read.attributes()
        .forEach(
            (name, value) -> {
              if (KNOWN.isAttribute(read.name(), name)) {
                value(read.name(), name, value).ifPresent(kept -> attributes.put(name, kept));
              }
            });
    return read.with(
        attributes,
        read.elements().stream()
            .filter(child -> KNOWN.isElement(child.name()))
            .map(this::element)
            .toList());
  }

  private Optional<String> value(String element, String name, String value) {
    return switch (name) {
      // NCCL creates a new one for each run.
      case "host_hash" -> Optional.empty();
      case "name" ->
          element.equals("net") ? Optional.of(names.deviceName(value)) : Optional.empty();
      case "guid" ->
          GUID.matcher(value).matches()
              ? Optional.of(
                  "0x"
                      + Integer.toHexString(
                          names.card(Long.parseUnsignedLong(value.substring(2), 16))))
              : Optional.empty();
      case "affinity" -> Optional.of(CapturedText.cpuMask(value)).filter(mask -> !mask.isEmpty());
      default -> Optional.of(value).filter(text -> VALUE.matcher(text).matches());
    };
  }
}
