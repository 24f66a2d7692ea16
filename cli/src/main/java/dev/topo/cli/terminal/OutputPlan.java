package dev.topo.cli.terminal;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.WholeFile;
import dev.topo.model.job.Machine.MachineName;
import dev.topo.visualizer.view.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Plans where the answer for each input is written. A file is written completely or not at all. */
public final class OutputPlan {
  private final Target target;
  private final boolean shared;

  private OutputPlan(Target target, boolean shared) {
    this.target = target;
    this.shared = shared;
  }

  /** True if all answers go to the same destination, one after the other. */
  public boolean isShared() {
    return shared;
  }

  /** Writes an answer to its destination. */
  private interface Target {
    void write(Path input, Answer answer) throws IOException;
  }

  /** Writes all answers to stdout, one after the other. */
  public static OutputPlan onStdout(Streams streams) {
    return new OutputPlan(
        (input, answer) -> streams.fitted(answer).writeBytesTo(streams.out()), true);
  }

  /** Writes answers to stderr, for a person who reads them beside the data on stdout. */
  public static OutputPlan onStderr(Streams streams) {
    return new OutputPlan((input, answer) -> answer.writeBytesTo(streams.err()), true);
  }

  /** Writes the answer to a file, or all answers to stdout where none is named. */
  public static OutputPlan to(@Nullable Path file, CommandContext context) {
    return file == null ? onStdout(context.streams()) : inFile(file, context.inputs());
  }

  /**
   * Writes the answer to one file.
   *
   * @param opened the files that the command reads
   * @throws OutputException if it cannot be written
   */
  public static OutputPlan inFile(Path file, Inputs opened) {
    check(file, opened);
    return new OutputPlan((input, answer) -> checkAndReplace(file, answer, opened), false);
  }

  /** Writes the answer over its input file. */
  public static OutputPlan inPlaceOf(Path file) {
    return new OutputPlan((input, answer) -> replace(file, answer), false);
  }

  /**
   * Writes each answer to a file named like its input. If inputs have equal names, the files keep
   * as many folders of the paths as distinguish them.
   *
   * @param extension extension of the files, including the dot
   * @param opened the files that the command reads
   */
  public static OutputPlan inDirectory(
      Path directory, List<Path> inputs, String extension, Inputs opened) {
    Optional<Path> duplicate =
        inputs.stream().filter(path -> Collections.frequency(inputs, path) > 1).findFirst();
    if (duplicate.isPresent()) {
      throw new OutputException(duplicate.get() + " is given twice");
    }
    checkFolder(directory);
    Map<Path, Path> files = new HashMap<>();
    for (int depth = 1; files.size() < inputs.size(); depth++) {
      files = names(directory, inputs, extension, depth);
    }
    Map<Path, Path> outputs = files;
    for (Path file : outputs.values()) {
      if (inputs.stream().anyMatch(input -> WholeFile.isSame(input, file))) {
        throw new OutputException(
            "--out-dir " + directory + ": " + file + " is also an input, expected another folder");
      }
    }
    return new OutputPlan(
        (input, answer) -> {
          Path file = outputs.get(input);
          if (file == null) {
            throw new IllegalArgumentException(input + " is not one of the inputs");
          }
          makeFolderOf(file.toAbsolutePath());
          checkAndReplace(file, answer, opened);
        },
        false);
  }

  private static void makeFolderOf(Path file) {
    Path folder = Objects.requireNonNullElse(file.getParent(), file);
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw OutputException.of("cannot create the folder " + folder, e);
    }
  }

  private static void checkFolder(Path directory) {
    Path folder = directory.toAbsolutePath().normalize();
    while (folder.getParent() != null && !Files.exists(folder)) {
      folder = folder.getParent();
    }
    if (!Files.isDirectory(folder)) {
      throw new OutputException("--out-dir " + directory + ": a file is where a folder should be");
    }
    if (!Files.isWritable(folder)) {
      throw new OutputException("--out-dir " + directory + ": no permission to write in " + folder);
    }
  }

  /**
   * The output file for each input, named by the last {@code depth} parts of its path; empty if two
   * inputs have the same output file.
   */
  private static Map<Path, Path> names(
      Path directory, List<Path> inputs, String extension, int depth) {
    Map<Path, Path> names = new HashMap<>();
    Set<Path> taken = new HashSet<>();
    for (Path input : inputs) {
      Path full = input.toAbsolutePath().normalize();
      int parts = full.getNameCount();
      if (depth > parts) {
        throw new OutputException(
            input
                + " is given twice, or differs from another input only in .xml: expected distinct names");
      }
      Path tail = full.subpath(parts - depth, parts);
      Path file = directory.resolve(tail.resolveSibling(MachineName.stem(tail) + extension));
      if (!taken.add(file)) {
        return Map.of();
      }
      names.put(input, file);
    }
    return names;
  }

  /**
   * Checks that a file can be written, before long work begins.
   *
   * @param opened the files that the command reads
   * @throws OutputException if it cannot be written, or if it denotes standard input
   */
  public static void check(Path file, Inputs opened) {
    if (Streams.isStandardInput(file)) {
      throw new OutputException("-o -: expected a file; without -o it goes to standard output");
    }
    WholeFile.check(file, opened);
  }

  private static void checkAndReplace(Path file, Answer answer, Inputs opened) {
    check(file, opened);
    replace(file, answer);
  }

  private static void replace(Path file, Answer answer) {
    try {
      WholeFile.replace(file, answer::writeBytesTo);
    } catch (IOException e) {
      throw OutputException.of("cannot write " + file, e);
    }
  }

  /**
   * Writes the answer for an input.
   *
   * @throws OutputException if it cannot be written
   */
  public void write(Path input, Answer answer) {
    try {
      target.write(input, answer);
    } catch (IOException e) {
      throw OutputException.of("cannot write the answer for " + input, e);
    }
  }
}
