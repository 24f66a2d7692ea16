package dev.topo.cli.terminal;

import dev.topo.model.io.FileFault;
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

/** Where the answer for each input goes. A file is written whole or not at all. */
public final class OutputPlan {
  private final Target target;
  private final boolean shared;

  private OutputPlan(Target target, boolean shared) {
    this.target = target;
    this.shared = shared;
  }

  /** True if all answers go to one place, one after the other. */
  public boolean isShared() {
    return shared;
  }

  /** Destination of an answer. */
  private interface Target {
    void write(Path input, Answer answer) throws IOException;
  }

  /** All answers to stdout, one after the other. */
  public static OutputPlan onStdout(Streams streams) {
    return new OutputPlan(
        (input, answer) -> streams.fitted(answer).writeBytesTo(streams.out()), true);
  }

  /** Output for a person beside data on stdout. */
  public static OutputPlan onStderr(Streams streams) {
    return new OutputPlan((input, answer) -> answer.writeBytesTo(streams.err()), true);
  }

  /**
   * The answer to one file.
   *
   * @param opened the files that the command reads
   * @throws OutputException if it cannot be written
   */
  public static OutputPlan inFile(Path file, Inputs opened) {
    check(file, opened);
    return new OutputPlan((input, answer) -> writeWhole(file, answer, opened), false);
  }

  /** The answer to the file that it was made from. */
  public static OutputPlan inPlaceOf(Path file) {
    return new OutputPlan((input, answer) -> replaceWhole(file, answer), false);
  }

  /**
   * Each answer to a file named like its input. Inputs of equal names keep as much of their folders
   * as distinguishes them.
   *
   * @param extension of the files, with its dot
   * @param opened the files that the command reads
   */
  public static OutputPlan inDirectory(
      Path directory, List<Path> inputs, String extension, Inputs opened) {
    Optional<Path> twice =
        inputs.stream().filter(path -> Collections.frequency(inputs, path) > 1).findFirst();
    if (twice.isPresent()) {
      throw new OutputException(twice.get() + " is given twice");
    }
    checkFolder(directory);
    Map<Path, Path> files = new HashMap<>();
    for (int depth = 1; files.size() < inputs.size(); depth++) {
      files = names(directory, inputs, extension, depth);
    }
    Map<Path, Path> chosen = files;
    for (Path file : chosen.values()) {
      if (inputs.stream().anyMatch(input -> WholeFile.isSame(input, file))) {
        throw new OutputException(
            "--out-dir " + directory + ": " + file + " is also an input, expected another folder");
      }
    }
    return new OutputPlan(
        (input, answer) -> {
          Path file = chosen.get(input);
          if (file == null) {
            throw new IllegalArgumentException(input + " is not one of the inputs");
          }
          makeFolderOf(file.toAbsolutePath());
          writeWhole(file, answer, opened);
        },
        false);
  }

  private static void makeFolderOf(Path file) {
    Path folder = Objects.requireNonNullElse(file.getParent(), file);
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new OutputException("cannot create the folder " + folder + ": " + FileFault.text(e), e);
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
   * The output for each input, by the last {@code depth} parts of its path; empty if two inputs
   * meet in one.
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
   * Makes sure, before long work, that a file can be written.
   *
   * @param opened the files that the command reads
   * @throws OutputException if not, or if it is the name of a stream
   */
  public static void check(Path file, Inputs opened) {
    if (Streams.isStandardInput(file)) {
      throw new OutputException("-o -: expected a file; without -o it goes to standard output");
    }
    WholeFile.check(file, opened);
  }

  private static void writeWhole(Path file, Answer answer, Inputs opened) {
    check(file, opened);
    replaceWhole(file, answer);
  }

  private static void replaceWhole(Path file, Answer answer) {
    try {
      WholeFile.replace(file, answer::writeBytesTo);
    } catch (IOException e) {
      throw new OutputException("cannot write " + file + ": " + FileFault.text(e), e);
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
      throw new OutputException(
          "cannot write the answer for " + input + ": " + FileFault.text(e), e);
    }
  }
}
