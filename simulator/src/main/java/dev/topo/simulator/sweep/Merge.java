package dev.topo.simulator.sweep;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.io.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Checks that several folders together contain all results of one sweep, and merges them. Each part
 * is read to detect damage; copies of a part must be equal.
 */
public final class Merge {
  /** Largest number of missing parts that a message names. */
  private static final int MAX_NAMED = 8;

  private final List<ResultFolder> folders;
  private final SweepInfo info;
  private final Inputs inputs;

  /**
   * A merge of folders.
   *
   * @throws TopologyFormatException if one is not a folder of results, or belongs to another sweep
   *     than the first
   */
  public Merge(List<Path> paths, Inputs inputs) {
    this.inputs = inputs;
    this.folders = paths.stream().map(path -> ResultFolder.open(path, inputs)).toList();
    this.info = folders.get(0).info();
    for (ResultFolder folder : folders) {
      if (!folder.info().spec().equals(info.spec())) {
        throw ResultFolder.unusable(
            folder.folder(),
            "is of another sweep: %s %s, expected %s %s of %s"
                .formatted(
                    folder.info().name(),
                    folder.info().spec(),
                    info.name(),
                    info.spec(),
                    folders.get(0).folder()));
      }
    }
  }

  /**
   * The result of a merge.
   *
   * @param info the sweep
   * @param rows number of rows
   */
  public record Merged(SweepInfo info, long rows) {}

  /**
   * Checks the folders and copies their parts to a target, which may be one of them.
   *
   * @param target the folder with all results
   * @throws TopologyFormatException if a part is missing or damaged, or its copies differ
   * @throws OutputException if the target cannot be written
   */
  public Merged into(Path target) {
    TreeMap<Integer, CheckedPart> parts = new TreeMap<>();
    long rows = 0;
    for (ResultFolder folder : folders) {
      for (int part : folder.parts()) {
        CheckedPart found = new CheckedPart(folder.part(part), folder.check(part));
        CheckedPart known = parts.putIfAbsent(part, found);
        if (known == null) {
          rows += found.content.rows();
        } else {
          requireSame(known, found);
        }
      }
    }
    requireAll(parts.keySet());
    copy(parts, target);
    return new Merged(info, rows);
  }

  /** A part that was read without damage. */
  private record CheckedPart(Path file, PartFile.Summary content) {}

  private static void requireSame(CheckedPart found, CheckedPart other) {
    if (!found.content.equals(other.content)) {
      throw ResultFolder.unusable(
          other.file, "differs from " + found.file + ", expected the same results");
    }
  }

  /**
   * Checks that all parts exist. The error names the incomplete shards if the lock files of the
   * folders show the number of shards.
   */
  private void requireAll(Set<Integer> parts) {
    List<Integer> missing =
        IntStream.range(0, info.parts()).filter(part -> !parts.contains(part)).boxed().toList();
    if (missing.isEmpty()) {
      return;
    }
    TreeSet<Integer> counts = new TreeSet<>();
    folders.forEach(folder -> counts.addAll(folder.shardCounts()));
    String shards =
        counts.size() == 1 && counts.first() > 1
            ? missing.stream()
                .map(part -> part % counts.first() + 1)
                .distinct()
                .sorted()
                .map(shard -> "%s/%s".formatted(shard, counts.first()))
                .collect(Collectors.joining(", ", " of shard ", ""))
            : "";
    throw ResultFolder.unusable(
        folders.get(0).folder(),
        "%s of %s parts are missing%s: %s%s, expected the results of every shard"
            .formatted(
                missing.size(),
                info.parts(),
                shards,
                missing.stream()
                    .limit(MAX_NAMED)
                    .map(part -> String.valueOf(folders.get(0).part(part).getFileName()))
                    .collect(Collectors.joining(", ")),
                missing.size() > MAX_NAMED ? ", …" : ""));
  }

  private void copy(TreeMap<Integer, CheckedPart> parts, Path target) {
    ResultFolder merged = ResultFolder.make(target, info, folders.get(0).specText(), inputs);
    TreeSet<Integer> existing = merged.parts();
    for (Map.Entry<Integer, CheckedPart> entry : parts.entrySet()) {
      int part = entry.getKey();
      CheckedPart from = entry.getValue();
      Path to = merged.part(part);
      if (WholeFile.isSame(from.file, to)) {
        continue;
      }
      if (existing.contains(part)) {
        requireSame(from, new CheckedPart(to, merged.check(part)));
        continue;
      }
      try {
        WholeFile.replaceDurably(to, out -> Files.copy(from.file, out));
      } catch (IOException e) {
        throw OutputException.of("cannot write " + to, e);
      }
    }
  }
}
