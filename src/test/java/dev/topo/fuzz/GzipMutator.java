package dev.topo.fuzz;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * Compresses an input in a hostile way: many members, empty ones, a member in a member, one that is
 * cut or damaged, content that expands by far, and content behind the last member.
 */
final class GzipMutator implements Mutator {
  private static final int MOST = 2_000;

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    switch (random.nextInt(8)) {
      case 0, 1 -> members(out, seed, random);
      case 2 -> {
        out.writeBytes(packed(seed));
        byte[] tail = new byte[1 + random.nextInt(40)];
        random.nextBytes(tail);
        out.writeBytes(random.nextBoolean() ? new byte[] {'\n'} : tail);
      }
      case 3 -> {
        byte[] packed = packed(seed);
        out.write(packed, 0, random.nextInt(packed.length));
      }
      case 4 -> {
        byte[] packed = packed(seed);
        packed[random.nextInt(packed.length)] ^= (byte) (1 << random.nextInt(8));
        out.writeBytes(packed);
      }
      case 5 -> {
        byte[] inner = seed;
        for (int depth = 1 + random.nextInt(50); depth > 0; depth--) {
          inner = packed(inner);
        }
        out.writeBytes(inner);
      }
      case 6 -> {
        out.writeBytes(packed(seed));
        out.writeBytes(packed(seed));
      }
      default -> {
        byte[] same = new byte[1 << 20];
        Arrays.fill(same, (byte) " [{(]}\n\u0000".charAt(random.nextInt(8)));
        out.writeBytes(packed(random.nextBoolean() ? seed : new byte[0]));
        out.writeBytes(packed(same));
      }
    }
    return out.toByteArray();
  }

  private static void members(ByteArrayOutputStream out, byte[] seed, Random random) {
    int count = 1 + random.nextInt(random.nextBoolean() ? 4 : MOST);
    int at = 0;
    for (int i = 0; i < count; i++) {
      int end = i == count - 1 ? seed.length : Math.min(seed.length, at + random.nextInt(200));
      out.writeBytes(packed(Arrays.copyOfRange(seed, at, end)));
      at = end;
    }
  }

  /** Content as one member. */
  static byte[] packed(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** The content of any number of members. */
  static byte[] unpacked(byte[] packed) {
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
