package dev.topo.inspect.caveat;

import dev.topo.inspect.caveat.CaveatJob.Subject;
import dev.topo.model.GpuNode;
import dev.topo.model.QuantityFormat;
import dev.topo.model.SwitchedGpu;
import dev.topo.model.xml.XmlElement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** GPUs without NVLink in a file whose model always has some, or usually. */
final class MissingNvlinks {
  private MissingNvlinks() {}

  /** A caveat for each model among the GPUs that take part. */
  static List<Caveat> of(Subject machine) {
    Set<Integer> selected =
        machine.topology().gpus().stream().map(GpuNode::dev).collect(Collectors.toSet());
    Map<SwitchedGpu, List<Integer>> found = new LinkedHashMap<>();
    collect(machine.file(), selected, found);
    List<Caveat> caveats = new ArrayList<>();
    if (machine.topology().gpus().size() > 1) {
      found.forEach((gpu, devs) -> caveats.add(caveat(machine.name(), gpu, devs)));
    }
    return caveats;
  }

  private static Caveat caveat(String name, SwitchedGpu gpu, List<Integer> devs) {
    ModelLimit limit = gpu.isCertain() ? ModelLimit.MISSING_NVLINK : ModelLimit.POSSIBLE_NVLINK;
    String subject =
        "%s, %s x %s (dev %s)"
            .formatted(name, devs.size(), gpu.model(), QuantityFormat.ranges(devs));
    return limit.about(subject, gpu.model().toLowerCase(Locale.ROOT));
  }

  private static void collect(
      XmlElement element, Set<Integer> selected, Map<SwitchedGpu, List<Integer>> found) {
    for (XmlElement child : element.elements()) {
      if (child.name().equals("gpu") && child.elements("nvlink").isEmpty()) {
        String device = element.attribute("device").orElse("").toLowerCase(Locale.ROOT);
        int dev = number(child.attribute("dev").orElse(""));
        SwitchedGpu.of(device, child.attribute("sm").orElse(""))
            .filter(gpu -> selected.contains(dev))
            .ifPresent(gpu -> found.computeIfAbsent(gpu, g -> new ArrayList<>()).add(dev));
      }
      collect(child, selected, found);
    }
  }

  private static int number(String text) {
    return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : -1;
  }
}
