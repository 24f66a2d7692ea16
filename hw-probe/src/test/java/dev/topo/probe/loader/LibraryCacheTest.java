package dev.topo.probe.loader;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.topo.probe.elf.ElfMachine;
import dev.topo.probe.fixture.MachineFolder;
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

class LibraryCacheTest {
  private static final List<String> PATHS = List.of("/b/libz.so.1", "/a/libnccl.so.2");

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

  /** Where the machine has such a cache: every entry is a name and a path that ends with it. */
  @Test
  void readsTheCacheOfARealMachine() throws IOException {
    Path file = Path.of(LibraryCache.FILE);
    assumeTrue(Files.isReadable(file));
    LibraryCache cache = LibraryCache.parse(Files.readAllBytes(file)).orElse(LibraryCache.EMPTY);
    for (LibraryCache.Entry entry : cache.entries()) {
      assertEquals(entry.name(), entry.path().substring(entry.path().lastIndexOf('/') + 1));
    }
  }
}
