package dev.topo.inspect.fleet;

import dev.topo.inspect.compare.CanonicalForm;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.xml.XmlElement;
import dev.topo.model.xml.XmlReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reads the files of a fleet, several at once, and keeps of each only its form, so that thousands
 * need no memory. The answer does not depend on how many are read at once.
 */
public final class FleetReader {
  private FleetReader() {}

  /** What became of one file: its form, or a message. */
  private record Outcome(Path file, Optional<CanonicalForm> form, String message) {}

  /**
   * Reads files and groups them.
   *
   * @param done hears of each file that is read, on any thread
   */
  public static Fleet read(List<Path> files, Consumer<Path> done) {
    List<Outcome> outcomes =
        files.parallelStream()
            .map(
                file -> {
                  Outcome outcome = read(file);
                  done.accept(file);
                  return outcome;
                })
            .toList();
    Map<CanonicalForm, List<Path>> byForm = new LinkedHashMap<>();
    List<Fleet.Unreadable> unreadable = new ArrayList<>();
    for (Outcome outcome : outcomes) {
      if (outcome.form.isPresent()) {
        byForm.computeIfAbsent(outcome.form.get(), form -> new ArrayList<>()).add(outcome.file);
      } else {
        unreadable.add(new Fleet.Unreadable(outcome.file, outcome.message));
      }
    }
    List<Fleet.Group> groups = new ArrayList<>();
    byForm.forEach((form, of) -> groups.add(new Fleet.Group(form, of)));
    // The sort is stable: groups of one size stay in the order of their first files.
    groups.sort(Comparator.comparingInt(group -> -group.files().size()));
    return new Fleet(groups, unreadable);
  }

  private static Outcome read(Path file) {
    try {
      XmlElement system = new XmlReader().read(file).root();
      return new Outcome(file, Optional.of(CanonicalForm.of(system)), "");
    } catch (TopologyFormatException e) {
      return new Outcome(file, Optional.empty(), String.valueOf(e.getMessage()));
    }
  }
}
