package dev.topo.hw.probe;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TemporaryFiles;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks a capture to a temporary folder. The file is untrusted: names and links that lead out of
 * the folder, anything but files, directories and links, and content beyond the {@link Limits} are
 * errors, before they take memory or disk space. Links are created last, so that nothing is written
 * through one.
 */
public final class CaptureReader {
  /** Relative link: up some directories, then down. */
  private static final Pattern LINK =
      Pattern.compile("(?:\\.\\./)*(?:(?!\\.{1,2}(?:/|$))[^/]+(?:/|$))*");

  private static final Pattern UP = Pattern.compile("\\.\\.(?:/|$)");

  /**
   * Limits at several times the needs of the largest machines: three entries for each of a thousand
   * PCI functions.
   */
  private static final Limits DEFAULTS = new Limits(10_000, 64L << 20, 1_000);

  /** Longest name of a file or folder in Linux ({@code NAME_MAX}). */
  private static final int MAX_PART = 255;

  /** Maximum size of the headers of one entry, including those for long names. */
  private static final int MAX_HEADER_BYTES = 64 << 10;

  /** Maximum size of a packed capture; a capture of a large machine takes less than one MiB. */
  private static final int MAX_PACKED_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 8 << 10;

  private final Limits limits;

  /**
   * Limits on the content of a capture.
   *
   * @param entries number of files, links and folders, including folders without an entry
   * @param bytes size of all files together, unpacked
   * @param nameLength length of a name with its directories
   */
  record Limits(int entries, long bytes, int nameLength) {}

  public CaptureReader() {
    this(DEFAULTS);
  }

  CaptureReader(Limits limits) {
    this.limits = limits;
  }

  /**
   * Unpacks a file.
   *
   * @throws CaptureFormatException if it is not a usable capture
   * @throws dev.topo.model.io.TopologyFormatException if it is missing or not a file
   * @throws IOException if it cannot be read, or the folder cannot be written
   */
  public UnpackedCapture unpack(Path file, Inputs inputs) throws IOException {
    byte[] packed;
    try (InputStream in = inputs.open(file, "a file of topo probe --capture")) {
      packed = in.readNBytes(MAX_PACKED_BYTES + 1);
    }
    if (packed.length > MAX_PACKED_BYTES) {
      throw new CaptureFormatException("more than " + MAX_PACKED_BYTES + " bytes");
    }
    // Counts first, so that an oversized capture is not unpacked in part.
    new Unpacking(Path.of("/capture")).count(new ByteArrayInputStream(packed));
    UnpackedCapture capture = new UnpackedCapture(TemporaryFiles.folder("topo-capture"));
    boolean complete = false;
    try {
      new Unpacking(capture.folder().toRealPath()).run(new ByteArrayInputStream(packed));
      complete = true;
      return capture;
    } finally {
      if (!complete) {
        capture.close();
      }
    }
  }

  /**
   * Reads a value from a captured machine.
   *
   * @param capture a file, or a folder with its content
   * @throws CaptureFormatException if it is not a usable capture
   * @throws dev.topo.model.io.TopologyFormatException if it is missing or not a file
   * @throws IOException if it cannot be read, or the folder cannot be written
   */
  public static <T> T read(Path capture, Inputs inputs, Function<MachineProbe, T> reader)
      throws IOException {
    if (Files.isDirectory(capture)) {
      return reader.apply(probe(capture, inputs));
    }
    try (UnpackedCapture unpacked = new CaptureReader().unpack(capture, inputs)) {
      return reader.apply(unpacked.probe(inputs));
    }
  }

  /**
   * Machine whose capture is unpacked in a folder.
   *
   * @throws CaptureFormatException if the folder contains none
   */
  static MachineProbe probe(Path folder, Inputs inputs) {
    if (!Files.isDirectory(folder.resolve("sys"))) {
      throw new CaptureFormatException("has no folder sys, expected a captured machine");
    }
    try {
      return MachineProbe.ofCapture(folder, inputs);
    } catch (IllegalArgumentException e) {
      throw new CaptureFormatException(String.valueOf(e.getMessage()));
    }
  }

  /** Unpacking of one file. */
  private final class Unpacking {
    private final Path folder;
    private final SortedMap<String, String> links = new TreeMap<>();
    private BoundedStream unpacked = new BoundedStream(InputStream.nullInputStream());
    private long bytes;

    Unpacking(Path folder) {
      this.folder = folder;
    }

    private TarArchiveInputStream tar(InputStream in) throws IOException {
      unpacked = new BoundedStream(gzip(in));
      return new TarArchiveInputStream(unpacked, StandardCharsets.UTF_8.name());
    }

    /** Counts the content before anything is written. */
    void count(InputStream in) throws IOException {
      Set<String> made = new HashSet<>();
      try (TarArchiveInputStream tar = tar(in)) {
        for (TarArchiveEntry entry = next(tar); entry != null; entry = next(tar)) {
          Path place = place(entry.getName());
          while (place != null && made.add(place.toString())) {
            place = place.getParent();
          }
          if (made.size() > limits.entries()) {
            throw new CaptureFormatException(
                "more than " + limits.entries() + " files, folders and links");
          }
          copy(tar, OutputStream.nullOutputStream());
        }
      }
    }

    private void copy(InputStream content, OutputStream out) throws IOException {
      byte[] buffer = new byte[BUFFER_BYTES];
      for (int length = read(content, buffer); length >= 0; length = read(content, buffer)) {
        bytes += length;
        if (bytes > limits.bytes()) {
          throw new CaptureFormatException("more than " + limits.bytes() + " bytes unpacked");
        }
        out.write(buffer, 0, length);
      }
    }

    void run(InputStream in) throws IOException {
      try (TarArchiveInputStream tar = tar(in)) {
        for (TarArchiveEntry entry = next(tar); entry != null; entry = next(tar)) {
          entry(tar, entry);
        }
      }
      for (Map.Entry<String, String> link : links.entrySet()) {
        link(link.getKey(), link.getValue());
      }
    }

    private @Nullable TarArchiveEntry next(TarArchiveInputStream tar) {
      unpacked.allow(MAX_HEADER_BYTES);
      try {
        return tar.getNextEntry();
      } catch (IOException | IllegalArgumentException e) {
        throw cutOff(e);
      }
    }

    /** Reads the next bytes of a file; -1 at its end. */
    private int read(InputStream content, byte[] buffer) {
      unpacked.allow(buffer.length + MAX_HEADER_BYTES);
      try {
        return content.read(buffer);
      } catch (IOException e) {
        throw cutOff(e);
      }
    }

    private static CaptureFormatException cutOff(Exception e) {
      return new CaptureFormatException(
          "not a whole capture: expected a .tar.gz file of topo probe --capture that is not cut off ("
              + e.getMessage()
              + ")");
    }

    private InputStream gzip(InputStream in) throws IOException {
      try {
        return new GzipCompressorInputStream(in);
      } catch (IOException e) {
        throw new CaptureFormatException(
            "not a capture: expected a .tar.gz file (" + e.getMessage() + ")");
      }
    }

    private void entry(TarArchiveInputStream tar, TarArchiveEntry entry) throws IOException {
      String name = entry.getName();
      Path place = place(name);
      if (entry.isSymbolicLink()) {
        links.put(name, entry.getLinkName());
      } else if (entry.isDirectory()) {
        directory(place, name);
      } else if (isPlainFile(entry)) {
        directory(parent(place), name);
        file(tar, place, name);
      } else {
        throw new CaptureFormatException(
            "'" + name + "' is neither a file nor a directory nor a symbolic link");
      }
    }

    /** True for plain files; Commons Compress also treats pipes and devices as files. */
    private static boolean isPlainFile(TarArchiveEntry entry) {
      byte kind = entry.getLinkFlag();
      return (kind == TarConstants.LF_NORMAL || kind == TarConstants.LF_OLDNORM)
          && !entry.isSparse();
    }

    private Path place(String name) {
      if (name.length() > limits.nameLength()
          || name.isEmpty()
          || name.startsWith("/")
          || name.indexOf('\\') >= 0
          || name.indexOf('\0') >= 0
          || Arrays.stream(name.split("/", -1)).anyMatch(Unpacking::isBadPart)) {
        throw outside(name);
      }
      Path place = path(folder, name).normalize();
      if (!place.startsWith(folder) || place.equals(folder)) {
        throw outside(name);
      }
      return place;
    }

    private static boolean isBadPart(String part) {
      return part.equals("..") || part.getBytes(StandardCharsets.UTF_8).length > MAX_PART;
    }

    /** Path in a folder; some names are invalid in a locale without UTF-8. */
    private Path path(Path parent, String name) {
      try {
        return parent.resolve(name);
      } catch (InvalidPathException e) {
        throw outside(name);
      }
    }

    private CaptureFormatException outside(String name) {
      String shown = name.length() > 60 ? name.substring(0, 60) + "…" : name;
      return new CaptureFormatException(
          "'%s': expected a name inside the capture, of at most %s characters"
              .formatted(shown, limits.nameLength()));
    }

    private Path parent(Path place) {
      Path parent = place.getParent();
      return parent == null ? folder : parent;
    }

    private void directory(Path place, String name) throws IOException {
      if (place.equals(folder) || Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS)) {
        return;
      }
      if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
        throw new CaptureFormatException("'" + name + "' is in a file, expected a directory");
      }
      directory(parent(place), name);
      Files.createDirectory(place);
    }

    private void file(InputStream tar, Path place, String name) throws IOException {
      if (Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
        throw new CaptureFormatException("'" + name + "' comes twice");
      }
      try (OutputStream out = Files.newOutputStream(place)) {
        copy(tar, out);
      }
    }

    /**
     * Creates a link in a real directory. Its target may lead up, at most to the folder, and then
     * down.
     */
    private void link(String name, String target) throws IOException {
      Path place = place(name);
      Path parent = parent(place);
      int up = (int) UP.matcher(target).results().count();
      boolean inside =
          target.length() <= limits.nameLength()
              && LINK.matcher(target).matches()
              && !target.isEmpty()
              && up <= folder.relativize(place).getNameCount() - 1;
      if (!inside) {
        throw new CaptureFormatException(
            "link '" + name + "' leads to '" + target + "', expected a place inside the capture");
      }
      directory(parent, name);
      if (!parent.toRealPath().equals(parent) || Files.exists(place, LinkOption.NOFOLLOW_LINKS)) {
        throw new CaptureFormatException(
            "link '" + name + "' comes twice or stands behind another link");
      }
      Files.createSymbolicLink(place, path(Path.of(""), target));
    }
  }
}
