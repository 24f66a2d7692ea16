package dev.topo.search.tuning;

import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.operation.Collective;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The value of NCCL_ALGO, NCCL_PROTO or NCCL_SYM_KERNEL: which elements each collective may use
 * ({@code parseList}, {@code nccl:src/graph/tuning.cc}). {@code ring,tree} allows two elements and
 * no other, {@code ^tree} all but one. Such a list counts for all collectives, or for one whose
 * name precedes it: {@code ring;allreduce:tree,ring;broadcast:^tree}. The last list that names a
 * collective wins.
 */
final class ElementList {
  private final String setting;
  private final String value;
  private final List<String> elements;
  private final boolean knownNamesOnly;

  /** The elements that are allowed for a collective, if the user states any. */
  private final Map<Collective, BitSet> stated = new EnumMap<>(Collective.class);

  /** The collectives for which a list has an element. */
  private final Set<Collective> named = EnumSet.noneOf(Collective.class);

  private ElementList(String setting, String value, List<String> elements, boolean knownNamesOnly) {
    this.setting = setting;
    this.value = value;
    this.elements = elements;
    this.knownNamesOnly = knownNamesOnly;
  }

  /**
   * The list in a setting; all elements are allowed if it is not set.
   *
   * @param byCollective whether lists may be for one collective and names must be known; if not,
   *     the value is one list, in which unknown names count for nothing
   * @throws SettingException if NCCL would not start with it
   */
  static ElementList of(
      String setting, NcclSettings settings, List<String> elements, boolean byCollective) {
    String value = settings.text(setting).orElse("");
    ElementList list = new ElementList(setting, value, elements, byCollective);
    if (!byCollective) {
      if (settings.text(setting).isPresent()) {
        list.applyToAll(value);
      }
      return list;
    }
    List<String> entries = tokens(value, ";");
    for (int e = 0; e < entries.size(); e++) {
      // NCCL compares the place in the text: after a leading semicolon nothing is the first.
      list.apply(entries.get(e), e == 0 && !value.startsWith(";"));
    }
    return list;
  }

  /** True if a collective may use the element with this number. */
  boolean allows(Collective collective, int element) {
    BitSet allowed = stated.get(collective);
    return allowed == null || allowed.get(element);
  }

  /** True if the user states a list, be it for no collective. */
  boolean isStated() {
    return !value.isEmpty();
  }

  /** True if the user states anything for a collective. */
  boolean isStatedFor(Collective collective) {
    return stated.containsKey(collective);
  }

  /** True if the user states an element for a collective: not by {@code ^} alone. */
  boolean isNamedFor(Collective collective) {
    return named.contains(collective);
  }

  /** Like C's {@code strtok}: separators that follow each other count as one. */
  private static List<String> tokens(String text, String separator) {
    return Stream.of(text.split(separator, -1)).filter(token -> !token.isEmpty()).toList();
  }

  private void apply(String entry, boolean first) {
    List<String> parts = tokens(entry, ":");
    if (parts.isEmpty()) {
      throw bad("entry '" + entry + "'", "a list as in ring,tree or allreduce:ring,tree");
    }
    if (parts.size() == 1) {
      if (!first) {
        throw bad("entry '" + entry + "'", "a collective before every list but the first");
      }
      applyToAll(parts.get(0));
      return;
    }
    Optional<Collective> collective = Collective.ofLabel(parts.get(0));
    apply(
        parts.get(1),
        collective.orElseThrow(
            () ->
                bad(
                    "collective '" + parts.get(0) + "'",
                    Arrays.stream(Collective.values()).map(Collective::label).toList())));
  }

  private void applyToAll(String list) {
    for (Collective collective : Collective.values()) {
      apply(list, collective);
    }
  }

  private void apply(String list, Collective collective) {
    boolean except = list.startsWith("^");
    BitSet allowed = new BitSet();
    List<String> names = tokens(except ? list.substring(1) : list, ",");
    names.forEach(name -> number(name, allowed));
    if (!names.isEmpty()) {
      named.add(collective);
    }
    if (except) {
      allowed.flip(0, elements.size());
    }
    stated.put(collective, allowed);
  }

  private void number(String name, BitSet numbers) {
    IntStream.range(0, elements.size())
        .filter(e -> elements.get(e).equalsIgnoreCase(name))
        .findFirst()
        .ifPresentOrElse(
            numbers::set,
            () -> {
              if (knownNamesOnly) {
                throw bad("element '" + name + "'", elements);
              }
            });
  }

  private SettingException bad(String what, Object expected) {
    return new SettingException(
        "setting " + setting + "=" + value + ": " + what + ", expected " + expected);
  }
}
