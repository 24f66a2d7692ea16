package dev.topo.inspect.log;

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
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads a log of NCCL_DEBUG=INFO with the subsystems INIT, GRAPH, TUNING and ENV. Lines begin with
 * {@code host:pid:tid [dev] NCCL INFO } or {@code [dev] NCCL INFO }, whatever a launcher puts
 * before that; lines of several ranks may be mixed. Host, process and device identify ranks, not
 * the thread: NCCL makes communicators on threads of their own. What does not look like one of
 * NCCL's lines is passed over, numbers that do not fit too ({@code ncclDebugLog}, {@code
 * nccl:src/debug.cc}).
 */
public final class NcclLogReader {
  private static final Pattern LINE = Pattern.compile("\\[(\\d+)\\] NCCL INFO (.*)");

  /** Host, process and thread, after what another program may have left in the line. */
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
    return parse(files.stream().map(file -> text(file, inputs)).collect(Collectors.joining("\n")));
  }

  private static String text(Path file, Inputs inputs) {
    return InputText.printed(inputs.bytes(file, "a log of NCCL"));
  }

  public static NcclLog parse(String text) {
    return parse(text::lines);
  }

  /** Reads lines. Each is read a number of times that does not depend on its length. */
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
      // Numbers have a full stop after them.
      settings.put(setting.group(1), setting.group(2).strip().replaceFirst("(?<=\\d)\\.$", ""));
      return;
    }
    try {
      lines(process(line.subSequence(0, matcher.start())) + "[" + matcher.group(1) + "]", message)
          .accept(message, line.length());
    } catch (NumberFormatException e) {
      // A number that no rank, size or id can be: not NCCL's line, or a damaged one.
      return;
    }
  }

  /** The host and the process that a line begins with, and a blank; empty if it has none. */
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
    if (lines == null || lines.isOfNext(message)) {
      lines = new RankLines(source);
      current.put(source, lines);
      ranks.add(lines);
    }
    return lines;
  }

  /**
   * Who a line is from. A program that shares the stream may have written without a line's end just
   * before: nccl-tests leaves {@code N/A} or {@code -1} of its table before the name of the host.
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
