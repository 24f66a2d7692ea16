package dev.topo.model.io;

import java.io.InputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The command line that is being run and the files that it reads, so that an answer can name what
 * it was made from. Each command has its own, which the threads that it starts share; a user of the
 * library has none.
 */
public final class Invocation {
  /** What a shell takes as it is. */
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

  private static final String NO_HASH = "";

  private static final Invocation NONE = new Invocation("", "");

  private static final InheritableThreadLocal<Invocation> CURRENT =
      new InheritableThreadLocal<>() {
        @Override
        protected Invocation initialValue() {
          return NONE;
        }
      };

  private final String version;
  private final String commandLine;

  /** The hashes by the name of the file; {@link #NO_HASH} for a file without one. */
  private final Map<String, String> files = new ConcurrentSkipListMap<>();

  /**
   * A file that was read.
   *
   * @param file its name on the command line
   * @param sha256 the hash of its content in hexadecimal digits; null for a pipe and for a file of
   *     more than 64 MiB
   */
  public record Input(String file, @Nullable String sha256) {}

  private Invocation(String version, String commandLine) {
    this.version = version;
    this.commandLine = commandLine;
  }

  /**
   * Begins a command, which has read nothing.
   *
   * @param command its name
   * @param version its version
   */
  public static void begin(String command, String version, String... arguments) {
    String words =
        Stream.concat(Stream.of(command), Arrays.stream(arguments))
            .map(Invocation::quoted)
            .collect(Collectors.joining(" "));
    CURRENT.set(new Invocation(command + " " + version, words));
  }

  /** The one of this thread. */
  public static Invocation current() {
    return CURRENT.get();
  }

  /** The command and its version, as in {@code topo 0.1.0}; empty if there is none. */
  public String version() {
    return version;
  }

  /** The command line as a shell reads it; empty if there is none. */
  public String commandLine() {
    return commandLine;
  }

  /** The files that were read, sorted by name. */
  public List<Input> inputs() {
    return files.entrySet().stream()
        .map(
            file ->
                new Input(file.getKey(), file.getValue().equals(NO_HASH) ? null : file.getValue()))
        .toList();
  }

  /**
   * Adds a file that is being read. Its hash is that of the bytes that the reader got, known once
   * the stream is closed.
   *
   * @param in its content
   * @param isHashed whether it has a hash
   * @return what the reader reads
   */
  InputStream add(Path file, InputStream in, boolean isHashed) {
    if (this == NONE) {
      return in;
    }
    String name = file.toString();
    files.putIfAbsent(name, NO_HASH);
    return isHashed ? new HashedInput(in, hash -> files.put(name, hash)) : in;
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
