package dev.topo.model.io;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GzipTest {
  private static final byte[] TEXT = bytes("one\ntwo\n");

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] packed(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Arrays.stream(parts).forEach(all::writeBytes);
    return all.toByteArray();
  }

  private static byte[] unpacked(byte[] file) throws IOException {
    try (InputStream in = Gzip.unpacked(new ByteArrayInputStream(file))) {
      return in.readAllBytes();
    }
  }

  @Test
  void whatIsNotCompressedIsLeftAsItIs() throws IOException {
    assertArrayEquals(TEXT, unpacked(TEXT));
    assertArrayEquals(new byte[0], unpacked(new byte[0]));
    assertArrayEquals(new byte[] {0x1f}, unpacked(new byte[] {0x1f}));
  }

  /** Java's own stream loses the second one where the first ends with a buffer. */
  @Test
  void membersAreJoinedWhateverTheirLengths() throws IOException {
    byte[] noise = new byte[(1 << 16) - 20];
    new Random(1).nextBytes(noise);
    for (int length = noise.length - 40; length < noise.length; length++) {
      byte[] first = Arrays.copyOf(noise, length);
      byte[] file = joined(packed(first), packed(TEXT), packed(new byte[0]), packed(TEXT));
      assertArrayEquals(joined(first, TEXT, TEXT), unpacked(file), length + " bytes of noise");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "\r\n \t\n"})
  void whiteSpaceMayFollow(String text) throws IOException {
    assertArrayEquals(TEXT, unpacked(joined(packed(TEXT), bytes(text))));
  }

  @ParameterizedTest
  @CsvSource({
    "78, byte 28: 0x78 follows the last member of gzip",
    "00, byte 28: 0x00 follows the last member of gzip",
    "200a7b, byte 30: 0x7b follows the last member of gzip",
    "1f, the compressed data end too early",
    "1f78, byte 30: not the header of a member",
  })
  void whatElseFollowsIsRefusedWithItsByte(String hex, String message) {
    byte[] file = joined(packed(TEXT), HexFormat.of().parseHex(hex));
    IOException e = assertThrows(IOException.class, () -> unpacked(file));
    assertTrue(String.valueOf(e.getMessage()).startsWith(message), e.getMessage());
  }

  @Test
  void aFileThatIsCutAnywhereIsRefused() {
    byte[] file = joined(packed(TEXT), packed(TEXT));
    for (int length = 2; length < file.length; length++) {
      byte[] cut = Arrays.copyOf(file, length);
      if (length != file.length / 2) {
        assertThrows(IOException.class, () -> unpacked(cut), length + " bytes");
      }
    }
  }

  /** Fields of a header: extra, name, comment, and the checksum of the header. */
  @ParameterizedTest
  @CsvSource({
    "'00 00000000 00ff', true",
    "'04 00000000 00ff 0300 010203', true",
    "'08 00000000 00ff 6100', true",
    "'1c 00000000 00ff 0100 05 6100 626300', true",
    "'02 00000000 00ff 0000', false",
    "'20 00000000 00ff', false",
  })
  void fieldsOfTheHeaderAreSkipped(String hex, boolean isRight) throws IOException {
    byte[] plain = packed(TEXT);
    byte[] file =
        joined(
            HexFormat.of().parseHex("1f8b08" + hex.replace(" ", "")),
            Arrays.copyOfRange(plain, 10, plain.length));
    if (isRight) {
      assertArrayEquals(TEXT, unpacked(file));
    } else {
      assertThrows(IOException.class, () -> unpacked(file));
    }
  }

  @Test
  void aContentThatDiffersFromItsChecksumIsRefused() {
    byte[] file = packed(TEXT);
    file[file.length - 5] ^= 1;
    IOException e = assertThrows(IOException.class, () -> unpacked(file));
    assertEquals(
        "byte " + (file.length - 4) + ": content differs from the checksum of its member",
        e.getMessage());
  }
}
