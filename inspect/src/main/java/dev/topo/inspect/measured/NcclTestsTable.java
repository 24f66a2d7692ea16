package dev.topo.inspect.measured;

import dev.topo.inspect.log.FailureSign;
import dev.topo.inspect.log.FailureSign.Kind;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.SpecField;
import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Collects a single run of nccl-tests line by line: facts from its comments, then its rows. */
final class NcclTestsTable {
  private static final Pattern TEST = Pattern.compile("# Collective test starting: (\\S+)");
  private static final Pattern THREADS =
      Pattern.compile("# *nThread\\s+(\\d{1,6})\\s+nGpus\\s+(\\d{1,6})\\s.*");
  private static final Pattern AGGREGATED = Pattern.compile(".*\\bagg iters: (\\d{1,9})\\b.*");
  private static final Pattern GRAPH = Pattern.compile(".*\\bgraph: [1-9].*");
  private static final Pattern RANK =
      Pattern.compile(
          "# *Rank\\s+(\\d{1,9})\\s+(?:Group\\s+(\\d{1,6})\\s+)?Pid\\s+(\\d+)\\s+on\\s+(\\S+)\\s+device.*");
  private static final Pattern OUT_OF_BOUNDS =
      Pattern.compile("# Out of bounds values\\s*:\\s*(?:\\d+\\s+FAILED|0*[1-9]\\d*\\b).*");
  private static final String BLOCKING = "# Blocking Enabled";

  /** Start of a last line of a run, in any version. */
  private static final Pattern END =
      Pattern.compile("# (?:Out of bounds values|Avg bus bandwidth).*");

  private static final String CUT_OFF =
      "before nccl-tests' last line (# Avg bus bandwidth): the run was cut off";

  private static final Pattern LARGEST =
      Pattern.compile(".*\\bmaxBytes (\\d{1,18})\\b(?:.* step: ?(\\d{1,9})\\(factor\\))?.*");

  /** Line with the names of the columns. */
  private static final Pattern HEADING = Pattern.compile("#\\s+size\\s+count\\s.*");

  /** Column that has one word in the heading but two in each row. */
  private static final String TIMESTAMP = "timestamp";

  /**
   * Offset from the time to the column of wrong elements. Versions before 2.12 print an error below
   * 1 there.
   */
  private static final int WRONG = 3;

  private static final int BUSBW = 2;

  /**
   * Minimum number of columns before the times: size, count and type; in most versions the operator
   * follows.
   */
  private static final int LEADING_COLUMNS = 3;

  private static final int TYPE = 2;

  /**
   * Relative tolerance between algbw and size divided by time: both are rounded to at least two
   * digits.
   */
  private static final double ROUNDING_TOLERANCE = 0.06;

  /** Rounding of a rate that is printed with two digits after the point. */
  private static final double DIGIT = 0.005;

  /** Largest number of ranks that can be told by a ratio of numbers with two digits. */
  private static final int MOST_RANKS = 1024;

  private static final double MIN_ALGBW = 0.01;
  private static final double BYTES_PER_US = 1e3;

  private final String file;
  private final RunHints hints;
  private final List<Measurement> measurements = new ArrayList<>();
  private final List<Measurement> wrong = new ArrayList<>();
  private final List<PeerMeasurement> peers = new ArrayList<>();
  private final Set<Integer> ranks = new HashSet<>();
  private final Set<String> hosts = new HashSet<>();
  private final Set<String> types = new LinkedHashSet<>();
  private Optional<String> test = Optional.empty();
  private OptionalInt threads = OptionalInt.empty();
  private int gpusPerThread;
  private int aggregated = 1;
  private boolean isGraph;
  private boolean isBlocking;
  private boolean isListing;
  private boolean hasCpuTimes;
  private boolean isFailed;
  private boolean isCutOff;
  private boolean isExcerpt;
  private int lineNumber;
  private int firstRow;
  private int lastRow;
  private long lastBytes;
  private int passedOver;
  private final List<PeerMeasurement> wrongPeers = new ArrayList<>();
  private final SortedMap<Integer, String[]> unread = new TreeMap<>();
  private OptionalInt ratioRanks = OptionalInt.empty();
  private long largest = Long.MAX_VALUE;
  private long factor;

  /**
   * Number of columns from the out-of-place time to the end: time, algbw, busbw and errors, twice.
   */
  private int outOfPlace = 8;

  /** Number of columns from the in-place time to the end. */
  private int inPlace = 4;

  NcclTestsTable(String file, RunHints hints) {
    this.file = file;
    this.hints = hints;
  }

  /** True if a comment is the first line of another run. */
  boolean isEndedBy(CharSequence comment) {
    if (TEST.matcher(comment).matches()) {
      return test.isPresent() || threads.isPresent() || !ranks.isEmpty() || firstRow > 0;
    }
    if (THREADS.matcher(comment).matches()) {
      return threads.isPresent() || !ranks.isEmpty() || firstRow > 0;
    }
    return !isListing && firstRow > 0 && RANK.matcher(comment).matches();
  }

  void comment(CharSequence line, int number) {
    lineNumber = number;
    Matcher started = TEST.matcher(line);
    Matcher threaded = THREADS.matcher(line);
    Matcher rank = RANK.matcher(line);
    isListing = rank.matches();
    if (started.matches()) {
      test = Optional.of(started.group(1));
    } else if (threaded.matches()) {
      threads = OptionalInt.of(Integer.parseInt(threaded.group(1)));
      gpusPerThread = Integer.parseInt(threaded.group(2));
      isGraph = GRAPH.matcher(line).matches();
      Matcher most = LARGEST.matcher(line);
      if (most.matches()) {
        largest = Long.parseLong(most.group(1));
        factor = most.group(2) == null ? 0 : Long.parseLong(most.group(2));
      }
      Matcher aggregation = AGGREGATED.matcher(line);
      aggregated = aggregation.matches() ? Integer.parseInt(aggregation.group(1)) : 1;
    } else if (isListing) {
      rank(rank);
    } else if (HEADING.matcher(line).matches()) {
      heading(List.of(line.toString().split("\\s+")));
    } else if (line.toString().startsWith(BLOCKING)) {
      isBlocking = true;
    } else if (END.matcher(line).matches()) {
      isFailed |= OUT_OF_BOUNDS.matcher(line).matches();
      isCutOff = false;
    }
  }

  /**
   * Accepts a line about a rank. After a split there are several groups; only the first counts,
   * because the table is about one communicator.
   */
  private void rank(Matcher rank) {
    if (rank.group(2) == null || Integer.parseInt(rank.group(2)) == 0) {
      if (!ranks.add(Integer.parseInt(rank.group(1)))) {
        throw wrong(
            "rank %s is listed twice: several jobs wrote this, or nccl-tests was built without MPI=1",
            rank.group(1));
      }
      hosts.add(rank.group(4));
    }
  }

  /**
   * Accepts the heading. A timestamp or an estimate may follow the times, and times of iterations
   * may stand between them.
   */
  private void heading(List<String> names) {
    hasCpuTimes = names.contains("cputime");
    String time = hasCpuTimes ? "cputime" : "time";
    int extraCells = names.contains(TIMESTAMP) ? 1 : 0;
    if (names.contains(time)) {
      outOfPlace = names.size() - names.indexOf(time) + extraCells;
      inPlace = names.size() - names.lastIndexOf(time) + extraCells;
    }
  }

  void row(String[] cells, int number) {
    lineNumber = number;
    if (cells.length < LEADING_COLUMNS + outOfPlace) {
      return;
    }
    if (hasCpuTimes) {
      throw wrong(MeasuredRun.OF_QUEUEING);
    }
    Optional<PeerOperation> peer = TestedCollective.peer(test, hints);
    if (!cells[0].equals("0")
        && ranks.isEmpty()
        && hints.nGpus().isEmpty()
        && ratioRanks.isEmpty()) {
      unread.put(number, cells);
      return;
    }
    if (cells[0].equals("0") || peer.isPresent()) {
      passedOver++;
    }
    if (cells[0].equals("0")) {
      return;
    }
    int out = cells.length - outOfPlace;
    int in = cells.length - inPlace;
    try {
      long size = Long.parseLong(cells[0]);
      double counted =
          peer.map(operation -> operation.countedBytes(size, nGpus())).orElse((double) size);
      checkRate(cells, counted, out);
      checkRate(cells, counted, in);
      boolean isWrong = isWrong(cells[out + WRONG]) || isWrong(cells[in + WRONG]);
      double timeUs = Double.parseDouble(cells[out]);
      double inPlaceUs = Double.parseDouble(cells[in]);
      double busbw = Double.parseDouble(cells[out + BUSBW]);
      double inPlaceBusbw = Double.parseDouble(cells[in + BUSBW]);
      if (peer.isPresent()) {
        peer(new PeerMeasurement(nGpus(), peer.get(), size, timeUs, inPlaceUs), busbw, isWrong);
      } else {
        Measurement measurement =
            new Measurement(
                nGpus(),
                collective(cells[LEADING_COLUMNS]),
                hints.forced(),
                OptionalInt.empty(),
                size,
                timeUs,
                inPlaceUs);
        Measurement.checkBusbw(measurement, busbw, false);
        Measurement.checkBusbw(measurement, inPlaceBusbw, true);
        (isWrong ? wrong : measurements).add(measurement);
      }
    } catch (NumberFormatException e) {
      throw wrong("%s", expected(cells));
    } catch (IllegalArgumentException e) {
      throw wrong("%s", String.valueOf(e.getMessage()));
    }
    firstRow = firstRow == 0 ? number : firstRow;
    MeasuredRun.ofType(cells[TYPE], cells[LEADING_COLUMNS]).ifPresent(types::add);
    // Rows without the header of a run were extracted on purpose.
    isCutOff = !ranks.isEmpty();
    lastRow = number;
    long bytes = Long.parseLong(cells[0]);
    // A run that stops has all sizes up to its end; one with gaps was shortened by hand.
    isExcerpt |= factor > 0 && lastBytes > 0 && bytes / factor > lastBytes + lastBytes / 2;
    lastBytes = bytes;
  }

  /**
   * Reads the rows of a table without a list of ranks. The ratio of busbw to algbw gives their
   * number, best where both have the most digits.
   */
  void finish() {
    unread.values().stream()
        .max(Comparator.comparingDouble(cells -> number(cells, 1)))
        .ifPresent(cells -> ratioRanks = ranksOf(number(cells, 1), number(cells, BUSBW)));
    if (ratioRanks.isEmpty() && !unread.isEmpty()) {
      lineNumber = unread.firstKey();
      nGpus();
    }
    unread.forEach((number, cells) -> row(cells, number));
  }

  private double number(String[] cells, int offset) {
    try {
      return Double.parseDouble(cells[cells.length - outOfPlace + offset]);
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** The only number of ranks with this ratio, as far as the digits go; empty if there is none. */
  private OptionalInt ranksOf(double algbw, double busbw) {
    Optional<Operation> operation =
        TestedCollective.peer(test, hints)
            .<Operation>map(peer -> peer)
            .or(() -> TestedCollective.collective(test, hints));
    double rounding = busbw / algbw * DIGIT * (1 / algbw + 1 / busbw);
    int[] fitting =
        operation.stream()
            .flatMapToInt(
                one ->
                    IntStream.rangeClosed(2, MOST_RANKS)
                        .filter(n -> Math.abs(one.busbwFactor(n) - busbw / algbw) <= rounding))
            .toArray();
    return fitting.length == 1 ? OptionalInt.of(fitting[0]) : OptionalInt.empty();
  }

  private void peer(PeerMeasurement measurement, double busbw, boolean isWrong) {
    Measurement.checkBusbw(measurement, busbw, false);
    (isWrong ? wrongPeers : peers).add(measurement);
  }

  /**
   * Rejects rows whose algbw contradicts the time: columns are shifted, or times are not in
   * microseconds.
   */
  private void checkRate(String[] cells, double bytes, int time) {
    double algbw = Double.parseDouble(cells[time + 1]);
    double rate = bytes / Double.parseDouble(cells[time]) / BYTES_PER_US;
    if (!(Math.abs(algbw - rate) <= ROUNDING_TOLERANCE * Math.abs(rate) + MIN_ALGBW)) {
      throw wrong(
          "%.0f B in %s us are %.2f GB/s and not algbw %s: %s",
          bytes, cells[time], rate, cells[time + 1], expected(cells));
    }
  }

  private static String expected(String[] cells) {
    return "\""
        + String.join(" ", cells)
        + "\": expected size, count, type, … and time, algbw, busbw, #wrong twice";
  }

  /** True for a wrong result; the cell is N/A if results were not checked. */
  private static boolean isWrong(String cell) {
    return !cell.equals("N/A") && Double.parseDouble(cell) >= 1;
  }

  private int nGpus() {
    if (!ranks.isEmpty()) {
      return ranks.size();
    }
    String unknown = "a row before any \"Rank 0 …\": the file does not tell how many GPUs";
    int count =
        (ratioRanks.isPresent() ? ratioRanks : hints.nGpus()).orElseThrow(() -> wrong(unknown));
    if (threads.orElse(0) * gpusPerThread > count) {
      throw wrong(
          "nThread %d nGpus %d: more GPUs than the %d of the job",
          threads.getAsInt(), gpusPerThread, count);
    }
    return count;
  }

  private Collective collective(String operator) {
    Collective collective = named();
    boolean reduces =
        switch (collective) {
          case ALL_REDUCE, REDUCE, REDUCE_SCATTER -> true;
          case ALL_GATHER, BROADCAST -> false;
        };
    if (reduces && operator.equals("none")) {
      throw wrong("a row with redop none: expected an operator of %s", collective.ncclTestsName());
    }
    return collective;
  }

  private Collective named() {
    if (test.isEmpty()) {
      String unnamed = "a row before any \"Collective test starting\": name the collective with %s";
      return TestedCollective.collective(test, hints)
          .orElseThrow(() -> wrong(unnamed, SpecField.COLLECTIVE));
    }
    String unknown =
        "the test %s is not known, expected all_reduce_perf, all_gather_perf, reduce_scatter_perf,"
            + " broadcast_perf or reduce_perf";
    return TestedCollective.of(test.get()).orElseThrow(() -> wrong(unknown, test.get()));
  }

  private TopologyFormatException wrong(String what, Object... values) {
    return new TopologyFormatException(
        new SourceLocation(file, lineNumber, 1), SpecText.of(what, values));
  }

  boolean hasRows() {
    return firstRow > 0;
  }

  int firstRow() {
    return firstRow;
  }

  /** Number of participating hosts; 0 if unknown. */
  int nHosts() {
    return hosts.size();
  }

  /**
   * Number of GPUs for which one thread launches kernels, 0 with a CUDA graph; empty if unknown.
   */
  OptionalInt gpusPerThread() {
    return threads.isEmpty() ? OptionalInt.empty() : OptionalInt.of(isGraph ? 0 : gpusPerThread);
  }

  boolean isOneThread() {
    return threads.isPresent() && !isGraph && gpusPerThread == ranks.size();
  }

  /**
   * Measurements with correct results; empty if some are wrong and the version, before 2.12, does
   * not say which.
   */
  List<Measurement> measurements() {
    return hasUnidentifiedErrors() ? List.of() : measurements;
  }

  List<Measurement> wrong() {
    return hasUnidentifiedErrors() ? measurements : wrong;
  }

  private boolean hasUnidentifiedErrors() {
    return isFailed && wrong.isEmpty();
  }

  /** Measurements of sends and receives with correct results. */
  List<PeerMeasurement> peers() {
    return isFailed && wrongPeers.isEmpty() ? List.of() : peers;
  }

  int passedOver() {
    return passedOver;
  }

  /** Evidence that the run failed, beside wrong results of collectives. */
  List<FailureSign> failures() {
    List<FailureSign> failures = new ArrayList<>();
    List<PeerMeasurement> bad = isFailed && wrongPeers.isEmpty() ? peers : wrongPeers;
    if (!bad.isEmpty()) {
      failures.add(
          MeasuredRun.wrongResults(
              file, bad.size(), wrongPeers.isEmpty() ? 0 : peers.size(), bad.get(0)));
    }
    if (isCutOff && lastBytes < largest && !isExcerpt) {
      String of = largest == Long.MAX_VALUE ? "" : " of " + QuantityFormat.size(largest);
      failures.add(
          FailureSign.of(
              Kind.STOPPED,
              file + ":" + lastRow,
              "ends at " + QuantityFormat.size(lastBytes) + of + ", " + CUT_OFF));
    }
    return failures;
  }

  /** Reasons not to treat the rows as single calls, a sentence each. */
  List<String> remarks() {
    List<String> remarks = new ArrayList<>();
    if (isCutOff && lastBytes >= largest) {
      remarks.add("ends " + CUT_OFF);
    }
    if (isExcerpt) {
      remarks.add("rows are missing between others: an excerpt, whose end says nothing");
    }
    if (aggregated > 1 && hasRows()) {
      remarks.add(MeasuredRun.aggregated(aggregated));
    }
    if (isBlocking && hasRows()) {
      remarks.add(MeasuredRun.OF_BLOCKING);
    }
    remarks.addAll(types);
    return remarks;
  }
}
