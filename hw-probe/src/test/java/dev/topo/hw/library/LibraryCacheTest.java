package dev.topo.hw.library;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.topo.hw.fixture.MachineFolder;
import dev.topo.hw.library.LibraryCache.Entry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LibraryCacheTest {
  private static final List<String> PATHS = List.of("/b/libz.so.1", "/a/libnccl.so.2");
  private static final String NCCL = "libnccl.so.2";

  @Test
  void findsTheFileForAName() {
    LibraryCache cache = LibraryCache.parse(MachineFolder.cache(PATHS, 0x0303)).orElseThrow();
    assertEquals(Optional.of("/a/libnccl.so.2"), cache.find("libnccl.so.2", ElfMachine.X86_64));
    assertEquals(Optional.empty(), cache.find("libnccl.so", ElfMachine.X86_64));
    assertEquals(Optional.empty(), cache.find("libnccl.so.2", ElfMachine.AARCH64));
  }

  @Test
  void theNewFormatMayStandBehindTheOldOne() {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    content.writeBytes("ld.so-1.7.0\0".getBytes(StandardCharsets.US_ASCII));
    content.writeBytes(
        ByteBuffer.allocate(4 + 12).order(ByteOrder.LITTLE_ENDIAN).putInt(1).array());
    content.writeBytes(new byte[4]); // to a multiple of eight
    content.writeBytes(MachineFolder.cache(PATHS, 0x0a03));
    LibraryCache cache = LibraryCache.parse(content.toByteArray()).orElseThrow();
    assertEquals(Optional.of("/a/libnccl.so.2"), cache.find("libnccl.so.2", ElfMachine.AARCH64));
  }

  @Test
  void anotherFormOrADamagedCacheIsNone() {
    assertEquals(Optional.empty(), LibraryCache.parse(new byte[0]));
    assertEquals(Optional.empty(), LibraryCache.parse("#!/bin/sh\n".getBytes()));
    byte[] whole = MachineFolder.cache(PATHS, 0x0303);
    for (int length = 0; length < 48 + 2 * 24; length++) {
      assertEquals(Optional.empty(), LibraryCache.parse(Arrays.copyOf(whole, length)));
    }
  }

  /**
   * What ldconfig of glibc 2.36 (Debian 12) wrote on 2026-11-22 for two libraries, one of them also
   * in {@code glibc-hwcaps/x86-64-v3}: {@code ldconfig -X -c new}, and {@code -c compat}, which
   * puts the old format before the new one.
   */
  @ParameterizedTest
  @ValueSource(strings = {"new.cache", "compat.cache"})
  void readsWhatLdconfigWrites(String file) throws IOException {
    byte[] content =
        Files.readAllBytes(
            Path.of(System.getProperty("topo.root"), "hw-probe/src/test/resources/ldconfig", file));
    LibraryCache cache = LibraryCache.parse(content).orElseThrow();
    assertEquals(
        List.of(
            new Entry(NCCL, "/usr/lib/glibc-hwcaps/x86-64-v3/" + NCCL, 0x0303, 1L << 62),
            new Entry(NCCL, "/usr/lib/" + NCCL, 0x0303, 0),
            new Entry("libcudart.so.13", "/opt/cuda/lib/libcudart.so.13", 0x0303, 0)),
        cache.entries());
    assertEquals(Optional.of("/usr/lib/" + NCCL), cache.find(NCCL, ElfMachine.X86_64));
    assertEquals(Optional.empty(), cache.find(NCCL, ElfMachine.AARCH64));
  }
}
