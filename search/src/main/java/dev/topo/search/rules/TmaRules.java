package dev.topo.search.rules;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.SymmetricKernel;
import dev.topo.model.operation.SymmetricKernel.Multicast;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Numbers of the symmetric kernels that use the tensor memory accelerator of Blackwell ({@code
 * queryModel_lsa}, {@code nccl:src/tuning/sym_model.cc}; {@code ncclSymkTmaDeepEligible}, {@code
 * nccl:src/sym_kernels.cc}).
 */
public final class TmaRules extends Rules {
  private final double latencyUs = table.number("symmetric.tma-latency-us");
  private final double storesLatencyUs = table.number("symmetric.tma-stores-latency-us");
  private final double gain = table.number("symmetric.tma-gain");
  private final long multicastBytes = table.longInteger("symmetric.tma-multicast-bytes");
  private final Map<Collective, Long> blockBytes =
      List.of(Collective.ALL_GATHER, Collective.ALL_REDUCE, Collective.REDUCE_SCATTER).stream()
          .collect(
              Collectors.toUnmodifiableMap(
                  collective -> collective,
                  collective ->
                      table.longInteger(
                          "symmetric.tma-block-bytes." + RuleTable.word(collective))));

  /** The bandwidth that the blocks of AllGather_TmaST approach. */
  final double storesPeakGiBps = table.number("symmetric.tma-stores-peak-gibps");

  /** The part of the bandwidth of a block without TMA that multicast of bulk copies reaches. */
  public final double multicastShare = table.number("symmetric.tma-multicast-share");

  TmaRules(RuleTable table) {
    super(table);
  }

  /** The time without data besides that of the kernel without TMA. */
  double latencyUs(SymmetricKernel kernel) {
    if (!kernel.usesTma()) {
      return 0;
    }
    return kernel == SymmetricKernel.ALL_GATHER_TMA ? latencyUs + storesLatencyUs : latencyUs;
  }

  /** Factor of the peak bandwidth of a kernel. */
  public double gain(SymmetricKernel kernel) {
    return kernel.usesTma() && kernel.multicast() == Multicast.NONE ? gain : 1;
  }

  /** The least bytes of a call of which so many blocks copy parts in bulk. */
  public long leastBytes(SymmetricKernel kernel, int nRanks, int blocks) {
    if (kernel.multicast() != Multicast.NONE) {
      return multicastBytes;
    }
    int parts = kernel.collective() == Collective.ALL_GATHER ? blocks : nRanks * blocks;
    return Objects.requireNonNull(blockBytes.get(kernel.collective())) * parts;
  }
}
