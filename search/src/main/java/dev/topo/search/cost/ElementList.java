package dev.topo.search.cost;

import dev.topo.model.operation.Collective;
import dev.topo.model.settings.NcclSettings;
import dev.topo.model.settings.SettingException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.StringTokenizer;

/**
 * The value of NCCL_ALGO or NCCL_PROTO: which elements each collective may use ({@code parseList},
 * {@code nccl:src/graph/tuning.cc}). {@code ring,tree} allows two elements and no other, {@code
 * ^tree} all but one. Such a list counts for all collectives, or for one whose name stands before
 * it: {@code ring;allreduce:tree,ring;broadcast:^tree}. The last list that names a collective wins.
 */
final class ElementList {
  private final String setting;
  private final String value;
  private final List<String> elements;
  private final Map<Collective, boolean[]> allowed = new EnumMap<>(Collective.class);
  private final Set<Collective> stated = EnumSet.noneOf(Collective.class);

  private ElementList(String setting, String value, List<String> elements) {
    this.setting = setting;
    this.value = value;
    this.elements = elements;
    boolean[] all = new boolean[elements.size()];
    Arrays.fill(all, true);
    for (Collective collective : Collective.values()) {
      allowed.put(collective, all);
    }
  }

  /**
   * The list in a setting; all elements are allowed if it is not set.
   *
   * @throws SettingException if NCCL would not start with it
   */
  static ElementList of(String setting, NcclSettings settings, List<String> elements) {
    String value = settings.text(setting).orElse("");
    ElementList list = new ElementList(setting, value, elements);
    List<String> entries = tokens(value, ";");
    for (int e = 0; e < entries.size(); e++) {
      // NCCL compares the place in the text: after a leading semicolon nothing is the first.
      list.apply(entries.get(e), e == 0 && !value.startsWith(";"));
    }
    return list;
  }

  /** Whether a collective may use the element with this number. */
  boolean allows(Collective collective, int element) {
    return Objects.requireNonNull(allowed.get(collective))[element];
  }

  /** Whether the user states anything for a collective. */
  boolean isStatedFor(Collective collective) {
    return stated.contains(collective);
  }

  /** Like C's {@code strtok}: separators that follow each other count as one. */
  private static List<String> tokens(String text, String separator) {
    List<String> tokens = new ArrayList<>();
    StringTokenizer tokenizer = new StringTokenizer(text, separator);
    while (tokenizer.hasMoreTokens()) {
      tokens.add(tokenizer.nextToken());
    }
    return tokens;
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
      for (Collective collective : Collective.values()) {
        apply(parts.get(0), collective);
      }
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

  private void apply(String list, Collective collective) {
    boolean except = list.startsWith("^");
    boolean[] row = new boolean[elements.size()];
    stated.add(collective);
    Arrays.fill(row, except);
    for (String name : tokens(except ? list.substring(1) : list, ",")) {
      row[number(name)] = !except;
    }
    allowed.put(collective, row);
  }

  private int number(String name) {
    for (int e = 0; e < elements.size(); e++) {
      if (elements.get(e).equalsIgnoreCase(name)) {
        return e;
      }
    }
    throw bad("element '" + name + "'", elements);
  }

  private SettingException bad(String what, Object expected) {
    return new SettingException(
        "setting " + setting + "=" + value + ": " + what + ", expected " + expected);
  }
}
