package dev.topo.hw.probe;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.topo.hw.fixture.MachineText;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.apache.commons.compress.compressors.gzip.GzipCompressorOutputStream;
import org.apache.commons.compress.compressors.gzip.GzipParameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CaptureTest {
  @TempDir Path temp;

  @ParameterizedTest
  @ValueSource(
      strings = {"bare-metal-switched", "roce-dual-port", "cloud-vm", "grace-hopper", "desktop"})
  void captureNamesNoMachine(String machine) throws IOException {
    Path folder = MachineText.expand(machine, temp.resolve("machine"));
    Path file = temp.resolve("capture.tar.gz");
    MachineText.pack(MachineProbe.ofCapture(folder, new Inputs()), file);
    byte[] once = Files.readAllBytes(file);
    try (UnpackedCapture capture = new CaptureReader().unpack(file, new Inputs())) {
      String all = everything(capture.folder());
      for (String secret :
          List.of(
              "00:11:22:33:44:55", // the hardware address of every interface of the fixtures
              "9403:f003",
              "b859:9f03",
              "0015:5dff",
              "a088:c203",
              "000d3a6c",
              "47505500-",
              "00e04c680123",
              "aaaaaaaa",
              "ffffffff-0000",
              "eeeeeeee",
              "deadbeef",
              "microcode",
              "generic")) {
        assertFalse(all.contains(secret), machine + " has " + secret);
      }
      assertTrue(all.contains("max_link_speed") && all.contains("nvml.txt"));
      Path again = temp.resolve("again.tar.gz");
      MachineText.pack(capture.probe(new Inputs()), again);
      try (UnpackedCapture second = new CaptureReader().unpack(again, new Inputs())) {
        assertEquals(all, everything(second.folder()), "a capture of a capture");
      }
    }
    MachineText.pack(MachineProbe.ofCapture(folder, new Inputs()), file);
    assertArrayEquals(once, Files.readAllBytes(file), "the same bytes again");
  }

  /** Names, contents and targets of all that is in a folder. */
  private static String everything(Path folder) throws IOException {
    StringBuilder all = new StringBuilder();
    try (Stream<Path> tree = Files.walk(folder)) {
      for (Path path : tree.sorted().toList()) {
        all.append(folder.relativize(path)).append('\n');
        if (Files.isSymbolicLink(path)) {
          all.append(" -> ").append(Files.readSymbolicLink(path)).append('\n');
        } else if (Files.isRegularFile(path)) {
          all.append(Files.readString(path)).append('\n');
        }
      }
    }
    return all.toString();
  }

  @ParameterizedTest
  @CsvSource({
    "../outside, ''",
    "/outside, ''",
    "sys/../../outside, ''",
    "sys/.., ''",
    "., ''",
    "sys/link, /etc/passwd",
    "sys/link, ../../outside",
    "sys/link, a/../../../outside",
    "sys/link, ..",
    "sys/link, ''",
  })
  void nameOrLinkThatLeadsOutIsRefused(String name, String target) throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      if (target.isEmpty() && !name.equals("sys/link")) {
        file(tar, name, "x");
      } else {
        link(tar, name, target);
      }
    }
    assertThrows(
        CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
    assertFalse(Files.exists(temp.resolve("outside")));
  }

  /** As an attachment that was copied in part. */
  @Test
  void aCaptureThatIsCutOffIsRefused() throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      file(tar, "sys/a", "x".repeat(5000));
      file(tar, "sys/b", "y");
    }
    byte[] whole = Files.readAllBytes(file);
    for (int length : new int[] {20, whole.length / 2, whole.length - 12}) {
      Files.write(file, Arrays.copyOf(whole, length));
      assertThrows(
          CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
    }
    try (var out = new GzipCompressorOutputStream(Files.newOutputStream(file))) {
      out.write("<system version=\"1\"/>".repeat(100).getBytes(StandardCharsets.UTF_8));
    }
    assertThrows(
        CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
  }

  @Test
  void nothingIsWrittenThroughALink() throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      link(tar, "sys/a", "b");
      file(tar, "sys/a/file", "x");
    }
    assertThrows(
        CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
  }

  @Test
  void linkBehindALinkIsRefused() throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      file(tar, "deep/er/file", "x");
      link(tar, "a", "deep/er");
      link(tar, "a/link", "../file");
    }
    assertThrows(
        CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
  }

  @Test
  void hardLinksAndDevicesAreRefused() throws IOException {
    for (byte kind : new byte[] {TarConstants.LF_LINK, TarConstants.LF_CHR, TarConstants.LF_FIFO}) {
      Path file = temp.resolve("capture" + kind + ".tar.gz");
      try (TarArchiveOutputStream tar = tar(file)) {
        TarArchiveEntry entry = new TarArchiveEntry("sys/x", kind);
        entry.setLinkName("sys/y");
        tar.putArchiveEntry(entry);
        tar.closeArchiveEntry();
      }
      assertThrows(
          CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
    }
  }

  @Test
  void bombsAreRefused() throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      file(tar, "sys/a", "x".repeat(600));
      file(tar, "sys/b", "x".repeat(600));
    }
    CaptureReader.Limits fewBytes = new CaptureReader.Limits(10, 1_000, 100);
    CaptureReader.Limits fewEntries = new CaptureReader.Limits(1, 10_000, 100);
    CaptureReader.Limits shortNames = new CaptureReader.Limits(10, 10_000, 4);
    for (CaptureReader.Limits limits : List.of(fewBytes, fewEntries, shortNames)) {
      assertThrows(
          CaptureFormatException.class, () -> new CaptureReader(limits).unpack(file, new Inputs()));
    }
  }

  /** A header may claim any length, and compresses to a thousandth of it. */
  @ParameterizedTest
  @ValueSource(bytes = {'L', 'K', 'x', 'g', '2', '0'})
  void aLongHeaderIsRefusedBeforeItTakesMemory(byte kind) throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    long size = 96L << 20;
    GzipParameters fast = new GzipParameters();
    fast.setCompressionLevel(Deflater.BEST_SPEED);
    try (OutputStream out = new GzipCompressorOutputStream(Files.newOutputStream(file), fast)) {
      TarArchiveEntry entry = new TarArchiveEntry("sys/x", kind);
      entry.setSize(size);
      byte[] header = new byte[512];
      entry.writeEntryHeader(header);
      out.write(header);
      byte[] zeros = new byte[1 << 20];
      if (kind == 'x' || kind == 'g') {
        // One value as long as the header.
        byte[] begin = new byte[TarConstants.DEFAULT_RCDSIZE];
        byte[] text = (size + " path=").getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, begin, 0, text.length);
        out.write(begin);
      }
      for (long written = 0; written < size; written += zeros.length) {
        out.write(zeros);
      }
    }
    assertTrue(Files.size(file) < 2 << 20, "a small file");
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    CaptureFormatException e =
        assertThrows(
            CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
    assertTrue(threads.getCurrentThreadAllocatedBytes() - before < 16 << 20, "memory");
    String message = String.valueOf(e.getMessage());
    String reason = kind == '0' || kind == '2' ? "bytes unpacked" : "a header is too long";
    assertTrue(message.contains(reason), message);
  }

  @Test
  void foldersOfLongNamesCount() throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (int i = 0; i < 200; i++) {
        file(tar, i + "/a".repeat(100), "");
      }
    }
    CaptureFormatException e =
        assertThrows(
            CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
    assertEquals("more than 10000 files, folders and links", e.getMessage());
  }

  @Test
  void aNameThatNoFileCanHaveIsRefused() throws IOException {
    Path file = temp.resolve("capture.tar.gz");
    try (TarArchiveOutputStream tar = tar(file)) {
      tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      file(tar, "sys/" + "a".repeat(256), "");
    }
    assertThrows(
        CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
  }

  @Test
  void aMachineOfManyGpusIsRefused() throws IOException {
    StringBuilder text = new StringBuilder("cuda 13000\n");
    for (int i = 0; i < 5_000; i++) {
      text.append("gpu ").append(i).append(" bus=0000:00:00.0 sm=90\n");
    }
    Files.writeString(temp.resolve("nvml.txt"), text);
    MachineProbe probe = MachineProbe.ofCapture(temp, new Inputs());
    TopologyFormatException e =
        assertThrows(TopologyFormatException.class, () -> probe.run(ProbeOptions.DEFAULTS));
    assertTrue(String.valueOf(e.getMessage()).endsWith("5000 GPUs, expected at most 256"));
  }

  @Test
  void otherFileIsNoCapture() throws IOException {
    Path file = Files.writeString(temp.resolve("capture.tar.gz"), "<system/>");
    assertThrows(
        CaptureFormatException.class, () -> new CaptureReader().unpack(file, new Inputs()));
  }

  private static TarArchiveOutputStream tar(Path file) throws IOException {
    OutputStream out = Files.newOutputStream(file);
    return new TarArchiveOutputStream(new GzipCompressorOutputStream(out));
  }

  private static void file(TarArchiveOutputStream tar, String name, String text)
      throws IOException {
    byte[] content = text.getBytes(StandardCharsets.US_ASCII);
    TarArchiveEntry entry = new TarArchiveEntry(name, true);
    entry.setSize(content.length);
    tar.putArchiveEntry(entry);
    tar.write(content);
    tar.closeArchiveEntry();
  }

  private static void link(TarArchiveOutputStream tar, String name, String target)
      throws IOException {
    TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
    entry.setLinkName(target);
    tar.putArchiveEntry(entry);
    tar.closeArchiveEntry();
  }
}
