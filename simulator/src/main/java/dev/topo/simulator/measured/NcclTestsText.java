package dev.topo.simulator.measured;

import dev.topo.model.collective.Collective;
import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.model.settings.NcclSettings;
import dev.topo.simulator.calibration.Measurement;
import dev.topo.simulator.calibration.TestedCollective;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The table that nccl-tests prints, one run or several after each other: lines that begin with a
 * size, with time, algbw, busbw and errors out of place and in place at their end. Which columns
 * stand between differs by version and test; other lines, such as those of NCCL's log, are passed
 * over. What mpirun or srun puts before every line is dropped. Used once.
 */
final class NcclTestsText {
  private static final Pattern TEST = Pattern.compile("# Collective test starting: (\\S+)");
  private static final Pattern THREADS =
      Pattern.compile("# *nThread\\s+\\d+\\s+nGpus\\s+(\\d{1,6})\\s.*?(graph: [1-9]\\d*\\b.*)?");
  private static final Pattern RANK =
      Pattern.compile(
          "# *Rank\\s+(\\d+)\\s+(?:Group\\s+(\\d{1,6})\\s+)?Pid\\s+(\\d+)\\s+on\\s+(\\S+)\\s+device.*");

  /** What a launcher puts before a line, as in {@code [1,0]<stdout>:# nThread 1 nGpus 1}. */
  private static final Pattern TAGGED =
      Pattern.compile(
          "([^#]*\\S[^#]*?) ?# *(?:nccl-tests version|Collective test starting:|nThread) .*");

  /** How each run ends, in any version. */
  private static final String END = "# Avg bus bandwidth";

  /** The names of the columns. */
  private static final Pattern HEADING = Pattern.compile("#\\s+size\\s+count\\s.*");

  private static final Pattern ROW = Pattern.compile("\\s*\\d+\\s+\\d+\\s+\\S+.*");

  /** What has two words in a row and one in the heading. */
  private static final String TIMESTAMP = "timestamp";

  /**
   * The column of wrong elements, from that of the time. Versions before 2.12 have an error in it,
   * below 1.
   */
  private static final int WRONG = 3;

  /** Size, count and type stand before the times at least. */
  private static final int BEFORE = 3;

  private final String file;
  private final Unsaid unsaid;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Measurement> wrong = new ArrayList<>();
  private final Set<String> hosts = new HashSet<>();
  private Optional<String> test = Optional.empty();
  private OptionalInt gpusPerThread = OptionalInt.empty();
  private int ranks;
  private boolean listing;
  private String tag = "";
  private boolean isCutOff;
  private boolean isOfQueueing;

  /** Columns from the time out of place to the end: time, algbw, busbw and errors, twice. */
  private int outOfPlace = 8;

  /** Columns from the time in place to the end. */
  private int inPlace = 4;

  private int passedOver;

  NcclTestsText(String file, Unsaid unsaid) {
    this.file = file;
    this.unsaid = unsaid;
  }

  MeasuredRun read(String text) {
    int number = 0;
    for (String line : text.lines().toList()) {
      number++;
      String own = untagged(line);
      if (own.startsWith("#")) {
        comment(own.stripTrailing());
      } else if (ROW.matcher(own).matches()) {
        row(own.strip().split("\\s+"), number);
      }
    }
    return new MeasuredRun(
        file,
        hosts.isEmpty() ? OptionalInt.empty() : OptionalInt.of(hosts.size()),
        gpusPerThread,
        NcclSettings.DEFAULTS,
        List.of(),
        measurements,
        wrong,
        passedOver,
        isCutOff);
  }

  private String untagged(String line) {
    Matcher tagged = TAGGED.matcher(line);
    if (tagged.matches()) {
      tag = tagged.group(1);
    }
    if (tag.isEmpty() || !line.startsWith(tag)) {
      return line;
    }
    String own = line.substring(tag.length());
    return own.startsWith(" #") ? own.substring(1) : own;
  }

  private void comment(String line) {
    Matcher started = TEST.matcher(line);
    Matcher threads = THREADS.matcher(line);
    Matcher rank = RANK.matcher(line);
    if (started.matches()) {
      test = Optional.of(started.group(1));
    } else if (threads.matches()) {
      gpusPerThread =
          OptionalInt.of(threads.group(2) == null ? Integer.parseInt(threads.group(1)) : 0);
    } else if (HEADING.matcher(line).matches()) {
      heading(List.of(line.split("\\s+")));
    } else if (line.startsWith(END)) {
      isCutOff = false;
    }
    boolean isRank = rank.matches();
    if (isRank && !listing) {
      ranks = 0;
      hosts.clear();
    }
    listing = isRank;
    // With a split there are several groups; the table is of one communicator.
    if (isRank && (rank.group(2) == null || Integer.parseInt(rank.group(2)) == 0)) {
      ranks++;
      hosts.add(rank.group(4));
    }
  }

  /** Behind the times may be a time of day or an estimate, between them times of iterations. */
  private void heading(List<String> names) {
    isOfQueueing = names.contains("cputime");
    String time = isOfQueueing ? "cputime" : "time";
    int more = names.contains(TIMESTAMP) ? 1 : 0;
    if (names.contains(time)) {
      outOfPlace = names.size() - names.indexOf(time) + more;
      inPlace = names.size() - names.lastIndexOf(time) + more;
    }
  }

  private void row(String[] cells, int line) {
    if (cells.length < BEFORE + outOfPlace) {
      return;
    }
    if (cells[0].equals("0") || test.map(TestedCollective::isPeerToPeer).orElse(false)) {
      passedOver++;
      return;
    }
    // Rows alone were cut out on purpose.
    isCutOff = ranks > 0;
    if (isOfQueueing) {
      throw wrong(line, MeasuredRun.OF_QUEUEING);
    }
    int out = cells.length - outOfPlace;
    int in = cells.length - inPlace;
    try {
      boolean isWrong = isWrong(cells[out + WRONG]) || isWrong(cells[in + WRONG]);
      (isWrong ? wrong : measurements)
          .add(
              new Measurement(
                  nGpus(line),
                  collective(line),
                  unsaid.forced(),
                  OptionalInt.empty(),
                  Long.parseLong(cells[0]),
                  Double.parseDouble(cells[out]),
                  Double.parseDouble(cells[in])));
    } catch (NumberFormatException e) {
      throw wrong(
          line,
          "\""
              + String.join(" ", cells)
              + "\": expected size, count, type, … and time, algbw, busbw, #wrong twice");
    } catch (IllegalArgumentException e) {
      throw wrong(line, String.valueOf(e.getMessage()));
    }
  }

  /** N/A where results were not checked. */
  private static boolean isWrong(String cell) {
    return !cell.equals("N/A") && Double.parseDouble(cell) >= 1;
  }

  private int nGpus(int line) {
    if (ranks > 0) {
      return ranks;
    }
    return unsaid
        .nGpus()
        .orElseThrow(
            () ->
                wrong(line, "a row before any \"Rank 0 …\": the file does not tell how many GPUs"));
  }

  private Collective collective(int line) {
    if (test.isEmpty()) {
      return unsaid
          .collective()
          .orElseThrow(
              () ->
                  wrong(
                      line,
                      "a row before any \"Collective test starting\": name the collective with --collective"));
    }
    return TestedCollective.of(test.get())
        .orElseThrow(
            () ->
                wrong(
                    line,
                    "the test "
                        + test.get()
                        + " is not known, expected all_reduce_perf, all_gather_perf, reduce_scatter_perf,"
                        + " broadcast_perf or reduce_perf"));
  }

  private TopologyFormatException wrong(int line, String what) {
    return new TopologyFormatException(new SourceLocation(file, line, 1), what);
  }
}
