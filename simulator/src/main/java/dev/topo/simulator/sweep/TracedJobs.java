package dev.topo.simulator.sweep;

import dev.topo.inspect.trace.RankTrace;
import dev.topo.inspect.trace.TraceFiles;
import dev.topo.model.io.ContentHash;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.simulator.workload.TraceMerger;
import dev.topo.simulator.workload.Workload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Reads the traced jobs of a specification, each once. Thread-safe. */
final class TracedJobs {
  /** Matches names that are glob patterns. */
  private static final String PATTERN = ".*[*?\\[{].*";

  private static final int PADDED_DIGITS = 12;

  private final SpecFiles files;
  private final Map<Question.Traces, Workload> jobs = new ConcurrentHashMap<>();

  TracedJobs(SpecFiles files) {
    this.files = files;
  }

  /**
   * The calls of a traced job.
   *
   * @throws TopologyFormatException if a trace is missing or cannot be read, or there is no call
   */
  Workload job(Question.Traces traces) {
    return jobs.computeIfAbsent(traces, this::read);
  }

  /** Reads the traces of a question, if any, so that their errors precede all results. */
  void read(Question question) {
    if (question instanceof Question.Traces traces) {
      job(traces);
    }
  }

  /** Hashes of the traces, in the order of the files. */
  List<String> hashes(Question.Traces traces) {
    return files(traces).stream()
        .map(file -> ContentHash.ofFile(file, "a trace", files.inputs()))
        .toList();
  }

  private Workload read(Question.Traces question) {
    List<RankTrace> traces = TraceFiles.read(files(question), files.inputs(), () -> {});
    Workload job = TraceMerger.join(traces, TraceFiles.worldSize(traces));
    if (job.sites().isEmpty()) {
      throw new TopologyFormatException(
          question.location(), "workload " + question.name() + ": the traces have no call of NCCL");
    }
    return job;
  }

  private List<Path> files(Question.Traces traces) {
    List<Path> found = new ArrayList<>();
    for (String name : traces.files()) {
      if (name.matches(PATTERN)) {
        found.addAll(matching(name, traces));
      } else {
        found.add(files.resolve(Path.of(name)));
      }
    }
    return found;
  }

  /** The files that match a pattern, in numeric order: rank2 comes before rank10. */
  private List<Path> matching(String pattern, Question.Traces traces) {
    Path path = files.resolve(Path.of(pattern));
    Path name = Objects.requireNonNull(path.getFileName());
    Path folder = Objects.requireNonNullElse(path.getParent(), Path.of(""));
    try (Stream<Path> files = Files.list(folder)) {
      List<Path> found =
          files
              .filter(
                  file ->
                      folder
                          .getFileSystem()
                          .getPathMatcher("glob:" + name)
                          .matches(Objects.requireNonNull(file.getFileName())))
              .sorted(Comparator.comparing(TracedJobs::withPaddedNumbers))
              .toList();
      if (!found.isEmpty()) {
        return found;
      }
    } catch (IOException e) {
      throw new TopologyFormatException(
          traces.location(), "'%s': %s".formatted(pattern, FileFault.text(e)), e);
    }
    throw new TopologyFormatException(
        traces.location(), "'%s': no such file, expected traces".formatted(pattern));
  }

  /** Sort key: the path with zeros in front of its numbers, so that they have the same length. */
  private static String withPaddedNumbers(Path file) {
    StringBuilder name = new StringBuilder();
    for (String part : file.toString().split("(?<=\\d)(?=\\D)|(?<=\\D)(?=\\d)")) {
      boolean isNumber = Character.isDigit(part.charAt(0));
      name.append("0".repeat(isNumber ? Math.max(0, PADDED_DIGITS - part.length()) : 0));
      name.append(part);
    }
    return name.toString();
  }
}
