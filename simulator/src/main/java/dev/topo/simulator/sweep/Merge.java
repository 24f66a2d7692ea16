package dev.topo.simulator.sweep;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.io.WholeFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Checks that folders together have all results of one sweep, and joins them. Every part is read,
 * so that a damaged one is found; one that is in several folders must be the same in all.
 */
public final class Merge {
  /** Missing parts that a message names. */
  private static final int MOST_NAMED = 8;

  private final List<ResultFolder> folders;
  private final SweepInfo info;
  private final Inputs inputs;

  /**
   * A merge of folders.
   *
   * @throws TopologyFormatException if one is no folder of results, or of another sweep or build
   *     than the first
   */
  public Merge(List<Path> paths, Inputs inputs) {
    this.inputs = inputs;
    this.folders = paths.stream().map(path -> ResultFolder.open(path, inputs)).toList();
    this.info = folders.get(0).info();
    for (ResultFolder folder : folders) {
      if (!folder.info().spec().equals(info.spec())) {
        throw unusable(
            folder.path(),
            "is of another sweep: %s %s, expected %s %s of %s"
                .formatted(
                    folder.info().name(),
                    folder.info().spec(),
                    info.name(),
                    info.spec(),
                    folders.get(0).path()));
      }
      if (!folder.info().build().equals(info.build())) {
        throw unusable(
            folder.path(),
            "is of another build of topo: %s, expected %s of %s"
                .formatted(folder.info().build(), info.build(), folders.get(0).path()));
      }
    }
  }

  private static TopologyFormatException unusable(Path file, String why) {
    return new TopologyFormatException(SourceLocation.of(file.toString()), why);
  }

  /**
   * The result of a merge.
   *
   * @param info the sweep
   * @param failed rows without a time
   */
  public record Merged(SweepInfo info, long rows, long failed) {}

  /**
   * Checks the folders, and brings their parts into one of them or another.
   *
   * @param target the folder with all results
   * @throws TopologyFormatException if a part is missing, damaged or not the same everywhere
   * @throws OutputException if the target cannot be written
   */
  public Merged into(Path target) {
    TreeMap<Integer, Found> parts = new TreeMap<>();
    long rows = 0;
    long failed = 0;
    for (ResultFolder folder : folders) {
      for (int part : folder.parts()) {
        Found found = new Found(folder.part(part), folder.check(part));
        Found known = parts.putIfAbsent(part, found);
        if (known == null) {
          rows += found.content.rows();
          failed += found.content.failed();
        } else {
          requireSame(known, found);
        }
      }
    }
    requireAll(parts.keySet());
    copy(parts, target);
    return new Merged(info, rows, failed);
  }

  /** A part that was checked. */
  private record Found(Path file, PartSummary content) {}

  private static void requireSame(Found found, Found other) {
    if (!found.content.equals(other.content)) {
      throw unusable(other.file, "differs from " + found.file + ", expected the same results");
    }
  }

  /** Names the shards that did not end where the folders show how many there are. */
  private void requireAll(Set<Integer> parts) {
    List<Integer> missing = new ArrayList<>();
    for (int part = 0; part < info.parts(); part++) {
      if (!parts.contains(part)) {
        missing.add(part);
      }
    }
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
                .map(shard -> "%d/%d".formatted(shard, counts.first()))
                .collect(Collectors.joining(", ", " of shard ", ""))
            : "";
    throw unusable(
        folders.get(0).path(),
        "%d of %d parts are missing%s: %s%s, expected the results of every shard"
            .formatted(
                missing.size(),
                info.parts(),
                shards,
                missing.stream()
                    .limit(MOST_NAMED)
                    .map(part -> String.valueOf(folders.get(0).part(part).getFileName()))
                    .collect(Collectors.joining(", ")),
                missing.size() > MOST_NAMED ? ", …" : ""));
  }

  private void copy(TreeMap<Integer, Found> parts, Path target) {
    ResultFolder whole = ResultFolder.make(target, info, folders.get(0).ownSpecText(), inputs);
    TreeSet<Integer> merged = whole.parts();
    for (Map.Entry<Integer, Found> entry : parts.entrySet()) {
      int part = entry.getKey();
      Found from = entry.getValue();
      Path to = whole.part(part);
      if (WholeFile.isSame(from.file, to)) {
        continue;
      }
      if (merged.contains(part)) {
        requireSame(from, new Found(to, whole.check(part)));
        continue;
      }
      try {
        WholeFile.replaceDurably(to, out -> Files.copy(from.file, out));
      } catch (IOException e) {
        throw new OutputException("cannot write " + to + ": " + FileFault.text(e), e);
      }
    }
  }
}
