package dev.topo.simulator.pair;

import dev.topo.inspect.measured.HostRun;
import dev.topo.inspect.measured.HostRunReader;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The runs of a matrix of pairs, read from files and folders.
 *
 * @param remarks skipped files, a sentence each
 */
public record PairRuns(List<HostRun> runs, List<String> remarks) {
  private static final int FEWEST_HOSTS = 3;
  private static final double NEARLY_ALL = 0.8;
  private static final int FOLDER_DEPTH = 4;

  public PairRuns {
    runs = List.copyOf(runs);
    remarks = List.copyOf(remarks);
  }

  /** A file without runs of named hosts, and the reason why it has none. */
  private record Unread(Path file, TopologyFormatException reason) {}

  /**
   * Reads files, and all files of folders. A file without host names counts as a failed run if its
   * name contains hosts in the same way as the names of the other files. Otherwise it is skipped if
   * it was found in a folder.
   *
   * @throws TopologyFormatException if a named file, or all files of a folder, contain no runs of
   *     named hosts
   */
  public static PairRuns read(List<Path> paths, Inputs inputs) {
    List<HostRun> runs = new ArrayList<>();
    List<Unread> unread = new ArrayList<>();
    for (Path path : paths) {
      if (Files.isDirectory(path)) {
        readFolder(path, inputs, runs, unread);
      } else {
        read(path, inputs, runs, unread);
      }
    }
    PairNames names = PairNames.of(runs);
    List<String> skipped = new ArrayList<>();
    for (Unread file : unread) {
      Optional<HostRun> failed = names.failed(file.file);
      failed.ifPresent(runs::add);
      if (failed.isEmpty() && paths.contains(file.file)) {
        throw file.reason;
      }
      if (failed.isEmpty()) {
        skipped.add(String.valueOf(file.reason.getMessage()));
      }
    }
    return new PairRuns(
        runs,
        skipped.isEmpty()
            ? List.of()
            : List.of(
                QuantityFormat.count(skipped.size(), "file")
                    + " without runs of named hosts passed over, the first "
                    + skipped.get(0)));
  }

  private static void read(Path file, Inputs inputs, List<HostRun> runs, List<Unread> unread) {
    try {
      runs.addAll(HostRunReader.read(file, inputs));
    } catch (TopologyFormatException e) {
      unread.add(new Unread(file, e));
    }
  }

  private static void readFolder(
      Path folder, Inputs inputs, List<HostRun> runs, List<Unread> unread) {
    int before = runs.size();
    files(folder).forEach(file -> read(file, inputs, runs, unread));
    if (runs.size() == before) {
      throw new TopologyFormatException(
          folder.toString(),
          "has no file with runs of named hosts, expected output of nccl-tests for pairs of hosts");
    }
  }

  private static List<Path> files(Path folder) {
    try (Stream<Path> found = Files.walk(folder, FOLDER_DEPTH)) {
      return found.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw new TopologyFormatException(folder.toString(), "cannot be read, expected a folder", e);
    }
  }

  /**
   * Reads files if they are a matrix of pairs: a folder, or nearly only runs of two hosts, with at
   * least three hosts together. Otherwise empty.
   */
  public static Optional<PairRuns> find(List<Path> paths, Inputs inputs) {
    if (paths.stream().anyMatch(Files::isDirectory)) {
      return Optional.of(read(paths, inputs));
    }
    try {
      PairRuns read = read(paths, inputs);
      long pairs = read.runs.stream().filter(run -> run.hosts().size() == 2).count();
      long hosts = read.runs.stream().flatMap(run -> run.hosts().stream()).distinct().count();
      return hosts >= FEWEST_HOSTS && pairs >= NEARLY_ALL * read.runs.size()
          ? Optional.of(read)
          : Optional.empty();
    } catch (TopologyFormatException e) {
      // Other measurements name no hosts; their own reader reports what is wrong with them.
      return Optional.empty();
    }
  }
}
