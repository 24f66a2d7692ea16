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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The lines that state facts about a run, by kind.
 *
 * @param lines the lines of each kind, in the order of the texts
 */
record RunFacts(Map<LineKind, List<LogStatement>> lines) {
  /** Longest text of evidence, in characters; longer ones are cut. */
  private static final int MOST_CHARACTERS = 160;

  RunFacts {
    lines = Collections.unmodifiableMap(new EnumMap<>(lines));
  }

  /**
   * Finds the statements in texts.
   *
   * @param progress called for each line
   */
  static RunFacts of(List<RunText> texts, Runnable progress) {
    Map<LineKind, List<LogStatement>> lines = new EnumMap<>(LineKind.class);
    for (RunText text : texts) {
      int number = 0;
      for (String line : text.text().lines().toList()) {
        number++;
        progress.run();
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

  /** Lines of a kind. */
  List<LogStatement> all(LineKind kind) {
    return lines.getOrDefault(kind, List.of());
  }

  /** First line of a kind. */
  Optional<LogStatement> first(LineKind kind) {
    return all(kind).stream().findFirst();
  }

  /** The distinct values at a place in all lines of a kind, in order. */
  Set<String> values(LineKind kind, int at) {
    Set<String> values = new LinkedHashSet<>();
    all(kind).forEach(line -> values.add(line.value(at)));
    return values;
  }

  boolean has(LineKind kind) {
    return !all(kind).isEmpty();
  }

  /** Names of the texts with a line of NCCL's log. */
  Set<String> logs() {
    return Stream.of(LineKind.COMM, LineKind.RANKS, LineKind.PEER, LineKind.NETWORK)
        .flatMap(kind -> all(kind).stream())
        .map(line -> line.place().substring(0, line.place().lastIndexOf(':')))
        .collect(Collectors.toSet());
  }

  /** Distinct names of GPUs. */
  Set<String> gpuNames() {
    return values(LineKind.RANK, 2);
  }

  /** Line of each setting by name; the last one if there are several. */
  Map<String, LogStatement> settings() {
    Map<String, LogStatement> settings = new LinkedHashMap<>();
    all(LineKind.ASSIGNED).forEach(line -> settings.put(line.value(0), line));
    all(LineKind.SETTING).forEach(line -> settings.put(line.value(0), line));
    return settings;
  }

  /** Number of ranks, if the texts state it. */
  OptionalInt ranks() {
    int listed = values(LineKind.RANK, 0).size();
    if (listed > 0) {
      return OptionalInt.of(listed);
    }
    return first(LineKind.COMM)
        .or(() -> first(LineKind.RANKS))
        .or(() -> first(LineKind.PROCESSES))
        .stream()
        .mapToInt(line -> line.number(0))
        .findFirst();
  }

  /** Number of nodes, if the texts state it. */
  OptionalInt nodes() {
    Optional<LogStatement> comm = first(LineKind.COMM);
    if (comm.isPresent()) {
      return OptionalInt.of(comm.get().number(1));
    }
    return hosts();
  }

  /** Number of hosts with ranks, if the texts list them. */
  OptionalInt hosts() {
    int hosts = values(LineKind.RANK, 1).size();
    return hosts > 0 ? OptionalInt.of(hosts) : OptionalInt.empty();
  }

  /** Names of the ports that NCCL found; empty if the log does not list them. */
  Set<String> ports() {
    Set<String> ports = new LinkedHashSet<>();
    for (LogStatement line : all(LineKind.PORTS)) {
      for (String word : line.value(0).strip().split(" +")) {
        ports.add(word.replaceFirst("^\\[\\d+\\]", "").replaceFirst("[:/].*", ""));
      }
    }
    return ports;
  }
}
