package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Finds the hosts of a run that failed before it printed them, from the name of its file, if the
 * other files are named after their hosts: {@code n01-n02.txt}, {@code pair_n01_n02/out.log}. Hosts
 * without other runs are found if their names differ from known ones only in digits.
 */
record PairNames(List<Pattern> patterns) {
  PairNames {
    patterns = List.copyOf(patterns);
  }

  /** Derives the name patterns from the files of the other runs. */
  static PairNames of(List<HostRun> runs) {
    String hosts =
        runs.stream()
            .flatMap(run -> run.hosts().stream())
            .map(PairNames::digits)
            .distinct()
            .sorted((a, b) -> b.length() - a.length())
            .collect(Collectors.joining("|"));
    return new PairNames(
        runs.stream()
            .filter(run -> run.hosts().size() == 2)
            .flatMap(run -> pattern(run, hosts).stream())
            .distinct()
            .map(Pattern::compile)
            .toList());
  }

  private static Optional<String> pattern(HostRun run, String hosts) {
    String name = name(Path.of(run.source()));
    String first = run.hosts().get(0);
    String second = run.hosts().get(1);
    int from = name.indexOf(first);
    int to = name.indexOf(second, from + first.length());
    if (from < 0 || to <= from + first.length()) {
      return Optional.empty();
    }
    return Optional.of(
        digits(name.substring(0, from))
            + "("
            + hosts
            + ")"
            + digits(name.substring(from + first.length(), to))
            + "("
            + hosts
            + ")"
            + digits(name.substring(to + second.length())));
  }

  /** Returns a pattern that matches a text with any numbers in place of its own. */
  private static String digits(String text) {
    StringBuilder pattern = new StringBuilder();
    for (String part : text.split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)", -1)) {
      pattern.append(part.matches("\\d+") ? "\\d+" : Pattern.quote(part));
    }
    return pattern.toString();
  }

  /** The name of the file and its folder; either may contain the hosts. */
  private static String name(Path file) {
    Path parent = file.getParent();
    Path folder = parent == null ? null : parent.getFileName();
    return folder == null ? String.valueOf(file.getFileName()) : folder + "/" + file.getFileName();
  }

  /** The failed run to which a file belongs by its name; empty if the name contains no hosts. */
  Optional<HostRun> failed(Path file) {
    String name = name(file);
    for (Pattern pattern : patterns) {
      Matcher matcher = pattern.matcher(name);
      if (matcher.matches() && !matcher.group(1).equals(matcher.group(2))) {
        return Optional.of(
            new HostRun(
                file.toString(),
                "",
                List.of(matcher.group(1), matcher.group(2)),
                List.of(),
                List.of(),
                0));
      }
    }
    return Optional.empty();
  }
}
