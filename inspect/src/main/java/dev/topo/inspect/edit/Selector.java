package dev.topo.inspect.edit;

import dev.topo.model.Labels;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Name of parts of a machine, as in {@code net:mlx5_3}, {@code gpu:0} or {@code cpu:*}.
 *
 * @param kind kind of part
 * @param value identifier in the terms of its kind; {@code *} matches any characters
 * @param location location in the source
 */
record Selector(Kind kind, String value, SourceLocation location) {
  /** Kinds of parts that can be edited. */
  public enum Kind {
    /** A NUMA domain, by {@code numaid}. */
    CPU("numaid, as in cpu:0"),
    /** Any PCI device, by bus id. */
    PCI("bus id, as in pci:0000:18:00.0"),
    /** A PCI switch, by bus id. */
    SWITCH("bus id, as in switch:0000:18:00.0"),
    /** A GPU, by {@code dev} or bus id. */
    GPU("dev, as in gpu:0"),
    /**
     * A network card with all its ports, by the name or {@code dev} of one of them or by bus id.
     */
    NIC("name, dev or bus id, as in nic:mlx5_3"),
    /** A network port, by name or {@code dev}. */
    NET("name or dev, as in net:mlx5_3"),
    /** The NVLinks of a GPU, by its {@code dev}, or between two GPUs, as in {@code 0-3}. */
    NVLINK("dev or two of them, as in nvlink:0-3");

    private final String expected;

    Kind(String expected) {
      this.expected = expected;
    }

    /** Word before the colon. */
    String word() {
      return Labels.of(this);
    }

    /** Syntax after the colon. */
    String expected() {
      return expected;
    }

    static Optional<Kind> ofWord(String word) {
      return Labels.exact(values(), Kind::word, word);
    }
  }

  /**
   * Parses a selector.
   *
   * @throws TopologyFormatException if the text is not a selector, with what was expected
   */
  static Selector parse(String text, SourceLocation location) {
    int colon = text.indexOf(':');
    Optional<Kind> kind =
        colon < 0
            ? Optional.empty()
            : Kind.ofWord(text.substring(0, colon).toLowerCase(Locale.ROOT));
    if (kind.isEmpty()) {
      String words =
          Arrays.stream(Kind.values()).map(k -> k.word() + ":").collect(Collectors.joining(", "));
      throw new TopologyFormatException(
          location, "'" + text + "': expected a part of the machine that begins with " + words);
    }
    String value = text.substring(colon + 1);
    if (value.isEmpty()) {
      throw new TopologyFormatException(
          location, "'" + text + "': expected " + kind.get().expected());
    }
    return new Selector(kind.get(), value, location);
  }

  /** True if this selector matches a name; {@code *} matches any characters. */
  boolean matches(String candidate) {
    String regex =
        Arrays.stream(value.split("\\*", -1)).map(Pattern::quote).collect(Collectors.joining(".*"));
    return Pattern.compile(regex, Pattern.DOTALL).matcher(candidate).matches();
  }

  /** Error that names this selector. */
  TopologyFormatException error(String message) {
    return new TopologyFormatException(location, this + message);
  }

  /** True if the selector may name several parts. */
  boolean isPattern() {
    return value.contains("*");
  }

  /** Text that {@link #parse} reads. */
  @Override
  public String toString() {
    return kind.word() + ":" + value;
  }
}
