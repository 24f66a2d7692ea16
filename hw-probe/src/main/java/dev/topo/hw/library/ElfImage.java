package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.TopologyFormatException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Open ELF file. Large parts are mapped instead of copied: a library of PyTorch may have 2 GB. All
 * offsets in the file are checked against its size.
 */
final class ElfImage implements AutoCloseable {
  private static final int HEADER = 64;
  private static final int PROGRAM_HEADER = 56;
  private static final int SECTION_HEADER = 64;
  private static final int PT_LOAD = 1;
  private static final int PT_DYNAMIC = 2;
  private static final int SHT_PROGBITS = 1;
  private static final long SHF_WRITE = 1;
  private static final long SHF_ALLOC = 2;
  private static final long SHF_EXECINSTR = 4;
  private static final String GPU_CODE = ".nv_fatbin";

  private final String path;
  private final FileChannel channel;
  private final long size;
  private final ElfMachine machine;
  private final ByteBuffer header;
  private final List<Segment> segments;
  private final List<Section> sections;

  private record Segment(int type, long offset, long address, long size) {}

  /**
   * Section of the file.
   *
   * @param link index of the associated section
   */
  record Section(String name, int type, long flags, long offset, long size, int link) {
    /** True for read-only data of the program, except GPU code. */
    boolean isConstantData() {
      return type == SHT_PROGBITS
          && (flags & (SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR)) == SHF_ALLOC
          && !name.equals(GPU_CODE);
    }
  }

  private ElfImage(String path, FileChannel channel) throws IOException {
    this.path = path;
    this.channel = channel;
    this.size = channel.size();
    ByteBuffer start = at(0, Math.min(size, HEADER));
    if (start.limit() < 20 || !begins(start, 0, "\u007fELF")) {
      throw new ElfFormatException(path + ": is no ELF file");
    }
    boolean little = start.get(5) == 1;
    start.order(little ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
    this.header = start;
    this.machine =
        new ElfMachine(
            start.get(4) == 2 ? 64 : 32, little, Short.toUnsignedInt(start.getShort(18)));
    if (machine.isReadable() && start.limit() < HEADER) {
      throw new ElfFormatException(path + ": is cut off after " + size + " bytes");
    }
    this.segments = machine.isReadable() ? readSegments() : List.of();
    this.sections = machine.isReadable() ? readSections() : List.of();
  }

  /**
   * Opens a file.
   *
   * @throws ElfFormatException if it is missing, not readable by this user, not an ELF file, or
   *     damaged
   * @throws TopologyFormatException if reading fails
   */
  static ElfImage open(FileTree files, String path) {
    try {
      FileChannel channel = files.open(path);
      try {
        return new ElfImage(path, channel);
      } catch (IOException | RuntimeException e) {
        channel.close();
        throw e;
      }
    } catch (NoSuchFileException e) {
      throw new ElfFormatException(path + ": no such file");
    } catch (AccessDeniedException e) {
      throw new ElfFormatException(path + ": cannot be read (" + FileFault.text(e) + ")");
    } catch (IOException e) {
      throw FileFault.unreadable(path, e);
    }
  }

  ElfMachine machine() {
    return machine;
  }

  List<Section> sections() {
    return sections;
  }

  private List<Segment> readSegments() {
    long offset = header.getLong(32);
    int count = Short.toUnsignedInt(header.getShort(56));
    ByteBuffer table = at(offset, (long) count * PROGRAM_HEADER);
    return IntStream.range(0, count)
        .map(i -> i * PROGRAM_HEADER)
        .mapToObj(
            start ->
                new Segment(
                    table.getInt(start),
                    table.getLong(start + 8),
                    table.getLong(start + 16),
                    table.getLong(start + 32)))
        .toList();
  }

  private List<Section> readSections() {
    long offset = header.getLong(40);
    int count = Short.toUnsignedInt(header.getShort(60));
    if (offset == 0 || count == 0) {
      return List.of();
    }
    ByteBuffer table = at(offset, (long) count * SECTION_HEADER);
    int namesIndex = Short.toUnsignedInt(header.getShort(62));
    ByteBuffer names = ByteBuffer.allocate(0);
    if (namesIndex < count) {
      int start = namesIndex * SECTION_HEADER;
      names = at(table.getLong(start + 24), table.getLong(start + 32));
    }
    List<Section> found = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int start = i * SECTION_HEADER;
      found.add(
          new Section(
              names.limit() == 0 ? "" : name(names, table.getInt(start), 64),
              table.getInt(start + 4),
              table.getLong(start + 8),
              table.getLong(start + 24),
              table.getLong(start + 32),
              table.getInt(start + 40)));
    }
    return found;
  }

  Optional<ByteBuffer> dynamicSection() {
    return segments.stream()
        .filter(segment -> segment.type() == PT_DYNAMIC)
        .findFirst()
        .map(segment -> at(segment.offset(), segment.size()));
  }

  /** Bytes that the loader would map at an address. */
  ByteBuffer atAddress(long address, long length) {
    for (Segment segment : segments) {
      if (segment.type() == PT_LOAD
          && address >= segment.address()
          && address - segment.address() < segment.size()) {
        return at(segment.offset() + address - segment.address(), length);
      }
    }
    throw damaged("address 0x" + Long.toHexString(address) + " is in none of its segments");
  }

  /** Part of the file, mapped if it is large. */
  ByteBuffer at(long offset, long length) {
    if (offset < 0 || length < 0 || offset > size - length || length > Integer.MAX_VALUE) {
      throw damaged(length + " bytes at " + offset + " are not in its " + size);
    }
    try {
      return channel
          .map(FileChannel.MapMode.READ_ONLY, offset, length)
          .order(ByteOrder.LITTLE_ENDIAN);
    } catch (IOException e) {
      throw FileFault.unreadable(path, e);
    }
  }

  /** Text at an index of a string table, without its terminating zero byte. */
  String name(ByteBuffer names, long index, int limit) {
    if (index < 0 || index >= names.limit()) {
      throw damaged("name " + index + " is not in its " + names.limit() + " bytes of names");
    }
    int start = (int) index;
    int end = start;
    while (end < names.limit() && end - start < limit && names.get(end) != 0) {
      end++;
    }
    byte[] bytes = new byte[end - start];
    names.get(start, bytes);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  static boolean begins(ByteBuffer data, int index, String prefix) {
    return index >= 0
        && index <= data.limit() - prefix.length()
        && data.slice(index, prefix.length())
            .equals(ByteBuffer.wrap(prefix.getBytes(StandardCharsets.US_ASCII)));
  }

  private ElfFormatException damaged(String what) {
    return new ElfFormatException(path + ": is damaged: " + what);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
