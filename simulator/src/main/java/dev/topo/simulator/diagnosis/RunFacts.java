package dev.topo.simulator.diagnosis;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;

/**
 * The statements in the texts of a run.
 *
 * @param lines the lines of each kind, in the order of the texts
 */
record RunFacts(Map<LineKind, List<LogStatement>> lines) {
  /** Longer lines are cut in evidence. */
  private static final int MOST_CHARACTERS = 160;

  public RunFacts {
    lines = Collections.unmodifiableMap(new EnumMap<>(lines));
  }

  public static RunFacts of(List<RunText> texts) {
    Map<LineKind, List<LogStatement>> lines = new EnumMap<>(LineKind.class);
    for (LineKind kind : LineKind.values()) {
      lines.put(kind, new ArrayList<>());
    }
    for (RunText text : texts) {
      int number = 0;
      for (String line : text.text().lines().toList()) {
        number++;
        read(line, text.name() + ":" + number, lines);
      }
    }
    lines.replaceAll((kind, found) -> List.copyOf(found));
    return new RunFacts(lines);
  }

  private static void read(String line, String place, Map<LineKind, List<LogStatement>> lines) {
    if (!line.contains("NCCL")
        && !line.contains("nccl")
        && !line.contains("Rank")
        && !line.contains("_perf")
        && !line.contains("run ")) {
      return;
    }
    for (LineKind kind : LineKind.values()) {
      Matcher matcher = kind.pattern().matcher(line);
      while (matcher.find()) {
        List<String> values = new ArrayList<>();
        for (int group = 1; group <= matcher.groupCount(); group++) {
          values.add(Optional.ofNullable(matcher.group(group)).orElse(""));
        }
        lines
            .computeIfAbsent(kind, key -> new ArrayList<>())
            .add(new LogStatement(place, shortened(matcher.group().strip()), values));
      }
    }
  }

  private static String shortened(String text) {
    return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
  }

  /** The lines of a kind. */
  public List<LogStatement> all(LineKind kind) {
    return lines.getOrDefault(kind, List.of());
  }

  /** The first line of a kind. */
  public Optional<LogStatement> first(LineKind kind) {
    return all(kind).stream().findFirst();
  }

  public boolean has(LineKind kind) {
    return !all(kind).isEmpty();
  }

  /** True if any line is of NCCL's log. */
  boolean hasLog() {
    return has(LineKind.COMM) || has(LineKind.RANKS) || has(LineKind.PEER) || has(LineKind.NETWORK);
  }

  /** The names of GPUs, each once. */
  Set<String> gpuNames() {
    Set<String> names = new LinkedHashSet<>();
    all(LineKind.RANK).forEach(line -> names.add(line.value(2)));
    return names;
  }

  /** The setting of each name, the last where there are several. */
  public Map<String, LogStatement> settings() {
    Map<String, LogStatement> settings = new LinkedHashMap<>();
    all(LineKind.ASSIGNED).forEach(line -> settings.put(line.value(0), line));
    all(LineKind.SETTING).forEach(line -> settings.put(line.value(0), line));
    return settings;
  }

  /** Number of ranks, as far as the texts have it. */
  public OptionalInt ranks() {
    int listed = (int) all(LineKind.RANK).stream().map(line -> line.value(0)).distinct().count();
    if (listed > 0) {
      return OptionalInt.of(listed);
    }
    return first(LineKind.COMM)
        .or(() -> first(LineKind.RANKS))
        .or(() -> first(LineKind.PROCESSES))
        .map(line -> OptionalInt.of(line.number(0)))
        .orElse(OptionalInt.empty());
  }

  /** Number of nodes, as far as the texts have it. */
  public OptionalInt nodes() {
    Optional<LogStatement> comm = first(LineKind.COMM);
    if (comm.isPresent()) {
      return OptionalInt.of(comm.get().number(1));
    }
    return hosts();
  }

  /** Number of hosts with ranks, as far as the texts list them. */
  public OptionalInt hosts() {
    int hosts = (int) all(LineKind.RANK).stream().map(line -> line.value(1)).distinct().count();
    return hosts > 0 ? OptionalInt.of(hosts) : OptionalInt.empty();
  }

  /** The ports that NCCL found, by name; none if the log does not list them. */
  public Set<String> ports() {
    Set<String> ports = new LinkedHashSet<>();
    for (LogStatement line : all(LineKind.PORTS)) {
      for (String word : line.value(0).strip().split(" +")) {
        ports.add(word.replaceFirst("^\\[\\d+\\]", "").replaceFirst("[:/].*", ""));
      }
    }
    return ports;
  }
}
