package dev.topo.inspect.difference;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.xml.XmlDocument.XmlElement;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A difference between two machines.
 *
 * @param kind what sort of difference it is
 * @param places the parts that have this difference, at least one
 * @param property what differs about them, as in {@code link_width}; empty where they are missing
 *     or added
 * @param before how it is in the first machine
 * @param after how it is in the second
 * @param sentence the difference as a sentence
 * @param edit what turns the first machine into one with this difference and no other
 */
public record Difference(
    Kind kind,
    List<Place> places,
    String property,
    String before,
    String after,
    String sentence,
    TreeEdit edit) {
  /** The kinds of differences between two machines. */
  public enum Kind {
    /** A device, a switch or a CPU is not in the second machine. */
    MISSING,
    /** A device, a switch or a CPU is not in the first machine. */
    ADDED,
    /** It hangs off another switch or CPU. */
    MOVED,
    /** An attribute has another value. */
    ATTRIBUTE,
    /** A device has other NVLinks, or a switch other links to switches. */
    LINKS,
    /** GPUs or ports are numbered in another order. */
    NUMBERED,
    /** Other ports share a card. */
    CARD;

    /** Name in JSON. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * A part that differs and its location.
   *
   * @param name its name in messages, with the number, name or bus id of the first machine: {@code
   *     GPU 3}
   * @param inA where it begins in the first file, if it is there
   * @param inB where it begins in the second file, if it is there
   */
  public record Place(String name, Optional<SourceLocation> inA, Optional<SourceLocation> inB) {}

  /** Copies the places and checks that there is one. */
  public Difference {
    places = List.copyOf(places);
    if (places.isEmpty()) {
      throw new IllegalArgumentException("a difference needs a place");
    }
  }

  /**
   * The first machine with this difference and no other.
   *
   * @param systemA the very element that was compared
   */
  public XmlElement applyTo(XmlElement systemA) {
    return edit.applyTo(systemA);
  }

  @Override
  public String toString() {
    return sentence;
  }
}
