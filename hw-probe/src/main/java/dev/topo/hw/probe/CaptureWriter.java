package dev.topo.hw.probe;

import dev.topo.hw.nvml.NvmlText;
import dev.topo.hw.sysfs.AccessLog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;

/**
 * Packs the values that a probe reads from files into a {@code .tar.gz} that {@link CaptureReader}
 * unpacks. No text is copied: {@link CapturedText} rewrites the values, {@link Anonymizer} replaces
 * the names. Captures of the same machine are equal byte by byte. Uses the POSIX tar format, which
 * every {@code tar} unpacks.
 */
public final class CaptureWriter {
  private CaptureWriter() {}

  /**
   * Writes a capture; the caller closes the stream.
   *
   * @throws IOException if the stream fails
   */
  public static void write(MachineProbe probe, OutputStream out) throws IOException {
    AccessLog log = new AccessLog();
    MachineObservation observation = probe.withLog(log).observe();
    Anonymizer names = new Anonymizer(observation);
    CapturedText text = new CapturedText(observation.facts(), names);

    SortedMap<String, String> files = new TreeMap<>();
    log.files()
        .forEach(
            (path, content) ->
                text.of(path, content).ifPresent(kept -> files.put(names.path(path), kept)));
    SortedSet<String> directories = new TreeSet<>();
    log.directories().forEach(path -> directories.add(names.path(path)));
    SortedMap<String, String> links = new TreeMap<>();
    log.links().forEach((path, target) -> links.put(names.path(path), names.path(target)));
    observation
        .nvml()
        .value()
        .ifPresent(
            snapshot ->
                files.put("/" + MachineProbe.NVML_FILE, NvmlText.write(names.nvml(snapshot))));
    if (observation.addresses().families().isPresent()) {
      files.put(
          "/" + MachineProbe.INTERFACES_FILE, names.addresses(observation.addresses()).toText());
    }
    pack(out, directories, files, links);
  }

  private static void pack(
      OutputStream out,
      SortedSet<String> directories,
      SortedMap<String, String> files,
      SortedMap<String, String> links)
      throws IOException {
    GzipCompressorOutputStream gzip = new GzipCompressorOutputStream(out);
    TarArchiveOutputStream tar = new TarArchiveOutputStream(gzip, StandardCharsets.UTF_8.name());
    tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    for (String directory : directories) {
      put(tar, new TarArchiveEntry(directory.substring(1) + "/"), new byte[0]);
    }
    for (Map.Entry<String, String> file : files.entrySet()) {
      byte[] content = file.getValue().getBytes(StandardCharsets.ISO_8859_1);
      put(tar, new TarArchiveEntry(file.getKey().substring(1)), content);
    }
    for (Map.Entry<String, String> link : links.entrySet()) {
      TarArchiveEntry entry =
          new TarArchiveEntry(link.getKey().substring(1), TarConstants.LF_SYMLINK);
      entry.setLinkName(relative(link.getKey(), link.getValue()));
      put(tar, entry, new byte[0]);
    }
    tar.finish();
    tar.flush();
    gzip.finish();
  }

  private static void put(TarArchiveOutputStream tar, TarArchiveEntry entry, byte[] content)
      throws IOException {
    entry.setModTime(0L);
    entry.setIds(0, 0);
    entry.setNames("", "");
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  private static String relative(String link, String target) {
    Path parent = Path.of(link).getParent();
    return parent == null ? target : parent.relativize(Path.of(target)).toString();
  }
}
