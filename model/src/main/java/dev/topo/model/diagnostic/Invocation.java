package dev.topo.model.diagnostic;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
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
  /** Hashing a larger file, such as the trace of a job, would take longer than reading it. */
  private static final long MOST_BYTES = 64L << 20;

  private static final int BUFFER_BYTES = 1 << 16;

  /** What a shell takes as it is. */
  private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

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
  private final Set<Path> files = new ConcurrentSkipListSet<>();

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
    return files.stream().map(file -> new Input(file.toString(), sha256(file))).toList();
  }

  static void addInput(Path file) {
    if (CURRENT.get() != NONE) {
      CURRENT.get().files.add(file);
    }
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static @Nullable String sha256(Path file) {
    try {
      if (!Files.isRegularFile(file) || Files.size(file) > MOST_BYTES) {
        return null;
      }
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      try (InputStream in = Files.newInputStream(file)) {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          digest.update(buffer, 0, read);
        }
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (IOException e) {
      return null; // gone or changed since it was read: nothing is known about its content
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
