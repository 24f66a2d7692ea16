package dev.topo.fuzz;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Damages a part of the results of a sweep: its bytes, what is behind its end, or its rows, and
 * then makes its checksum right again, so that the rows are read.
 */
final class PartMutator implements Mutator {
  private static final int HEADER = 10;

  private static final List<String> CELLS =
      List.of("NaN", "-1", "0", "Infinity", "1e999", "", "9".repeat(60), "\"", "\"\"", "é", "1e3");

  private final ByteMutator bytes = new ByteMutator();
  private final TextMutator text = new TextMutator(false);

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    return switch (random.nextInt(10)) {
      case 0 -> bytes.mutate(seed, random);
      case 1 -> joined(seed, seed);
      case 2 -> joined(seed, GzipMutator.packed(GzipMutator.unpacked(seed)));
      case 3 -> joined(seed, GzipMutator.packed(new byte[0]));
      case 4 -> joined(seed, "\n".repeat(random.nextInt(3)).getBytes(StandardCharsets.UTF_8));
      case 5 -> GzipMutator.packed(GzipMutator.unpacked(seed));
      case 6 -> packed(many(random));
      case 7 -> packed(text.mutate(GzipMutator.unpacked(seed), random));
      default ->
          packed(rows(new String(GzipMutator.unpacked(seed), StandardCharsets.UTF_8), random));
    };
  }

  /** A text of one kind of character, behind the names of the columns or not. */
  private static byte[] many(Random random) {
    List<String> of = List.of(",", "\n", "\"", "\"\"", "a", "0,", "\0", "\r\n", "\"a\",");
    String text = of.get(random.nextInt(of.size()));
    int most = random.nextInt(20) == 0 ? 6_000_000 : 100_000;
    return text.repeat(1 + random.nextInt(most / text.length())).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] rows(String csv, Random random) {
    List<String> lines = new ArrayList<>(csv.lines().toList());
    int at = random.nextInt(lines.size());
    switch (random.nextInt(7)) {
      case 0 -> lines.addAll(lines.subList(1, lines.size()));
      case 1 -> lines.add(at, lines.get(at));
      case 2 -> lines.remove(at);
      case 3 -> Collections.swap(lines, at, random.nextInt(lines.size()));
      case 4 -> lines.addAll(Collections.nCopies(1 + random.nextInt(5_000), lines.get(at)));
      default -> {
        List<String> cells = new ArrayList<>(List.of(lines.get(at).split(",", -1)));
        cells.set(random.nextInt(cells.size()), CELLS.get(random.nextInt(CELLS.size())));
        lines.set(at, String.join(",", cells));
      }
    }
    return (String.join("\n", lines) + "\n").getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] joined = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, joined, first.length, second.length);
    return joined;
  }

  /** A text as topo sweep writes a part: with its checksum as the name in the header. */
  private static byte[] packed(byte[] text) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    byte[] header = {0x1f, (byte) 0x8b, 8, 8, 0, 0, 0, 0, 0, (byte) 0xff};
    try {
      packed.write(header, 0, HEADER);
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      String name = "sha256-" + HexFormat.of().formatHex(digest.digest(text)) + "\0";
      packed.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
      DeflaterOutputStream out =
          new DeflaterOutputStream(packed, new Deflater(Deflater.BEST_SPEED, true));
      out.write(text);
      out.finish();
    } catch (IOException | NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
    CRC32 crc = new CRC32();
    crc.update(text);
    packed.writeBytes(
        ByteBuffer.allocate(8)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt((int) crc.getValue())
            .putInt(text.length)
            .array());
    return packed.toByteArray();
  }
}
