package dev.topo.search.rules;

import dev.topo.model.operation.SymmetricKernel;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Numbers of the time of AllGather kernels on GPUs of Blackwell, to which NCCL's authors fitted
 * measurements ({@code ncclSymkLsaA2AParameterTable} and {@code ncclSymkLsaA2AModel}, {@code
 * nccl:src/tuning/sym_model/lsa_a2a.cc}). Bandwidths are in GB/s.
 */
public final class FittedRules extends Rules {
  /**
   * The numbers of a kernel.
   *
   * @param latencyUs time without data of one rank
   * @param rankLatencyUs the same of each further rank
   * @param lineGBps bandwidth at which a block writes lines of LL; 0 for kernels without them
   * @param blockGBps bandwidth at which a block sends
   * @param peakGBps bandwidth at which all blocks together send
   */
  public record Row(
      double latencyUs, double rankLatencyUs, double lineGBps, double blockGBps, double peakGBps) {}

  private static final String ROWS = "symmetric.fitted.";

  private final SmSet sms = table.smSet("symmetric.fitted-sm");
  private final Map<SymmetricKernel, Row> rows = new EnumMap<>(SymmetricKernel.class);
  private final TreeMap<Integer, Double> lowLatencyBlocks = new TreeMap<>();
  private final int lowLatencyBlocksAboveRanks =
      table.integer("symmetric.fitted-ll-blocks-above-ranks");
  private final double multicastAlone = table.number("symmetric.fitted-tma-multicast-alone");

  /** The part of its time by which each block makes a kernel less attractive. */
  public final float blockPenalty = table.single("symmetric.fitted-penalty");

  /** Blocks up to which latency and transfer of LL by multicast overlap. */
  public final double overlappingBlocks = table.number("symmetric.fitted-ll-multicast-blocks");

  /** The GPUs on which some numbers of blocks of AllGather_TmaST are slower. */
  public final SmSet unevenSms = table.smSet("symmetric.fitted-tma-sm");

  /** The peak of AllGather_TmaST on them with fewer blocks than ranks. */
  public final double fewBlocksGBps = table.number("symmetric.fitted-tma-few-blocks-gbps");

  /** The first number of blocks with a lower peak on them, and how far apart these are. */
  private final double[] troughBlocks = table.numbers("symmetric.fitted-tma-trough-blocks");

  /** The peak with these. */
  public final double troughGBps = table.number("symmetric.fitted-tma-trough-gbps");

  /** The time of these besides that of others. */
  public final double troughUs = table.number("symmetric.fitted-tma-trough-us");

  private FittedRules(RuleTable table) {
    super(table);
    table.group(ROWS).keySet().forEach(label -> rows.put(kernel(label), row(label)));
    for (String word : table.words("symmetric.fitted-ll-blocks")) {
      String[] point = word.split(":", 2);
      lowLatencyBlocks.put(Integer.valueOf(point[0]), Double.valueOf(point[1]));
    }
  }

  /** The numbers of a version; empty where it has none. */
  static Optional<FittedRules> of(RuleTable table) {
    return table.text("symmetric.fitted-sm").equals("none")
        ? Optional.empty()
        : Optional.of(new FittedRules(table));
  }

  private static SymmetricKernel kernel(String label) {
    return SymmetricKernel.ofLabel(label)
        .orElseThrow(() -> new IllegalArgumentException("unknown symmetric kernel " + label));
  }

  private Row row(String label) {
    double[] numbers = table.numbers(ROWS + label);
    return new Row(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]);
  }

  /** The numbers of a kernel on such GPUs; empty where NCCL has none. */
  public Optional<Row> row(SymmetricKernel kernel, int sm) {
    return sms.contains(sm) ? Optional.ofNullable(rows.get(kernel)) : Optional.empty();
  }

  /** The part of its bandwidth that each of so many blocks reaches. */
  public double blockShare(SymmetricKernel kernel, int nRanks, int blocks) {
    if (kernel == SymmetricKernel.ALL_GATHER_TMA_MULTICAST && blocks == 1) {
      return multicastAlone;
    }
    Map.Entry<Integer, Double> below = lowLatencyBlocks.lowerEntry(blocks);
    Map.Entry<Integer, Double> from = lowLatencyBlocks.ceilingEntry(blocks);
    if (kernel != SymmetricKernel.ALL_GATHER_LL
        || nRanks <= lowLatencyBlocksAboveRanks
        || below == null
        || from == null) {
      return 1;
    }
    double part =
        (log2(blocks) - log2(below.getKey())) / (log2(from.getKey()) - log2(below.getKey()));
    return below.getValue() + part * (from.getValue() - below.getValue());
  }

  /** True if AllGather_TmaST has a lower peak with so many blocks on {@link #unevenSms}. */
  public boolean isTrough(int blocks) {
    return blocks >= troughBlocks[0] && (blocks - troughBlocks[0]) % troughBlocks[1] == 0;
  }

  private static double log2(int blocks) {
    return Math.log(blocks) / Math.log(2);
  }
}
