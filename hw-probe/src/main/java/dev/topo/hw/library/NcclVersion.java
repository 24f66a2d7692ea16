package dev.topo.hw.library;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Version of an NCCL library.
 *
 * @param nccl {@code 2.28.9}
 * @param cuda CUDA version that it was built with, {@code 13.0}; empty if only the file's name is
 *     known
 */
public record NcclVersion(String nccl, Optional<String> cuda) {
  /**
   * Start of a constant in every NCCL since 2.0 ({@code VERSION_STRING}, {@code nccl:src/init.cc}).
   */
  static final String TEXT_START = "NCCL version ";

  static final Pattern TEXT =
      Pattern.compile(
          TEXT_START + "([0-9]+\\.[0-9]+\\.[0-9]+[A-Za-z0-9.-]*)\\+cuda([0-9]+\\.[0-9]+)");

  private static final Pattern FILE_NAME =
      Pattern.compile("libnccl\\.so\\.([0-9]+\\.[0-9]+\\.[0-9]+)");

  static NcclVersion of(Matcher text) {
    return new NcclVersion(text.group(1), Optional.of(text.group(2)));
  }

  /** Version in the name of a file, {@code libnccl.so.2.28.9}. */
  static Optional<NcclVersion> ofFileName(String name) {
    Matcher matcher = FILE_NAME.matcher(name);
    return matcher.matches()
        ? Optional.of(new NcclVersion(matcher.group(1), Optional.empty()))
        : Optional.empty();
  }

  public Optional<Integer> cudaMajor() {
    return cuda.map(text -> Integer.valueOf(text.substring(0, text.indexOf('.'))));
  }

  /** {@code 2.28.9+cuda13.0}, as NCCL writes it. */
  @Override
  public String toString() {
    return nccl + cuda.map(text -> "+cuda" + text).orElse("");
  }
}
