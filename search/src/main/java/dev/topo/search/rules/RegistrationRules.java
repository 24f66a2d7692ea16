package dev.topo.search.rules;

import dev.topo.model.operation.Collective;
import dev.topo.search.rules.RuleTable.Rules;
import java.util.Map;
import java.util.Objects;

/**
 * The changes by registered buffers in the launch of an algorithm ({@code
 * nccl:src/register/coll_reg.cc}; {@code ncclNvlsRegResourcesQuery}, {@code
 * nccl:src/transport/nvls.cc}). The numbers are those of 2.27 and 2.28; those of a version whose
 * {@link #knowledge} is another have no meaning.
 */
public final class RegistrationRules extends Rules {
  /** The knowledge of registered buffers in a version. */
  public enum Knowledge {
    /** The rules are these. */
    KNOWN,
    /** The version has other rules: up to 2.26 and from 2.29 on. */
    OTHER
  }

  private final Map<Collective, BySm<Double>> nvlsAlone =
      table.numbersByCollective("registration.nvls-alone.");
  private final Map<Collective, BySm<Double>> nvls =
      table.numbersByCollective("registration.nvls.");
  private final BySm<Double> nvlsFastReduceScatter =
      table.numbersBySm("registration.nvls.fast-reduce-scatter");

  public final Knowledge knowledge = table.one("registration.rules", Knowledge.class);

  /** The value of NCCL_CTA_POLICY that prefers few channels to short times. */
  public final int efficientPolicy = table.integer("registration.efficient-policy");

  /** Bandwidth of ReduceScatter by NVLS above which it gets more channels. */
  final double nvlsFastGBps = table.number("registration.nvls-fast-gbps");

  /** Channels on one node with direct access to registered buffers, instead of a few more. */
  public final int peerChannels = table.integer("registration.peer-channels");

  /** The most channels that are reduced to {@link #peerChannels}. */
  public final int peerChannelsMost = table.integer("registration.peer-channels-most");

  /** Channels where the network accesses the buffers of the only rank of each node. */
  public final int networkChannels = table.integer("registration.network-channels");

  RegistrationRules(RuleTable table) {
    super(table);
  }

  /** Channels of all heads of NVLS together on one node. */
  public int nvlsChannelsAlone(Collective collective, int sm) {
    return at(nvlsAlone, collective, sm);
  }

  /**
   * Channels of NVLS on several nodes.
   *
   * @param modelGBps bandwidth of the collective by NVLS in the tuning model
   */
  public int nvlsChannels(Collective collective, int sm, double modelGBps) {
    return collective == Collective.REDUCE_SCATTER && modelGBps > nvlsFastGBps
        ? nvlsFastReduceScatter.at(sm).intValue()
        : at(nvls, collective, sm);
  }

  private static int at(Map<Collective, BySm<Double>> values, Collective collective, int sm) {
    return Objects.requireNonNull(values.get(collective)).at(sm).intValue();
  }
}
