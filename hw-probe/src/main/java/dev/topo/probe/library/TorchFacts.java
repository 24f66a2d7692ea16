package dev.topo.probe.library;

import dev.topo.probe.files.FileTree;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The versions in PyTorch's file {@code version.py}.
 *
 * @param version {@code 2.9.0+cu130}; empty if not known
 * @param cuda the CUDA it was built with, {@code 13.0}; empty if it was built without
 */
record TorchFacts(String version, String cuda) {
  private static final Pattern VERSION =
      Pattern.compile("^__version__\\b[^=]*=\\s*['\"]([^'\"]*)['\"]", Pattern.MULTILINE);
  private static final Pattern CUDA =
      Pattern.compile("^cuda\\b[^=]*=\\s*['\"]([^'\"]*)['\"]", Pattern.MULTILINE);

  static Optional<TorchFacts> read(FileTree files, String torch) {
    return files
        .text(torch + "/version.py")
        .map(text -> new TorchFacts(first(VERSION, text), first(CUDA, text)));
  }

  private static String first(Pattern pattern, String text) {
    Matcher matcher = pattern.matcher(text);
    return matcher.find() ? matcher.group(1) : "";
  }

  /** {@code PyTorch 2.9.0+cu130, CUDA 13.0}. */
  @Override
  public String toString() {
    return "PyTorch "
        + (version.isEmpty() ? "of unknown version" : version)
        + (cuda.isEmpty() ? ", built without CUDA" : ", CUDA " + cuda);
  }
}
