package dev.topo.hw.library;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Cache that {@code ldconfig} writes to {@code /etc/ld.so.cache}: the file for each library name.
 * Supports glibc's format 1.1, also where it follows the older format ({@code
 * glibc:sysdeps/generic/dl-cache.h}, {@code struct cache_file_new}).
 *
 * @param entries the entries, in order
 */
record LibraryCache(List<Entry> entries) {
  /** Path of the cache. */
  static final String FILE = "/etc/ld.so.cache";

  /** Empty cache, as on a machine without one. */
  static final LibraryCache EMPTY = new LibraryCache(List.of());

  private static final String MAGIC = "glibc-ld.so.cache1.1";
  private static final String OLD_MAGIC = "ld.so-1.7.0";
  private static final int HEADER = 48;
  private static final int ENTRY = 24;

  /** Flags of an entry: for glibc ({@code FLAG_ELF_LIBC6}), x86-64, AArch64. */
  private static final int LIBC6 = 0x3;

  private static final int X86_64 = 0x0300;
  private static final int AARCH64 = 0x0a00;

  LibraryCache {
    entries = List.copyOf(entries);
  }

  /**
   * Entry of the cache.
   *
   * @param hwcap required processors; 0 for all
   */
  record Entry(String name, String path, int flags, long hwcap) {
    private boolean fits(ElfMachine machine) {
      int wanted = LIBC6;
      if (machine.equals(ElfMachine.X86_64)) {
        wanted = LIBC6 | X86_64;
      } else if (machine.equals(ElfMachine.AARCH64)) {
        wanted = LIBC6 | AARCH64;
      }
      return flags == wanted && hwcap == 0;
    }
  }

  static Optional<LibraryCache> parse(byte[] content) {
    int base = base(content);
    if (base < 0 || content.length < base + HEADER) {
      return Optional.empty();
    }
    ByteBuffer data = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN);
    int count = data.getInt(base + MAGIC.length());
    if (count < 0 || (long) base + HEADER + (long) count * ENTRY > content.length) {
      return Optional.empty();
    }
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int at = base + HEADER + i * ENTRY;
      Optional<String> name = text(content, base + (long) data.getInt(at + 4));
      Optional<String> path = text(content, base + (long) data.getInt(at + 8));
      if (name.isEmpty() || path.isEmpty()) {
        return Optional.empty();
      }
      entries.add(new Entry(name.get(), path.get(), data.getInt(at), data.getLong(at + 16)));
    }
    return Optional.of(new LibraryCache(entries));
  }

  /** Start of the new format: at the beginning, or after the entries of the old one. */
  private static int base(byte[] content) {
    if (isAt(content, 0, MAGIC)) {
      return 0;
    }
    if (!isAt(content, 0, OLD_MAGIC) || content.length < 16) {
      return -1;
    }
    int oldEntries = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getInt(12);
    long aligned = (16 + oldEntries * 12L + 7) / 8 * 8;
    return oldEntries >= 0 && aligned < content.length && isAt(content, (int) aligned, MAGIC)
        ? (int) aligned
        : -1;
  }

  private static boolean isAt(byte[] content, int at, String text) {
    byte[] wanted = text.getBytes(StandardCharsets.US_ASCII);
    int end = at + wanted.length;
    return end <= content.length && Arrays.equals(content, at, end, wanted, 0, wanted.length);
  }

  private static Optional<String> text(byte[] content, long at) {
    if (at < 0 || at >= content.length) {
      return Optional.empty();
    }
    int start = (int) at;
    int end = start;
    while (end < content.length && content[end] != 0) {
      end++;
    }
    return Optional.of(new String(content, start, end - start, StandardCharsets.UTF_8));
  }

  Optional<String> find(String name, ElfMachine machine) {
    return entries.stream()
        .filter(entry -> entry.name().equals(name) && entry.fits(machine))
        .map(Entry::path)
        .findFirst();
  }
}
