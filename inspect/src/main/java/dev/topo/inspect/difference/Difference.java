package dev.topo.inspect.difference;

import dev.topo.model.Labels;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Optional;

/**
 * Difference between two machines.
 *
 * @param kind kind of difference
 * @param places parts with this difference, at least one
 * @param property the differing property, as in {@code link_width}; empty for missing or added
 *     parts
 * @param before value in the first machine
 * @param after value in the second machine
 * @param sentence the difference as a sentence
 * @param edit edit that adds this difference alone to the first machine
 */
public record Difference(
    Kind kind,
    List<Place> places,
    String property,
    String before,
    String after,
    String sentence,
    TreeEdit edit) {
  /** Kinds of differences between two machines. */
  public enum Kind {
    /** A device, switch or CPU that the second machine lacks. */
    MISSING,
    /** A device, switch or CPU that the first machine lacks. */
    ADDED,
    /** A part below another switch or CPU. */
    MOVED,
    /** An attribute with another value. */
    ATTRIBUTE,
    /** Other NVLinks of a device, or other links of a switch to switches. */
    LINKS,
    /** GPUs or ports numbered in another order. */
    NUMBERED,
    /** Other ports that share a card. */
    CARD;

    /** Name in JSON. */
    public String label() {
      return Labels.of(this);
    }
  }

  /**
   * Differing part with its locations.
   *
   * @param name its name in messages, with the number, name or bus id of the first machine: {@code
   *     GPU 3}
   * @param inA start in the first file, if present
   * @param inB start in the second file, if present
   */
  public record Place(String name, Optional<SourceLocation> inA, Optional<SourceLocation> inB) {}

  /** Copies the places and checks that there is at least one. */
  public Difference {
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("a difference needs a place");
    }
  }

  /**
   * First machine with this difference alone.
   *
   * @param systemA the same element instance that was compared
   */
  public XmlElement applyTo(XmlElement systemA) {
    return edit.applyTo(systemA);
  }

  @Override
  public String toString() {
    return sentence;
  }
}
