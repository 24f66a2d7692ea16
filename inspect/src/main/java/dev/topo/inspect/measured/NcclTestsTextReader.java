package dev.topo.inspect.measured;

import dev.topo.inspect.log.RunOrigin;
import dev.topo.inspect.measured.RunReader.RunHints;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/**
 * Reads the table printed by nccl-tests, of one run or several consecutive runs of one kind: lines
 * that begin with a size, with time, algbw, busbw and errors out of place and in place at their
 * end. The columns between them differ by version and test; other lines, such as those of NCCL's
 * log, are skipped. Prefixes of mpirun or srun are removed. Single use.
 */
final class NcclTestsTextReader {
  private static final Pattern ROW = Pattern.compile("\\s*\\d+\\s+\\d+\\s+\\S+.*");

  private static final Pattern CELL = Pattern.compile("\\S+");

  /** Row interrupted by a line of NCCL's log: nccl-tests prints the end of a row after the call. */
  private static final Pattern TORN = Pattern.compile(".*\\bNCCL (?:INFO|WARN|TRACE|ABORT)\\b.*");

  private final String file;
  private final RunHints hints;
  private final List<NcclTestsTable> tables = new ArrayList<>();
  private NcclTestsTable table;
  private int torn;

  NcclTestsTextReader(String file, RunHints hints) {
    this.file = file;
    this.hints = hints;
    this.table = next();
  }

  private NcclTestsTable next() {
    NcclTestsTable next = new NcclTestsTable(file, hints);
    tables.add(next);
    return next;
  }

  MeasuredRun read(String text) {
    return read(text.lines().toList(), text.endsWith("\n"), RunOrigin.of(text));
  }

  /** Reads lines; the last one may be truncated if it has no line end. */
  MeasuredRun read(List<? extends CharSequence> lines, boolean hasEnd, RunOrigin origin) {
    LauncherTag tag = new LauncherTag();
    for (int i = 0; i < lines.size(); i++) {
      CharSequence line = tag.dropFrom(lines.get(i));
      boolean mayBeTruncated = i == lines.size() - 1 && !hasEnd;
      if (line.length() > 0 && line.charAt(0) == '#') {
        comment(stripTrailing(line), i + 1);
      } else if (ROW.matcher(line).matches()) {
        row(tag.dropInside(line), i + 1, mayBeTruncated);
      }
    }
    tables.forEach(NcclTestsTable::finish);
    tables.removeIf(t -> !t.hasRows() && t.passedOver() == 0);
    Set<String> remarks = new LinkedHashSet<>();
    tables.forEach(t -> remarks.addAll(t.remarks()));
    if (torn > 0) {
      remarks.add(QuantityFormat.count(torn, "row") + " torn by NCCL's log (NCCL_DEBUG): left out");
    }
    return new MeasuredRun(
        file,
        origin,
        nodes(),
        gpusPerThread(),
        NcclSettings.DEFAULTS,
        List.of(),
        tables.stream().flatMap(t -> t.measurements().stream()).toList(),
        tables.stream().flatMap(t -> t.wrong().stream()).toList(),
        tables.stream().mapToInt(NcclTestsTable::passedOver).sum(),
        List.copyOf(remarks),
        tables.stream().flatMap(t -> t.peers().stream()).toList(),
        tables.stream().flatMap(t -> t.failures().stream()).toList());
  }

  private static CharSequence stripTrailing(CharSequence line) {
    int end = line.length();
    while (end > 0 && Character.isWhitespace(line.charAt(end - 1))) {
      end--;
    }
    return line.subSequence(0, end);
  }

  private void comment(CharSequence line, int number) {
    if (table.isEndedBy(line)) {
      table = next();
    }
    table.comment(line, number);
  }

  private void row(CharSequence line, int number, boolean mayBeTruncated) {
    if (TORN.matcher(line).matches()) {
      torn++;
      return;
    }
    try {
      table.row(cells(line), number);
    } catch (TopologyFormatException e) {
      if (!mayBeTruncated || !table.hasRows()) {
        throw e;
      }
    }
  }

  /** Words between blanks. */
  private static String[] cells(CharSequence line) {
    return CELL.matcher(line).results().map(MatchResult::group).toArray(String[]::new);
  }

  private OptionalInt nodes() {
    OptionalInt nodes = OptionalInt.empty();
    for (NcclTestsTable run : tables) {
      if (run.hasRows() && run.nHosts() > 0) {
        if (nodes.orElse(run.nHosts()) != run.nHosts()) {
          throw mixed(run, "of " + QuantityFormat.count(run.nHosts(), "host"));
        }
        nodes = OptionalInt.of(run.nHosts());
      }
    }
    return nodes;
  }

  /**
   * Number of GPUs per thread. It may differ between runs only if one thread launches for all GPUs.
   */
  private OptionalInt gpusPerThread() {
    OptionalInt found = OptionalInt.empty();
    boolean isOneThread = true;
    for (NcclTestsTable run : tables) {
      OptionalInt count = run.gpusPerThread();
      if (run.hasRows() && count.isPresent()) {
        isOneThread &= run.isOneThread();
        if (found.orElse(count.getAsInt()) != count.getAsInt() && !isOneThread) {
          throw mixed(
              run,
              count.getAsInt() == 0
                  ? "of CUDA graphs"
                  : "with " + QuantityFormat.count(count.getAsInt(), "GPU") + " a thread (nGpus)");
        }
        found = OptionalInt.of(Math.max(found.orElse(0), count.getAsInt()));
      }
    }
    return found;
  }

  private TopologyFormatException mixed(NcclTestsTable other, String what) {
    return new TopologyFormatException(
        new SourceLocation(file, other.firstRow(), 1),
        "a run " + what + " after others: expected runs of one kind, a file for each");
  }
}
