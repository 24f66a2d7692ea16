package dev.topo.sweep.result;

import dev.topo.model.diagnostic.FileFault;
import dev.topo.model.diagnostic.InputFile;
import dev.topo.model.diagnostic.OutputException;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.diagnostic.WholeFile;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder of results: {@code sweep.json} describes it, {@code spec.yaml} is the specification,
 * {@code part-…csv.gz} are the rows. Parts that are there are whole, and the same whichever process
 * writes them, so that any may be added by any process.
 */
public final class ResultFolder {
  private static final String INFO = "sweep.json";
  private static final String SPEC = "spec.yaml";
  private static final Pattern PART = Pattern.compile("part-(\\d{6,10})-([0-9a-f]{8})\\.csv\\.gz");
  private static final Pattern SHARD = Pattern.compile("shard-(\\d+)-of-(\\d+)\\.lock");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(SerializationFeature.INDENT_OUTPUT)
          .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
          .build();

  private final Path folder;
  private final SweepInfo info;

  private ResultFolder(Path folder, SweepInfo info) {
    this.folder = folder;
    this.info = info;
  }

  /**
   * A folder for the results of a sweep: a new one, or one of the same sweep.
   *
   * @param spec the text of the specification
   * @throws OutputException if it cannot be made, or has the results of another sweep or build
   */
  public static ResultFolder make(Path folder, SweepInfo info, String spec) {
    try {
      Files.createDirectories(folder);
      Optional<String> other = other(folder);
      // Asked after that, as another shard may have begun in between.
      if (Files.exists(folder.resolve(INFO))) {
        SweepInfo there = open(folder).info;
        if (!there.spec().equals(info.spec())) {
          throw new OutputException(
              "%s has the results of another sweep (%s %s, expected %s %s): expected another folder"
                  .formatted(folder, there.name(), there.spec(), info.name(), info.spec()));
        }
        if (!there.build().equals(info.build())) {
          throw new OutputException(
              "%s has results of another build of topo (%s, this one is %s): expected another folder"
                  .formatted(folder, there.build(), info.build()));
        }
      } else if (other.isPresent()) {
        throw new OutputException(
            "%s is not a folder of results: it has %s, expected a new folder"
                .formatted(folder, other.get()));
      }
      WholeFile.replace(
          folder.resolve(SPEC), out -> out.write(spec.getBytes(StandardCharsets.UTF_8)));
      WholeFile.replace(
          folder.resolve(INFO),
          out ->
              out.write((MAPPER.writeValueAsString(info) + "\n").getBytes(StandardCharsets.UTF_8)));
    } catch (IOException e) {
      throw new OutputException("cannot write " + folder + ": " + FileFault.words(e), e);
    }
    return new ResultFolder(folder, info);
  }

  /** A file that no shard makes before the description; empty if there is none. */
  private static Optional<String> other(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(name -> !name.startsWith(".topo") && !name.equals(SPEC))
          .sorted()
          .findFirst();
    }
  }

  /**
   * A folder that is there.
   *
   * @throws TopologyFormatException if it is none, or of another version
   */
  public static ResultFolder open(Path folder) {
    Path file = folder.resolve(INFO);
    try {
      SweepInfo info =
          MAPPER.readValue(InputFile.text(file, "the description of a sweep"), SweepInfo.class);
      if (!SweepInfo.SCHEMA.equals(info.schema())) {
        throw unusable(file, "schema " + info.schema() + ", expected " + SweepInfo.SCHEMA);
      }
      return new ResultFolder(folder, info);
    } catch (JacksonException e) {
      throw unusable(file, "is not the description of a sweep: " + e.getOriginalMessage());
    }
  }

  private static TopologyFormatException unusable(Path file, String why) {
    return new TopologyFormatException(SourceLocation.of(file.toString()), why);
  }

  /** Its description. */
  public SweepInfo info() {
    return info;
  }

  /** The folder. */
  public Path path() {
    return folder;
  }

  /** The specification that it was made from. */
  public Path spec() {
    return folder.resolve(SPEC);
  }

  /**
   * The numbers of the parts that are there.
   *
   * @throws TopologyFormatException if one is of another sweep
   */
  public TreeSet<Integer> parts() {
    TreeSet<Integer> parts = new TreeSet<>();
    for (String name : names()) {
      Matcher matcher = PART.matcher(name);
      if (matcher.matches()) {
        int part = Integer.parseInt(matcher.group(1));
        if (!info.spec().startsWith(matcher.group(2)) || part >= info.parts()) {
          throw unusable(
              folder.resolve(name),
              "is a part of another sweep, expected parts of %s".formatted(info.spec()));
        }
        parts.add(part);
      }
    }
    return parts;
  }

  /** The numbers of shards that were begun with this folder: how many there are in all. */
  public TreeSet<Integer> shardCounts() {
    TreeSet<Integer> counts = new TreeSet<>();
    for (String name : names()) {
      Matcher matcher = SHARD.matcher(name);
      if (matcher.matches()) {
        counts.add(Integer.parseInt(matcher.group(2)));
      }
    }
    return counts;
  }

  private List<String> names() {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw unusable(folder, "cannot be read (" + FileFault.words(e) + ")");
    }
  }

  /** The file of a part. */
  public Path part(int part) {
    return folder.resolve(info.partName(part));
  }

  /** Writes a part whole or not at all. */
  public void write(int part, List<ResultRow> rows) {
    PartFile.write(part(part), info.axes(), rows);
  }

  /**
   * Reads the rows of a part.
   *
   * @throws TopologyFormatException if it is damaged
   */
  public void read(int part, Consumer<ResultRow> rows) {
    PartFile.read(part(part), info.axes(), rows);
  }

  /**
   * Writes the rows of a part as CSV.
   *
   * @param hasHeader whether the names of the columns come first
   * @throws TopologyFormatException if it is damaged
   */
  public void copy(int part, boolean hasHeader, Appendable out) throws IOException {
    PartFile.print(hasHeader, info.axes(), rows(part), out);
  }

  /**
   * The rows of a part.
   *
   * @throws TopologyFormatException if it is damaged
   */
  public List<ResultRow> rows(int part) {
    List<ResultRow> rows = new ArrayList<>();
    read(part, rows::add);
    return rows;
  }

  /**
   * Makes this process the only one that works on a shard; the end of the process ends that, too.
   *
   * @return what ends it
   * @throws OutputException if another process works on it
   */
  public Closeable lock(int shard, int of) {
    Path file = folder.resolve("shard-%d-of-%d.lock".formatted(shard, of));
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw new OutputException(
            "%s: another process works on shard %d of %d".formatted(folder, shard, of));
      }
      return channel;
    } catch (IOException e) {
      throw new OutputException("cannot lock " + file + ": " + FileFault.words(e), e);
    }
  }
}
