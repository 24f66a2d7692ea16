package dev.topo.simulator.calibration;

import dev.topo.model.QuantityFormat;
import dev.topo.model.io.ResourceTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Error that 90 % of the predicted times outside the fit do not exceed, for the basis of a
 * prediction, a kind of launch and a range of sizes.
 *
 * @param basis name of a calibration, possibly with a suffix such as {@link #NVLS}, or one of the
 *     names below for NCCL's own model
 * @param launch how kernels are launched
 * @param operation the operation; empty for all operations
 * @param fromBytes smallest size of the range, which ends at the next entry; between nodes the size
 *     of a call divided by the number of ranks, which is the data of a step
 * @param part relative error: the excess of the longer of measured and predicted time over the
 *     shorter one
 * @param times number of measured times of such calls; 0 if none are published, and the error is
 *     that of similar calls: on other numbers of nodes or networks, or {@link #UNSEEN} times that
 *     of other operations
 */
public record KnownSpread(
    String basis,
    Launch launch,
    Optional<Operation> operation,
    long fromBytes,
    double part,
    int times) {
  /** Stands for all operations in the table. */
  public static final String ALL = "-";

  /** Suffix of a calibration's name for its NVLS constants. */
  public static final String NVLS = ".nvls";

  /** Suffix of a calibration's name for operations made of sends and receives. */
  public static final String PEER = ".peer";

  /** Suffix of a calibration's name for buffers in symmetric windows. */
  public static final String WINDOW = ".window";

  /** Prefix of a network's name. */
  public static final String NETWORK = "network.";

  /** Suffix of a calibration's name for an NVLink domain of several hosts. */
  public static final String RACK = ".rack";

  /** Suffix of a network's name for a network between such domains. */
  public static final String DOMAIN = ".domain";

  /** Suffix of a network's name for jobs of two nodes. */
  public static final String TWO = ".two";

  /** Suffix of a network's name for jobs of many nodes. */
  public static final String MANY = ".many";

  /** Suffix of a network's name for calls by LL128, which some clusters do not use. */
  public static final String LL128 = ".ll128";

  /** The clusters that take longer by LL128 than others, and their median excess. */
  public static final String SLOWER = NETWORK + "slower";

  /** The other clusters with times by LL128, and the error of nine in ten of these. */
  public static final String USUAL = NETWORK + "usual";

  /** NCCL's own model inside a node. */
  public static final String NCCL_IN_NODE = "nccl-model";

  /** NCCL's own model between nodes. */
  public static final String NCCL_BETWEEN_NODES = "nccl-model.nodes";

  /** Size in bytes from which on bandwidth limits calls. The table has entries that start there. */
  public static final long LARGE = 16 << 20;

  /**
   * Factor for operations between nodes without published times, applied to the error of others.
   * Applied to published ones, the resulting ranges contain more than nine in ten of the times
   * (SpreadTest).
   */
  public static final double UNSEEN = 2;

  /**
   * Sizes in bytes at which the entries of a single operation inside a node start; each extends to
   * the next.
   */
  public static final List<Long> OF_OPERATION = List.of(0L, 256L << 10, 1L << 20, LARGE);

  private static final List<KnownSpread> TABLE =
      ResourceTable.lines(KnownSpread.class, "spreads.txt").stream()
          .map(KnownSpread::parse)
          .toList();

  /** Ways of launching kernels. */
  public enum Launch {
    /** A process for each of two GPUs. */
    PAIR("a process for each of two GPUs"),
    /** A process or a thread for each GPU. */
    EACH("a process for each GPU"),
    /** One thread for several GPUs. */
    SHARED("several GPUs for each process"),
    /** Kernels of a CUDA graph. */
    GRAPH("CUDA graphs");

    private final String label;

    Launch(String label) {
      this.label = label;
    }

    /** The kind of launch for a number of GPUs per process; 0 means a CUDA graph. */
    public static Launch of(int gpusPerProcess, int nRanks) {
      if (gpusPerProcess == 1) {
        return nRanks <= NodeCosts.MEASURED_GPUS ? PAIR : EACH;
      }
      return gpusPerProcess == 0 ? GRAPH : SHARED;
    }

    /** Name in text. */
    public String label() {
      return label;
    }
  }

  /** True if times of such calls are published. */
  public boolean isMeasured() {
    return times > 0;
  }

  /** Spread of a call of any operation; empty if unknown. */
  public static Optional<KnownSpread> of(String basis, Launch launch, long bytes) {
    return ofSize(of(basis, launch), bytes);
  }

  /** Spread of a call: that of its operation at its size if known, else that of all operations. */
  public static Optional<KnownSpread> of(
      String basis, Launch launch, Operation operation, long bytes) {
    Optional<KnownSpread> ofOperation =
        ofSize(select(basis, launch, Optional.of(operation)), bytes);
    Optional<KnownSpread> ofAll = of(basis, launch, bytes);
    if (basis.startsWith(NETWORK)) {
      return ofOperation.or(() -> ofAll);
    }
    return ofOperation.filter(spread -> spread.fromBytes == rangeStart(bytes)).or(() -> ofAll);
  }

  /**
   * Spread of an operation without known times: {@link #UNSEEN} times the largest spread of other
   * operations.
   */
  public static Optional<KnownSpread> ofOthers(
      String basis, Launch launch, Collection<Operation> others, long bytes) {
    return others.stream()
        .flatMap(other -> of(basis, launch, other, bytes).stream())
        .max(Comparator.comparingDouble(KnownSpread::part))
        .map(
            widest ->
                new KnownSpread(
                    basis, launch, Optional.empty(), widest.fromBytes, UNSEEN * widest.part, 0));
  }

  /** The start of the range of sizes of {@link #OF_OPERATION} that contains a size. */
  private static long rangeStart(long bytes) {
    return OF_OPERATION.stream().filter(from -> from <= bytes).max(Long::compare).orElseThrow();
  }

  /** True if published times of this operation on up to 8 GPUs are known. */
  public static boolean isKnownOf(String basis, Operation operation) {
    return TABLE.stream()
            .anyMatch(s -> s.basis.equals(basis) && s.operation.equals(Optional.of(operation)))
        || related(basis).filter(other -> isKnownOf(other, operation)).isPresent();
  }

  private static Optional<KnownSpread> ofSize(List<KnownSpread> spreads, long bytes) {
    return spreads.stream()
        .filter(spread -> spread.fromBytes <= bytes)
        .max(Comparator.comparingLong(KnownSpread::fromBytes));
  }

  /**
   * Spreads of all sizes, smallest size first. If there are none for such launches, those of the
   * related calibration; if it has none either, those of a process for each GPU, since ranges allow
   * for other launches by themselves ({@code TimeEstimate}).
   */
  public static List<KnownSpread> of(String basis, Launch launch) {
    return select(basis, launch, Optional.empty());
  }

  private static List<KnownSpread> select(
      String basis, Launch launch, Optional<Operation> operation) {
    List<KnownSpread> spreads =
        TABLE.stream()
            .filter(spread -> spread.basis.equals(basis) && spread.launch == launch)
            .filter(spread -> spread.operation.equals(operation))
            .sorted(Comparator.comparingLong(KnownSpread::fromBytes))
            .toList();
    if (!spreads.isEmpty()) {
      return spreads;
    }
    Optional<String> related = related(basis);
    if (related.isPresent()) {
      return select(related.get(), launch, operation);
    }
    boolean isKnown = TABLE.stream().anyMatch(s -> s.basis.equals(basis) && s.launch == launch);
    // Between nodes kernels of a graph start sooner than the model says: up to twice as fast.
    boolean isGraph = launch == Launch.GRAPH && basis.startsWith(NETWORK);
    return isKnown || isGraph || launch == Launch.EACH
        ? spreads
        : select(basis, Launch.EACH, operation);
  }

  /** The same basis for the related calibration; empty if there is none. */
  private static Optional<String> related(String basis) {
    int end = basis.indexOf('.');
    String name = end < 0 ? basis : basis.substring(0, end);
    return CalibrationFile.related(name).map(other -> other + basis.substring(name.length()));
  }

  /** Suffix of a network's name for calls by a protocol. */
  public static String suffix(Protocol protocol) {
    return protocol == Protocol.LL128 ? LL128 : "";
  }

  /** The share of clusters that are slower by LL128, and by how much, in words. */
  public static String slowerKind() {
    KnownSpread slower = of(SLOWER, Launch.EACH).get(0);
    return TextWriter.format(
        "1 in %.0f clusters takes %.1f times as long",
        1 + of(USUAL, Launch.EACH).get(0).times / (double) slower.times, 1 + slower.part);
  }

  /** The error by LL128 of nine in ten times of the other clusters, in words. */
  public static String usualKind() {
    return "the others are within " + of(USUAL, Launch.EACH).get(0).text();
  }

  /** Spreads of all sizes, in words. */
  public static String text(String basis, Launch launch) {
    return percents(basis, launch)
        .map("90 of 100 within "::concat)
        .orElse("no range is known for " + launch.label);
  }

  /** Measured errors by size, in words; empty if unknown. */
  public static Optional<String> percents(String basis, Launch launch) {
    return of(basis, launch).stream()
        .map(KnownSpread::text)
        .reduce((smaller, larger) -> smaller + ", " + larger);
  }

  private String text() {
    String percent = TextWriter.format("%.0f %%", Math.ceil(100 * part - 1e-6));
    return fromBytes == 0 ? percent : percent + " from " + QuantityFormat.size(fromBytes) + " on";
  }

  private static KnownSpread parse(String line) {
    String[] cells = line.split(" +");
    return new KnownSpread(
        cells[0],
        Launch.valueOf(cells[1]),
        cells[2].equals(ALL) ? Optional.empty() : Operation.ofName(cells[2]),
        Long.parseLong(cells[3]),
        Double.parseDouble(cells[4]),
        Integer.parseInt(cells[5]));
  }
}
