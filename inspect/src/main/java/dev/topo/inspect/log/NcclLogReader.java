package dev.topo.inspect.log;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.InputText;
import dev.topo.model.io.Inputs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Reads a log of NCCL_DEBUG=INFO with the subsystems INIT, GRAPH, TUNING and ENV. Lines begin with
 * {@code host:pid:tid [dev] NCCL INFO } or {@code [dev] NCCL INFO }, with any prefix of a launcher;
 * lines of several ranks may be mixed. Host, process and device identify ranks, not the thread:
 * NCCL creates communicators on separate threads. Other lines, and lines with numbers out of range,
 * are skipped ({@code ncclDebugLog}, {@code nccl:src/debug.cc}).
 */
public final class NcclLogReader {
  private static final Pattern LINE = Pattern.compile("\\[(\\d+)\\] NCCL INFO (.*)");

  /** Host, process and thread, after text of another program in the same line. */
  private static final Pattern PROCESS = Pattern.compile("(?:.*:)?([^:]+:\\d+):\\d+");

  private static final Pattern VERSION = Pattern.compile("NCCL version (\\S+)");
  private static final Pattern SETTING = Pattern.compile("(NCCL_\\w+) set by environment to (.*)");

  private Optional<String> version = Optional.empty();
  private final Map<String, String> settings = new LinkedHashMap<>();
  private final List<RankLines> ranks = new ArrayList<>();
  private final Map<String, RankLines> current = new HashMap<>();

  private NcclLogReader() {}

  /**
   * Reads a file; bytes that are not UTF-8 become replacement characters.
   *
   * @throws dev.topo.model.io.TopologyFormatException if it cannot be read
   */
  public static NcclLog read(Path file, Inputs inputs) {
    return parse(text(file, inputs));
  }

  /**
   * Reads the files of several processes of one job, as NCCL_DEBUG_FILE writes them, as one log.
   *
   * @throws dev.topo.model.io.TopologyFormatException if one cannot be read
   */
  public static NcclLog read(List<Path> files, Inputs inputs) {
    return parse(QuantityFormat.joined("\n", files, file -> text(file, inputs)));
  }

  private static String text(Path file, Inputs inputs) {
    return InputText.printed(inputs.bytes(file, "a log of NCCL"));
  }

  public static NcclLog parse(String text) {
    return parse(text::lines);
  }

  /** Parses lines. Each is scanned a bounded number of times, whatever its length. */
  static NcclLog parse(Supplier<Stream<? extends CharSequence>> lines) {
    NcclLogReader reader = new NcclLogReader();
    lines.get().forEach(reader::accept);
    return new NcclLog(
        reader.version,
        reader.settings,
        RunOrigin.of(lines.get()),
        reader.ranks.stream().map(RankLines::log).toList());
  }

  private void accept(CharSequence line) {
    Matcher versionLine = VERSION.matcher(line);
    if (versionLine.find()) {
      version = Optional.of(versionLine.group(1));
      return;
    }
    Matcher matcher = LINE.matcher(line);
    if (!matcher.find()) {
      return;
    }
    CharSequence message = line.subSequence(matcher.start(2), matcher.end(2));
    Matcher setting = SETTING.matcher(message);
    if (setting.matches()) {
      // NCCL prints a full stop after numbers.
      settings.put(setting.group(1), setting.group(2).strip().replaceFirst("(?<=\\d)\\.$", ""));
      return;
    }
    try {
      lines(process(line.subSequence(0, matcher.start())) + "[" + matcher.group(1) + "]", message)
          .accept(message, line.length());
    } catch (NumberFormatException e) {
      // No rank, size or id can be this number: the line is damaged or not NCCL's.
      return;
    }
  }

  /** Host and process at the start of a line, followed by a blank; empty if there are none. */
  private static String process(CharSequence before) {
    int end = before.length() - 1;
    if (end < 0 || before.charAt(end) != ' ') {
      return "";
    }
    int begin = end;
    while (begin > 0 && !Character.isWhitespace(before.charAt(begin - 1))) {
      begin--;
    }
    Matcher process = PROCESS.matcher(before.subSequence(begin, end));
    return process.matches() ? process.group(1) + " " : "";
  }

  private RankLines lines(String written, CharSequence message) {
    String source = source(written);
    RankLines lines = current.get(source);
    if (lines == null || lines.startsNextCommunicator(message)) {
      lines = new RankLines(source);
      current.put(source, lines);
      ranks.add(lines);
    }
    return lines;
  }

  /**
   * Returns the source of a line. A program on the same stream may have written text without a line
   * end before it: nccl-tests leaves {@code N/A} or {@code -1} of its table before the name of the
   * host.
   */
  private String source(String written) {
    if (current.containsKey(written) || written.startsWith("[")) {
      return written;
    }
    return current.keySet().stream()
        .filter(known -> !known.startsWith("[") && written.endsWith(known))
        .findFirst()
        .orElse(written);
  }
}
