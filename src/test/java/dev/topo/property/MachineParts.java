package dev.topo.property;

import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.ArrayList;
import java.util.List;

/**
 * The devices of a file, with what edits need of them.
 *
 * @param gpus the GPUs
 * @param ports the network ports
 * @param places switches and CPUs, as edits name them
 */
record MachineParts(List<Gpu> gpus, List<Port> ports, List<String> places) {
  /**
   * A GPU.
   *
   * @param dev its number
   * @param lanes of its PCI link
   * @param nvlinks the counts of its NVLinks
   */
  record Gpu(String dev, int lanes, List<Integer> nvlinks) {
    Gpu {
      nvlinks = List.copyOf(nvlinks);
    }
  }

  /**
   * A network port.
   *
   * @param name its name
   * @param isAlone whether its card has no other
   * @param speed in Mb/s
   * @param lanes of the card
   */
  record Port(String name, boolean isAlone, int speed, int lanes) {}

  MachineParts {
    gpus = List.copyOf(gpus);
    ports = List.copyOf(ports);
    places = List.copyOf(places);
  }

  static MachineParts of(XmlElement system) {
    List<Gpu> gpus = new ArrayList<>();
    List<Port> ports = new ArrayList<>();
    List<String> places = new ArrayList<>();
    collect(system, gpus, ports, places);
    return new MachineParts(gpus, ports, places);
  }

  private static void collect(
      XmlElement element, List<Gpu> gpus, List<Port> ports, List<String> places) {
    for (XmlElement child : element.elements()) {
      switch (child.name()) {
        case "gpu" -> gpus.add(gpu(element, child));
        case "nic" -> card(element, child, ports);
        case "cpu" -> places.add("cpu:" + value(child, "numaid"));
        case "pci" -> {
          if (child.elements().stream().allMatch(below -> below.name().equals("pci"))) {
            places.add("switch:" + value(child, "busid"));
          }
        }
        default -> {}
      }
      collect(child, gpus, ports, places);
    }
  }

  private static Gpu gpu(XmlElement device, XmlElement gpu) {
    return new Gpu(
        value(gpu, "dev"),
        number(value(device, "link_width")),
        gpu.elements("nvlink").stream().map(link -> number(value(link, "count"))).toList());
  }

  private static void card(XmlElement device, XmlElement card, List<Port> ports) {
    List<XmlElement> all = card.elements("net");
    for (XmlElement port : all) {
      ports.add(
          new Port(
              value(port, "name"),
              all.size() == 1,
              number(value(port, "speed")),
              number(value(device, "link_width"))));
    }
  }

  private static String value(XmlElement element, String name) {
    return element.attribute(name).orElse("");
  }

  private static int number(String text) {
    return text.isEmpty() ? 0 : Integer.parseInt(text);
  }
}
