package dev.topo.model.io;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the files that the user names, with a one-line error for an unusable file, and records
 * them: name and hash, so that an answer can list its sources, and identity on disk, so that no
 * output replaces an input. Each command has its own instance; a user of the library creates one.
 * Thread-safe.
 */
public final class Inputs {
  /** Limit above the size of all these files, including logs of many ranks. */
  private static final int MAX_BYTES = 512 << 20;

  /** Standard input; accepted even if it is a terminal, although that is a device. */
  private static final Path STANDARD_INPUT = Path.of("/dev/stdin");

  /** {@code S_IFMT} and {@code S_IFIFO} of {@code sys/stat.h}. */
  private static final int FILE_TYPE = 0170000;

  private static final int PIPE = 0010000;

  private static final String NO_HASH = "";

  /** The regular files that were opened, by {@link #key}. */
  private final Set<Object> opened = ConcurrentHashMap.newKeySet();

  /** The hashes by the name of the file; {@link #NO_HASH} for a file without one. */
  private final Map<String, String> hashes = new ConcurrentSkipListMap<>();

  /**
   * A file that was read.
   *
   * @param file its name on the command line
   * @param sha256 the hash of its content in hexadecimal digits; null for a pipe and for a file of
   *     more than 64 MiB
   */
  public record Input(String file, @Nullable String sha256) {}

  /** The files that were read so far, sorted by name. */
  public List<Input> list() {
    return hashes.entrySet().stream()
        .map(
            file ->
                new Input(file.getKey(), file.getValue().equals(NO_HASH) ? null : file.getValue()))
        .toList();
  }

  /**
   * A text, without its byte order mark.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, not a file, too large or not UTF-8
   */
  public String text(Path file, String expected) {
    return InputText.of(bytes(file, expected), file.toString(), expected);
  }

  /**
   * The content of a file, unpacked if it is compressed by gzip.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, not a file or too large
   */
  public byte[] bytes(Path file, String expected) {
    return bytes(file, expected, MAX_BYTES, true);
  }

  /**
   * The content of a file, unpacked on request.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @param most the largest size
   * @param unpacks whether a file that is compressed by gzip is unpacked
   * @throws TopologyFormatException if it is missing, not a file or larger
   */
  public byte[] bytes(Path file, String expected, int most, boolean unpacks) {
    try (InputStream raw = open(file, expected);
        InputStream in = unpacks ? Gzip.unpacked(raw) : raw) {
      byte[] bytes = in.readNBytes(most + 1);
      if (bytes.length > most) {
        throw unusable(file, "has more than " + most + " bytes, expected " + expected, null);
      }
      return bytes;
    } catch (IOException e) {
      throw unreadable(file, expected, e);
    }
  }

  /**
   * Opens a regular file, or a pipe as from {@code <(…)} in a shell; devices are rejected, because
   * they may never end. The hash covers the bytes that the reader received and is known once the
   * stream is closed.
   *
   * @param expected the expected content, as in {@code a calibration}
   * @throws TopologyFormatException if it is missing, not a file, or cannot be opened
   */
  public InputStream open(Path file, String expected) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      if (found.isDirectory()) {
        throw unusable(file, "is a directory, expected " + expected, null);
      }
      if (found.isOther() && !file.equals(STANDARD_INPUT) && !isPipe(file)) {
        throw unusable(file, "is a device or socket, expected " + expected, null);
      }
      if (found.isRegularFile()) {
        opened.add(key(file, found));
      }
      return recorded(file, Files.newInputStream(file), found.isRegularFile());
    } catch (IOException e) {
      throw unreadable(file, expected, e);
    }
  }

  /** Records content that comes with topo under the name that the user gave it, and returns it. */
  public byte[] shipped(Path name, byte[] content) {
    try (InputStream in = recorded(name, new ByteArrayInputStream(content), true)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private InputStream recorded(Path file, InputStream in, boolean isHashed) {
    String name = file.toString();
    hashes.putIfAbsent(name, NO_HASH);
    return isHashed ? new HashedInput(in, hash -> hashes.put(name, hash)) : in;
  }

  /**
   * Adds a file that is opened elsewhere: no output replaces it, and it is not listed. Only regular
   * files are added; others are written in place and never replaced.
   *
   * @throws IOException if it exists and cannot be examined, as it could then be lost
   */
  public void add(Path file) throws IOException {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      if (found.isRegularFile()) {
        opened.add(key(file, found));
      }
    } catch (NoSuchFileException e) {
      return; // opening it fails, too
    }
  }

  /**
   * True if a path leads to a regular file that was opened, under any name or link.
   *
   * @throws UncheckedIOException if it exists and cannot be examined
   */
  boolean contains(Path file) {
    try {
      return opened.contains(key(file, Files.readAttributes(file, BasicFileAttributes.class)));
    } catch (NoSuchFileException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Device and inode, or else, on a system without them, the path. */
  private static Object key(Path file, BasicFileAttributes found) {
    return Objects.requireNonNullElseGet(found.fileKey(), () -> file.toAbsolutePath().normalize());
  }

  private static boolean isPipe(Path file) throws IOException {
    return Files.getAttribute(file, "unix:mode") instanceof Integer mode
        && (mode & FILE_TYPE) == PIPE;
  }

  private static TopologyFormatException unreadable(Path file, String expected, IOException e) {
    return e instanceof NoSuchFileException
        ? unusable(file, "no such file, expected " + expected, e)
        : unusable(file, "cannot be read (" + FileFault.text(e) + "), expected " + expected, e);
  }

  private static TopologyFormatException unusable(
      Path file, String why, @Nullable IOException cause) {
    return new TopologyFormatException(file.toString(), why, cause);
  }

  /**
   * Computes the SHA-256 hash of a file while it is read. Closing the stream reads the remaining
   * bytes, and fails if they cannot be read.
   */
  static final class HashedInput extends FilterInputStream {
    /** Hashing a larger file, such as the trace of a job, would take longer than reading it. */
    private static final long MAX_HASHED_BYTES = 64L << 20;

    private static final int BUFFER_BYTES = 1 << 16;

    private final MessageDigest digest = ContentHash.sha256();
    private final Consumer<String> hash;
    private long bytes;
    private boolean isDone;

    /**
     * @param hash receives the hash in hexadecimal digits; a file of more than 64 MiB has none
     */
    HashedInput(InputStream in, Consumer<String> hash) {
      super(in);
      this.hash = hash;
    }

    @Override
    public int read() throws IOException {
      byte[] single = new byte[1];
      return read(single, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(single[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      int read = in.read(buffer, offset, length);
      if (read > 0) {
        bytes += read;
        if (bytes <= MAX_HASHED_BYTES) {
          digest.update(buffer, offset, read);
        }
      } else if (read < 0 && !isDone) {
        isDone = true;
        if (bytes <= MAX_HASHED_BYTES) {
          hash.accept(HexFormat.of().formatHex(digest.digest()));
        }
      }
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      return readNBytes((int) Math.min(count, BUFFER_BYTES)).length;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    @Override
    public void close() throws IOException {
      try {
        byte[] buffer = new byte[BUFFER_BYTES];
        while (!isDone && bytes <= MAX_HASHED_BYTES && read(buffer, 0, buffer.length) >= 0) {
          // read() hashes the rest
        }
      } finally {
        isDone = true;
        super.close();
      }
    }
  }

  /**
   * The origin of an answer: the program, its command line and the files that it read.
   *
   * @param program the program and its version, as in {@code topo 0.2.0}; empty without a command
   * @param commandLine the command line as a shell reads it; empty without a command
   * @param inputs the files read so far, sorted by name: files may still be open while an answer is
   *     written
   */
  public record Invocation(
      String program, String commandLine, Supplier<List<Inputs.Input>> inputs) {
    /** The origin of an answer without a command. */
    public static final Invocation NONE = new Invocation("", "", List::of);

    /** Text that a shell accepts without quotes. */
    private static final Pattern PLAIN = Pattern.compile("[\\w@%+=:,./-]+");

    /**
     * The origin of a command's answer.
     *
     * @param command its name
     * @param version its version
     * @param inputs the files that it reads
     */
    public static Invocation of(
        String command, String version, Inputs inputs, String... arguments) {
      String words =
          Stream.concat(Stream.of(command), Arrays.stream(arguments))
              .map(Invocation::quoted)
              .collect(Collectors.joining(" "));
      return new Invocation(command + " " + version, words, inputs::list);
    }

    public boolean isCommand() {
      return !commandLine.isEmpty();
    }

    private static String quoted(String word) {
      return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
    }
  }
}
