package dev.topo.model.edit;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.GpuSelection;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlElement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;

/**
 * Values that one part only may have: the {@code numaid} of a CPU on its host, the {@code rank} of
 * a GPU where all GPUs of the job state one. The reader says of the second in the file that it is
 * one too many, whichever an edit made so; this says it of the edit. What the reader accepts, or
 * refuses without any edit, is left to it.
 */
final class OwnValues {
  private final List<Edit> edits;
  private final List<XmlElement> cpus = new ArrayList<>();
  private final List<XmlElement> gpus = new ArrayList<>();
  private final GpuSelection selection;

  private OwnValues(XmlElement system, List<Edit> edits, GpuSelection selection) {
    this.edits = edits;
    this.selection = selection;
    List<XmlElement> all = new ArrayList<>();
    collect(system, "gpu", all);
    select(all);
    collect(system, "cpu", cpus);
    cpus.removeIf(cpu -> !isUsed(cpu));
  }

  /**
   * Looks at a machine after all edits: on the way two may have the same, as when they change
   * places.
   *
   * @throws TopologyFormatException if an edit gave a part what another has
   */
  static void check(XmlElement system, List<Edit> edits, GpuSelection selection) {
    OwnValues values = new OwnValues(system, edits, selection);
    values.check(values.cpus, "numaid", OwnValues::host);
    if (values.gpus.stream().allMatch(gpu -> number(gpu, "rank").orElse(-1) >= 0)) {
      values.check(values.gpus, "rank", gpu -> "");
    }
  }

  private static void collect(XmlElement element, String name, List<XmlElement> into) {
    for (XmlElement child : element.elements()) {
      if (Vocabulary.TOPOLOGY.isReadInside(element.name(), child.name())) {
        if (child.name().equals(name)) {
          into.add(child);
        } else {
          collect(child, name, into);
        }
      }
    }
  }

  /** Keeps the GPUs of the job; one without {@code dev} counts by its rank or place. */
  private void select(List<XmlElement> all) {
    for (int i = 0; i < all.size(); i++) {
      XmlElement gpu = all.get(i);
      OptionalInt dev = number(gpu, gpu.attribute("dev").isPresent() ? "dev" : "rank");
      if (selection.contains(dev.orElse(i))) {
        gpus.add(gpu);
      }
    }
  }

  /** Whether something of the job is below a CPU: others are dropped. */
  private boolean isUsed(XmlElement cpu) {
    List<XmlElement> below = new ArrayList<>();
    collect(cpu, "gpu", below);
    below.retainAll(gpus);
    collect(cpu, "net", below);
    return !below.isEmpty();
  }

  private void check(
      List<XmlElement> elements, String attribute, Function<XmlElement, String> group) {
    Map<String, XmlElement> owners = new HashMap<>();
    for (XmlElement element : elements) {
      OptionalInt value = number(element, attribute);
      if (value.isPresent()) {
        String key = group.apply(element) + " " + value.getAsInt();
        XmlElement other = owners.put(key, element);
        if (other != null) {
          madeBy(element, attribute)
              .or(() -> madeBy(other, attribute))
              .ifPresent(edit -> refuse(edit, element, attribute));
        }
      }
    }
  }

  /** The last edit that gave an element, or one like it, its value. */
  private Optional<SourceLocation> madeBy(XmlElement element, String attribute) {
    String value = element.attribute(attribute).orElse("");
    return edits.stream()
        .filter(
            edit ->
                edit instanceof Edit.SetAttribute set
                        && set.attribute().equals(attribute)
                        && set.value().equals(value)
                    || edit instanceof Edit.Add add
                        && add.location().equals(element.location())
                        && add.attributes().containsKey(attribute))
        .map(Edit::location)
        .reduce((first, last) -> last);
  }

  private static void refuse(SourceLocation edit, XmlElement element, String attribute) {
    throw new TopologyFormatException(
        edit,
        "<"
            + element.name()
            + ">: attribute "
            + attribute
            + "=\""
            + element.attribute(attribute).orElse("")
            + "\" is that of another one too, expected a value of its own");
  }

  /** An attribute as a number, as the reader takes it; empty where it is none. */
  private static OptionalInt number(XmlElement element, String attribute) {
    try {
      return OptionalInt.of(Integer.decode(element.attribute(attribute).orElse("")));
    } catch (NumberFormatException e) {
      return OptionalInt.empty();
    }
  }

  /** The hash of a CPU's host: its leading hexadecimal digits. */
  private static String host(XmlElement cpu) {
    String hash = cpu.attribute("host_hash").orElse("").toLowerCase(Locale.ROOT);
    return hash.replaceFirst("^(0x)?0*", "").replaceFirst("[^0-9a-f].*", "");
  }
}
