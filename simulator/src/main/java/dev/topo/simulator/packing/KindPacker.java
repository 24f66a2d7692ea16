package dev.topo.simulator.packing;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Packs given numbers of channels of one graph. NCCL's own channels are among the candidates. Not
 * thread-safe: keeps packings that it has found.
 */
public final class KindPacker {
  private final ChannelSpace space;
  private final List<PlacedChannel> ofNccl;
  private final Map<PortRule, ChannelPacker> packers = new EnumMap<>(PortRule.class);
  private final SortedMap<Integer, Packing> known = new TreeMap<>();

  /**
   * Creates a packer for a space.
   *
   * @param ofNccl channels of NCCL's search; at least one
   * @param mayCross whether channels may leave through another port than they enter
   */
  public KindPacker(ChannelSpace space, List<PlacedChannel> ofNccl, boolean mayCross) {
    this.space = space;
    this.ofNccl = List.copyOf(ofNccl);
    for (PortRule ports : PortRule.values()) {
      boolean isApplicable = ports == PortRule.SAME || (space.hasLast() && space.ports() > 1);
      if (isApplicable && (ports == PortRule.SAME || mayCross)) {
        packers.put(ports, new ChannelPacker(space, ports, Double.POSITIVE_INFINITY));
      }
    }
  }

  /** Total bandwidth of some channels by the link model, in GB/s. */
  public double totalGBps(List<PlacedChannel> channels) {
    return space.totalGBps(channels);
  }

  /**
   * Upper bound of the total bandwidth of channels, in GB/s; an estimate unless {@link
   * #isBoundExact}.
   */
  public double boundGBps() {
    return packers.values().stream().mapToDouble(ChannelPacker::boundGBps).max().orElseThrow();
  }

  /** True if {@link #boundGBps} is proven. */
  public boolean isBoundExact() {
    return packers.values().stream().allMatch(ChannelPacker::isBoundExact);
  }

  /**
   * True if {@code count} packed channels are about as fast as the bound, so that no other number
   * of channels is faster.
   */
  public boolean isReached(int count) {
    return packed(count).gbps() >= boundGBps() * (1 - ChannelPacker.NEAR);
  }

  /**
   * Returns the best packing found for {@code count} channels. The result can depend on earlier
   * calls: packings of a divisor of {@code count} are candidates, repeated, and all searches share
   * one limit of steps. Repeated calls with the same number return the same packing.
   */
  public Packing packed(int count) {
    Packing packing = known.get(count);
    if (packing == null) {
      packing = pack(count);
      known.put(count, packing);
    }
    return packing;
  }

  private Packing pack(int count) {
    Packing best = repeated(ofNccl, portsOfNccl(), count);
    for (PortRule ports : PortRule.values()) {
      ChannelPacker packer = packers.get(ports);
      if (packer != null && count % ports.channels() == 0 && !packer.isReached(best.gbps())) {
        best = better(best, packer, ports, count);
      }
    }
    return best;
  }

  private Packing better(Packing best, ChannelPacker packer, PortRule ports, int count) {
    Packing better = best;
    for (Map.Entry<Integer, Packing> earlier : known.entrySet()) {
      if (count % earlier.getKey() == 0 && earlier.getValue().ports() == ports) {
        Packing again = repeated(earlier.getValue().channels(), ports, count);
        better = isBetter(again, better) ? again : better;
      }
    }
    if (packer.isReached(better.gbps())) {
      return better;
    }
    List<PlacedChannel> channels = packer.pack(count);
    Packing packed = new Packing(channels, ports, space.totalGBps(channels));
    return isBetter(packed, better) ? packed : better;
  }

  private static boolean isBetter(Packing packing, Packing than) {
    return packing.gbps() > than.gbps() * (1 + ChannelPacker.TOLERANCE);
  }

  private PortRule portsOfNccl() {
    return ofNccl.stream().allMatch(channel -> channel.in() == channel.out())
        ? PortRule.SAME
        : PortRule.ALTERNATING;
  }

  /**
   * The first {@code count} of given channels, repeated from the first if there are fewer. Without
   * bandwidth if the ports would not alternate.
   */
  private Packing repeated(List<PlacedChannel> channels, PortRule ports, int count) {
    List<PlacedChannel> placed =
        IntStream.range(0, count).mapToObj(c -> channels.get(c % channels.size())).toList();
    boolean isRuleKept = count % ports.channels() == 0 && channels.size() % ports.channels() == 0;
    return new Packing(placed, ports, isRuleKept ? space.totalGBps(placed) : 0);
  }
}
