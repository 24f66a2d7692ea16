package dev.topo.fuzz;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Damages a compressed archive: the content of an entry, a header (its checksum is set again, else
 * nothing behind it would be read), the blocks of the archive, or the compressed bytes.
 */
final class TarMutator implements Mutator {
  private static final int BLOCK = 512;
  // Offsets and lengths in the header, as POSIX ustar has them.
  private static final int SIZE_AT = 124;
  private static final int SIZE_LENGTH = 12;
  private static final int CHECKSUM_AT = 148;
  private static final int CHECKSUM_LENGTH = 8;
  private static final int TYPE_AT = 156;
  private static final int LINK_AT = 157;

  private static final List<String> NAMES =
      List.of(
          "",
          "/",
          ".",
          "..",
          "../../outside",
          "/etc/outside",
          "sys/../../outside",
          "sys//class",
          "sys/class",
          "sys/class/net/eth0/\u001b[31m",
          "sys/class/net/\u202eeth1/speed",
          "a\\b",
          "x".repeat(100));

  private final TextMutator text = new TextMutator(true);

  /** An entry: its header, and its content without the filling up to a whole block. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Entry(byte[] header, byte[] content) {}

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    int kind = random.nextInt(12);
    if (kind == 0) {
      return scatter(seed, random);
    }
    byte[] tar = GzipMutator.unpacked(seed);
    if (kind == 1) {
      return GzipMutator.packed(scatter(tar, random));
    }
    if (kind == 2) {
      return GzipMutator.packed(Arrays.copyOf(tar, random.nextInt(tar.length)));
    }
    List<Entry> entries = entries(tar);
    for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
      change(entries, kind, random);
    }
    return GzipMutator.packed(join(entries));
  }

  private void change(List<Entry> entries, int kind, Random random) {
    int at = random.nextInt(entries.size());
    if (kind > 6) {
      while (entries.get(at).content().length == 0) {
        at = (at + 1) % entries.size();
      }
    }
    Entry entry = entries.get(at);
    byte[] header = entry.header().clone();
    switch (kind) {
      case 3 -> entries.add(random.nextInt(entries.size()), entry);
      case 4 -> {
        write(header, 0, 100, NAMES.get(random.nextInt(NAMES.size())));
        entries.set(at, new Entry(header, entry.content()));
      }
      case 5 -> {
        header[TYPE_AT] = (byte) "0123456789LKxg\0".charAt(random.nextInt(15));
        write(header, LINK_AT, 100, NAMES.get(random.nextInt(NAMES.size())));
        entries.set(at, new Entry(header, entry.content()));
      }
      case 6 -> {
        header[random.nextInt(BLOCK)] = (byte) random.nextInt(256);
        entries.set(at, new Entry(header, entry.content()));
      }
      default -> {
        byte[] content = text.mutate(entry.content(), random);
        write(header, SIZE_AT, SIZE_LENGTH, String.format(Locale.ROOT, "%011o", content.length));
        entries.set(at, new Entry(header, content));
      }
    }
  }

  private static void write(byte[] header, int at, int length, String value) {
    Arrays.fill(header, at, at + length, (byte) 0);
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    System.arraycopy(bytes, 0, header, at, Math.min(length, bytes.length));
  }

  private static byte[] scatter(byte[] bytes, Random random) {
    byte[] damaged = bytes.clone();
    for (int changes = 1 + random.nextInt(8); changes > 0; changes--) {
      damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
    }
    return damaged;
  }

  private static List<Entry> entries(byte[] tar) {
    List<Entry> entries = new ArrayList<>();
    int at = 0;
    while (at + BLOCK <= tar.length && tar[at] != 0) {
      byte[] header = Arrays.copyOfRange(tar, at, at + BLOCK);
      String octal = new String(header, SIZE_AT, SIZE_LENGTH, StandardCharsets.US_ASCII);
      int size = Integer.parseInt(octal.replaceAll("[^0-7]", ""), 8);
      entries.add(new Entry(header, Arrays.copyOfRange(tar, at + BLOCK, at + BLOCK + size)));
      at += BLOCK + (size + BLOCK - 1) / BLOCK * BLOCK;
    }
    return entries;
  }

  private static byte[] join(List<Entry> entries) {
    ByteArrayOutputStream tar = new ByteArrayOutputStream();
    for (Entry entry : entries) {
      byte[] header = entry.header().clone();
      Arrays.fill(header, CHECKSUM_AT, CHECKSUM_AT + CHECKSUM_LENGTH, (byte) ' ');
      int sum = 0;
      for (byte b : header) {
        sum += b & 0xff;
      }
      write(header, CHECKSUM_AT, CHECKSUM_LENGTH, String.format(Locale.ROOT, "%06o\0 ", sum));
      tar.writeBytes(header);
      byte[] content = entry.content();
      tar.writeBytes(Arrays.copyOf(content, (content.length + BLOCK - 1) / BLOCK * BLOCK));
    }
    tar.writeBytes(new byte[2 * BLOCK]);
    return tar.toByteArray();
  }
}
