package dev.topo.simulator.calibration;

import dev.topo.model.io.ResourceTable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/** The calibrations of one kind that come with topo. Each is read once. */
public final class ShippedCalibrations<C> {
  private final Class<?> owner;
  private final List<String> names;
  private final BiFunction<String, String, C> reader;
  private final Map<String, C> known = new ConcurrentHashMap<>();

  /**
   * Calibrations in files {@code NAME.properties}.
   *
   * @param owner a class that the files lie beside
   * @param reader reads a text; also takes the name of the file for messages
   */
  public ShippedCalibrations(
      Class<?> owner, List<String> names, BiFunction<String, String, C> reader) {
    this.owner = owner;
    this.names = names;
    this.reader = reader;
  }

  /** The calibration of a name; empty if none comes with topo. */
  public Optional<C> find(String name) {
    return names.contains(name)
        ? Optional.of(known.computeIfAbsent(name, this::read))
        : Optional.empty();
  }

  /** All that come with topo, in the order of their names in the list. */
  public List<C> all() {
    return names.stream().flatMap(name -> find(name).stream()).toList();
  }

  private C read(String name) {
    String file = name + ".properties";
    return reader.apply(ResourceTable.text(owner, file), file);
  }
}
