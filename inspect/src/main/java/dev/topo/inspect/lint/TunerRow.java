package dev.topo.inspect.lint;

import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Algorithm.Pair;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Protocol;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A row of a file of NCCL's example tuner plugin, as the plugin reads it ({@code loadConfig},
 * {@code nccl:ext-tuner/example/plugin.c}, 2.28.9).
 *
 * @param text the row without blanks around it
 * @param numbers sizes and channels, then the nodes, ranks, calls and buffers that it applies to
 */
public record TunerRow(String text, Collective collective, Pair pair, List<Double> numbers) {
  /** Collective, sizes, algorithm, protocol; channels, nodes, ranks, calls of a group, buffers. */
  private static final Pattern ROW =
      Pattern.compile(
          "(broadcast|reduce|allgather|reducescatter|allreduce),(\\d+,\\d+),"
              + "(tree|ring|collnet_direct|collnet_chain|nvls|nvls_tree|pat),(ll|ll128|simple)"
              + "((,-?\\d+){3,5})(,.*)?");

  private static final double ANY = -1;

  public TunerRow {
    numbers = List.copyOf(numbers);
  }

  /** Parses a line; empty for a comment and for a line that the plugin misreads. */
  public static Optional<TunerRow> of(String line) {
    Matcher row = ROW.matcher(line.replaceAll("[ \t\r]", "").replaceAll(",+", ","));
    if (!row.matches()) {
      return Optional.empty();
    }
    String joined = row.group(2) + row.group(5) + ",-1,-1";
    return Optional.of(
        new TunerRow(
            line.strip(),
            Collective.ofLabel(row.group(1)).orElseThrow(),
            new Pair(
                Algorithm.ofLabel(row.group(3).replace("_", "")).orElseThrow(),
                Protocol.ofLabel(row.group(4)).orElseThrow()),
            Stream.of(joined.split(",")).map(Double::valueOf).toList()));
  }

  /** The smallest size of its calls in bytes. */
  public double min() {
    return numbers.get(0);
  }

  /** The largest size of its calls in bytes. */
  public double max() {
    return numbers.get(1);
  }

  boolean hasAnyChannels() {
    return numbers.get(2) == ANY;
  }

  /** The nodes of the jobs that it applies to; -1 for any number. */
  public double nodes() {
    return numbers.get(3);
  }

  /** The ranks of the jobs that it applies to; -1 for any number. */
  public double ranks() {
    return numbers.get(4);
  }

  /** True if this row applies to all jobs of another row and to some of its sizes. */
  boolean overlaps(TunerRow other) {
    return collective == other.collective
        && min() <= other.max()
        && other.min() <= max()
        && IntStream.range(3, 7)
            .allMatch(i -> numbers.get(i) == ANY || numbers.get(i).equals(other.numbers.get(i)));
  }
}
