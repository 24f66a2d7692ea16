package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the ELF files of a machine without running them. */
record ElfReader(FileTree files) {
  // Numbers of the System V ABI: tags of the dynamic section, types of sections, bindings.
  private static final long DT_NEEDED = 1;
  private static final long DT_STRTAB = 5;
  private static final long DT_STRSZ = 10;
  private static final long DT_SONAME = 14;
  private static final long DT_RPATH = 15;
  private static final long DT_RUNPATH = 29;
  private static final int DYNAMIC_ENTRY = 16;
  private static final int SHT_DYNSYM = 11;
  private static final int SYMBOL = 24;
  private static final int STB_WEAK = 2;
  private static final int SHN_UNDEF = 0;

  /** Upper limit on the entries of a dynamic section. */
  private static final int MAX_ENTRIES = 1 << 16;

  private static final int MAX_NAME = 4096;
  private static final int MAX_CONSTANT = 128;

  /**
   * Dynamic section of a file.
   *
   * @throws ElfFormatException if it is missing, not an ELF file, or damaged
   */
  ElfDynamic dynamic(String path) {
    try (ElfImage image = ElfImage.open(files, path)) {
      if (!image.machine().isReadable()) {
        return ElfDynamic.nothing(image.machine());
      }
      return dynamic(image);
    }
  }

  private static ElfDynamic dynamic(ElfImage image) {
    Optional<ByteBuffer> section = image.dynamicSection();
    if (section.isEmpty()) {
      return ElfDynamic.nothing(image.machine());
    }
    long names = 0;
    long size = 0;
    List<long[]> texts = new ArrayList<>();
    ByteBuffer entries = section.get();
    for (int i = 0; i < MAX_ENTRIES && entries.remaining() >= DYNAMIC_ENTRY; i++) {
      long tag = entries.getLong();
      long value = entries.getLong();
      if (tag == 0) {
        break;
      } else if (tag == DT_STRTAB) {
        names = value;
      } else if (tag == DT_STRSZ) {
        size = value;
      } else if (tag == DT_NEEDED || tag == DT_SONAME || tag == DT_RPATH || tag == DT_RUNPATH) {
        texts.add(new long[] {tag, value});
      }
    }
    ByteBuffer table = texts.isEmpty() ? ByteBuffer.allocate(0) : image.atAddress(names, size);
    List<String> sonames = texts(image, table, texts, DT_SONAME);
    return new ElfDynamic(
        image.machine(),
        sonames.stream().findFirst(),
        texts(image, table, texts, DT_NEEDED),
        folders(texts(image, table, texts, DT_RPATH)),
        folders(texts(image, table, texts, DT_RUNPATH)));
  }

  private static List<String> texts(
      ElfImage image, ByteBuffer table, List<long[]> entries, long tag) {
    return entries.stream()
        .filter(entry -> entry[0] == tag)
        .map(entry -> image.name(table, entry[1], MAX_NAME))
        .toList();
  }

  private static List<String> folders(List<String> lists) {
    return lists.stream()
        .flatMap(list -> Arrays.stream(list.split(":", -1)))
        .filter(folder -> !folder.isEmpty())
        .toList();
  }

  /**
   * Dynamic symbols of a file that begin with a prefix.
   *
   * @param undefined symbols expected from other objects, except weak ones, which may stay
   *     undefined
   */
  record Symbols(SortedSet<String> defined, SortedSet<String> undefined) {}

  /**
   * Reads the dynamic symbols of a file that begin with a prefix; none if the file has no section
   * table.
   *
   * @throws ElfFormatException as {@link #dynamic}
   */
  Symbols symbols(String path, String prefix) {
    SortedSet<String> defined = new TreeSet<>();
    SortedSet<String> undefined = new TreeSet<>();
    try (ElfImage image = ElfImage.open(files, path)) {
      for (ElfImage.Section section : image.sections()) {
        if (section.type() == SHT_DYNSYM) {
          collect(image, section, prefix, defined, undefined);
        }
      }
    }
    return new Symbols(defined, undefined);
  }

  private static void collect(
      ElfImage image,
      ElfImage.Section section,
      String prefix,
      Set<String> defined,
      Set<String> undefined) {
    if (section.link() < 0 || section.link() >= image.sections().size()) {
      return;
    }
    ByteBuffer table = image.at(section.offset(), section.size());
    ElfImage.Section texts = image.sections().get(section.link());
    ByteBuffer names = image.at(texts.offset(), texts.size());
    for (int start = 0; start <= table.limit() - SYMBOL; start += SYMBOL) {
      int name = table.getInt(start);
      boolean missing = table.getShort(start + 6) == SHN_UNDEF;
      boolean weak = (table.get(start + 4) >> 4) == STB_WEAK;
      if (ElfImage.begins(names, name, prefix) && !(missing && weak)) {
        (missing ? undefined : defined).add(image.name(names, name, MAX_NAME));
      }
    }
  }

  /**
   * First match in the constant data of a file; none without section headers.
   *
   * @param start text that every match begins with
   * @param pattern pattern of the match, within {@value #MAX_CONSTANT} bytes
   * @throws ElfFormatException as {@link #dynamic}
   */
  Optional<Matcher> constant(String path, String start, Pattern pattern) {
    try (ElfImage image = ElfImage.open(files, path)) {
      for (ElfImage.Section section : image.sections()) {
        if (section.isConstantData()) {
          Optional<Matcher> found =
              find(image.at(section.offset(), section.size()), start, pattern);
          if (found.isPresent()) {
            return found;
          }
        }
      }
      return Optional.empty();
    }
  }

  /**
   * First match that begins with {@code start}; run time is proportional to the size of the data.
   */
  private static Optional<Matcher> find(ByteBuffer data, String start, Pattern pattern) {
    for (int at = 0; at < data.limit(); at++) {
      if (data.get(at) == start.charAt(0) && ElfImage.begins(data, at, start)) {
        byte[] bytes = new byte[Math.min(MAX_CONSTANT, data.limit() - at)];
        data.get(at, bytes);
        Matcher matcher = pattern.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (matcher.lookingAt()) {
          return Optional.of(matcher);
        }
      }
    }
    return Optional.empty();
  }
}
