package dev.topo.simulator.sweep;

import dev.topo.model.io.FileFault;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.OutputException;
import dev.topo.model.io.TopologyFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.ValueInstantiationException;
import tools.jackson.databind.json.JsonMapper;

/**
 * A folder of results: {@code sweep.json} is its description, {@code spec.yaml} the specification,
 * and {@code part-…csv.gz} contain the rows. Existing parts are complete and do not depend on the
 * process that wrote them, so that any process may add any part.
 *
 * @param info description of the folder
 */
public record ResultFolder(Path folder, SweepInfo info, Inputs inputs) {
  static final String INFO = "sweep.json";
  static final String SPEC = "spec.yaml";
  private static final Pattern PART = Pattern.compile("part-(\\d{6,10})-([0-9a-f]{8})\\.csv\\.gz");
  private static final Pattern SHARD = Pattern.compile("shard-(\\d{1,7})-of-(\\d{1,7})\\.lock");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
          .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
          .build();

  /**
   * Creates a folder for the results of a sweep, or opens the existing folder of the same sweep.
   *
   * @param spec text of the specification
   * @throws OutputException if the folder cannot be created, has the results of another sweep, or
   *     has files but no results
   */
  public static ResultFolder make(Path folder, SweepInfo info, String spec, Inputs inputs) {
    new FolderMaker(folder, info, spec, inputs).make();
    return new ResultFolder(folder, info, inputs);
  }

  /**
   * Opens an existing folder.
   *
   * @throws TopologyFormatException if it is not a folder of results, or has an unknown version
   */
  public static ResultFolder open(Path folder, Inputs inputs) {
    Path file = folder.resolve(INFO);
    requireFile(file);
    try {
      SweepInfo info =
          MAPPER.readValue(inputs.text(file, "the description of a sweep"), SweepInfo.class);
      Optional<String> fault =
          info == null ? Optional.of("is null, expected an object") : info.fault();
      if (fault.isPresent()) {
        throw unusable(file, fault.get());
      }
      return new ResultFolder(folder, info, inputs);
    } catch (JacksonException e) {
      throw unusable(file, "is not the description of a sweep: " + text(e));
    }
  }

  /** Rejects special files, such as a pipe, on which reading could block. */
  private static void requireFile(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw unusable(file, "is no regular file, expected one of topo sweep");
    }
  }

  /**
   * A message of Jackson without names of classes, which are in backticks or after a parenthesis. A
   * null in a list of the description fails when the list is copied.
   */
  private static String text(JacksonException e) {
    if (e instanceof ValueInstantiationException) {
      return "null where a value is expected";
    }
    String message =
        Objects.requireNonNullElse(e.getOriginalMessage(), "").replaceFirst("(?s)( \\(|; `).*", "");
    return message.contains("`") ? "a value of another kind than expected" : message;
  }

  /** Checks that an output is a regular file or new: a link could lead out of the folder. */
  static void requireOwn(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new OutputException(
          "cannot write " + file + ": a link, a folder or no file, expected a file of topo sweep");
    }
  }

  static TopologyFormatException unusable(Path file, String why) {
    return new TopologyFormatException(file.toString(), why);
  }

  /** The specification that it was made from. */
  public Path spec() {
    return folder.resolve(SPEC);
  }

  /** The text of the specification of the sweep. */
  public String specText() {
    requireFile(spec());
    return SpecReader.text(spec(), inputs);
  }

  /**
   * The numbers of the existing parts.
   *
   * @throws TopologyFormatException if a part belongs to another sweep
   */
  public TreeSet<Integer> parts() {
    TreeSet<Integer> parts = new TreeSet<>();
    for (String name : names()) {
      Matcher matcher = PART.matcher(name);
      if (matcher.matches()) {
        long part = Long.parseLong(matcher.group(1));
        if (part >= info.parts() || !name.equals(info.partName((int) part))) {
          throw unusable(
              folder.resolve(name),
              "is a part of another sweep, expected parts of %s".formatted(info.spec()));
        }
        parts.add((int) part);
      }
    }
    return parts;
  }

  /**
   * Those of the wanted parts that are missing; checks the existing ones.
   *
   * @throws TopologyFormatException if a part is damaged, or belongs to another sweep
   */
  public List<Integer> missing(List<Integer> wanted) {
    TreeSet<Integer> saved = parts();
    wanted.stream().filter(saved::contains).forEach(this::check);
    return wanted.stream().filter(part -> !saved.contains(part)).toList();
  }

  /** The numbers of shards into which runs with this folder divided the sweep. */
  TreeSet<Integer> shardCounts() {
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
      throw unusable(folder, "cannot be read (" + FileFault.text(e) + ")");
    }
  }

  /** The file of a part. */
  Path part(int part) {
    return folder.resolve(info.partName(part));
  }

  /** Writes a part atomically. */
  void write(int part, List<ResultRow> rows) {
    PartFile.write(part(part), info.axes(), rows);
  }

  /**
   * Reads the rows of a part, and verifies its checksum.
   *
   * @throws TopologyFormatException if it is damaged
   */
  PartFile.Summary read(int part, Consumer<ResultRow> rows) {
    return PartFile.read(part(part), info.axes(), inputs, rows);
  }

  /**
   * Checks a part.
   *
   * @throws TopologyFormatException if it is damaged
   */
  PartFile.Summary check(int part) {
    return read(part, row -> {});
  }

  /**
   * Writes the rows of a part as CSV.
   *
   * @param hasHeader whether to write the names of the columns first
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
  List<ResultRow> rows(int part) {
    List<ResultRow> rows = new ArrayList<>();
    read(part, rows::add);
    return rows;
  }

  /**
   * Locks a shard for this process. The lock ends when the result is closed or the process ends.
   *
   * @param shard number of the shard, from 1
   * @param of number of shards
   * @return the lock
   * @throws OutputException if another process has locked the shard
   */
  public Closeable lock(int shard, int of) {
    Path file = folder.resolve("shard-%s-of-%s.lock".formatted(shard, of));
    requireOwn(file);
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw new OutputException(
            "%s: another process works on shard %s of %s".formatted(folder, shard, of));
      }
      return channel;
    } catch (IOException e) {
      throw OutputException.of("cannot lock " + file, e);
    }
  }
}
