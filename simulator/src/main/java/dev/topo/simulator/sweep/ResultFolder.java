package dev.topo.simulator.sweep;

import dev.topo.model.io.Diagnostic.SourceLocation;
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
 * A folder of results: {@code sweep.json} describes it, {@code spec.yaml} is the specification,
 * {@code part-…csv.gz} are the rows. Parts that are there are whole, and the same whichever process
 * writes them, so that any may be added by any process.
 */
public final class ResultFolder {
  static final String INFO = "sweep.json";
  static final String SPEC = "spec.yaml";
  private static final Pattern PART = Pattern.compile("part-(\\d{6,10})-([0-9a-f]{8})\\.csv\\.gz");
  private static final String BEGUN = ".tmp";
  private static final Pattern SHARD = Pattern.compile("shard-(\\d{1,7})-of-(\\d{1,7})\\.lock");

  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
          .build();

  private final Path folder;
  private final SweepInfo info;
  private final Inputs inputs;

  private ResultFolder(Path folder, SweepInfo info, Inputs inputs) {
    this.folder = folder;
    this.info = info;
    this.inputs = inputs;
  }

  /**
   * A folder for the results of a sweep: a new one, or one of the same sweep.
   *
   * @param spec the text of the specification
   * @throws OutputException if it cannot be made, or has the results of another sweep or build, or
   *     other files and no results
   */
  public static ResultFolder make(Path folder, SweepInfo info, String spec, Inputs inputs) {
    return new ResultFolder(
        folder, new FolderMaker(folder, info.withYaml(spec), spec, inputs).make(), inputs);
  }

  /**
   * A folder that is there.
   *
   * @throws TopologyFormatException if it is none, or of another version
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

  /** A list or an object of the description may have null where Java has no value. */
  private static String text(JacksonException e) {
    return e instanceof ValueInstantiationException
        ? "null where a value is expected"
        : Objects.requireNonNullElse(e.getOriginalMessage(), "");
  }

  /** Makes sure that the input is a file: a pipe could be waited for without end. */
  private static void requireFile(Path file) {
    if (Files.exists(file) && !Files.isRegularFile(file)) {
      throw unusable(file, "is no regular file, expected one of topo sweep");
    }
  }

  /** Makes sure that the output is a file of the folder: a link could lead to another one. */
  static void requireOwn(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        && !Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new OutputException(
          "cannot write " + file + ": a link, a folder or no file, expected a file of topo sweep");
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
   * The text of the specification that it was made from.
   *
   * @throws TopologyFormatException if it is missing or another one
   */
  public String ownSpecText() {
    String text = specText();
    if (!isOwnSpec(text)) {
      throw unusable(
          spec(),
          "is not the specification of these results, expected one with SHA-256 " + info.yaml());
    }
    return text;
  }

  /** The text in the place of the specification. */
  String specText() {
    requireFile(spec());
    return inputs.text(spec(), "the YAML of a sweep");
  }

  /** True if a text is that of the specification, as the description has its checksum. */
  boolean isOwnSpec(String text) {
    return Checksum.of(text).equals(info.yaml());
  }

  /** True if a file is named as a part that is being written was by earlier versions. */
  static boolean isBegunPart(Path file, SweepInfo info) {
    String name = String.valueOf(file.getFileName());
    Matcher matcher = PART.matcher(name.substring(0, Math.max(0, name.length() - BEGUN.length())));
    return name.endsWith(BEGUN) && matcher.matches() && matcher.group(2).equals(info.partHash());
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
   * Which of some parts are not there; checks the others.
   *
   * @throws TopologyFormatException if one is damaged, or of another sweep
   */
  public List<Integer> missing(List<Integer> wanted) {
    TreeSet<Integer> saved = parts();
    wanted.stream().filter(saved::contains).forEach(this::check);
    return wanted.stream().filter(part -> !saved.contains(part)).toList();
  }

  /** The numbers of shards that were begun with this folder: how many there are in all. */
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
  public Path part(int part) {
    return folder.resolve(info.partName(part));
  }

  /** Writes a part whole or not at all. */
  public void write(int part, List<ResultRow> rows) {
    PartFile.write(part(part), info.axes(), rows);
  }

  /**
   * Reads the rows of a part, and checks them. What reads a part reads it here: it is damaged for
   * all of them or for none.
   *
   * @throws TopologyFormatException if it is damaged, or not this part of the sweep
   */
  public PartSummary read(int part, Consumer<ResultRow> rows) {
    requireFile(part(part));
    return PartFile.read(part(part), info, part, inputs, rows);
  }

  /**
   * Checks a part.
   *
   * @throws TopologyFormatException if it is damaged, or not this part of the sweep
   */
  public PartSummary check(int part) {
    return read(part, row -> {});
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
    requireOwn(file);
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        channel.close();
        throw new OutputException(
            "%s: another process works on shard %d of %d".formatted(folder, shard, of));
      }
      return channel;
    } catch (IOException e) {
      throw new OutputException("cannot lock " + file + ": " + FileFault.text(e), e);
    }
  }
}
