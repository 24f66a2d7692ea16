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
    return values(LineKind.RANK, 3);
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
    return first(LineKind.COMM)
        .map(comm -> nodes(OptionalInt.of(comm.number(1)), hosts()))
        .orElse(hosts());
  }

  /**
   * The number of nodes: that of NCCL's log, which tells hosts of one name apart and knows NVLink
   * domains of several hosts. Where a host's NVLinks join some of its GPUs only, NCCL counts each
   * group as a node: then it is the number of hosts.
   */
  OptionalInt nodes(OptionalInt logged, OptionalInt hosts) {
    boolean isGroups =
        hosts.orElse(Integer.MAX_VALUE) < logged.orElse(0)
            && values(LineKind.RANK, 1).size() == values(LineKind.RANK, 0).size();
    return isGroups || logged.isEmpty() ? hosts : logged;
  }

  /** Number of hosts with ranks, if the texts list them. */
  OptionalInt hosts() {
    int hosts = values(LineKind.RANK, 2).size();
    return hosts > 0 ? OptionalInt.of(hosts) : hostsByDevices();
  }

  /**
   * Number of hosts if the devices of the connections show that a host has several of what NCCL
   * counts as nodes: rank 7 on device 3 where a node has two ranks.
   */
  private OptionalInt hostsByDevices() {
    int perHost =
        1 + all(LineKind.DEVICE).stream().mapToInt(line -> line.number(1)).max().orElse(0);
    return first(LineKind.COMM).stream()
        .filter(comm -> perHost > comm.number(2) && comm.number(0) % perHost == 0)
        .filter(
            comm ->
                all(LineKind.DEVICE).stream()
                    .allMatch(line -> (line.number(0) - line.number(1)) % perHost == 0))
        .mapToInt(comm -> comm.number(0) / perHost)
        .findFirst();
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
