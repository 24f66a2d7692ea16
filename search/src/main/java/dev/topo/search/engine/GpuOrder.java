package dev.topo.search.engine;

import dev.topo.model.graph.GraphKind.Pattern;
import dev.topo.search.engine.PathRoute.BandwidthLedger;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The order in which GPUs are tried after a given one, best first, so that a search that is cut off
 * has found good channels ({@code ncclTopoSearchNextGpuSort}, {@code nccl:src/graph/search.cc}).
 */
final class GpuOrder {
  private final SearchSpace space;
  private final BandwidthLedger ledger;

  /**
   * All GPUs in order for each (GPU, port), ignoring the bandwidth left on PCI; the last index
   * means no port.
   */
  private final int[] @Nullable [] sorted;

  GpuOrder(SearchSpace space, BandwidthLedger ledger) {
    this.space = space;
    this.ledger = ledger;
    this.sorted = new int[space.gpus * (space.nets + 1)][];
  }

  /** How the path back to the network influences the order. */
  enum NetPreference {
    /** No path back to the network. */
    NONE,
    /** The next GPU is the one that goes back: near the port first. */
    NEAR_FIRST,
    /** A later GPU goes back: near the port last, where the GPUs are otherwise alike. */
    NEAR_LAST
  }

  /**
   * Writes the GPUs to try after {@code gpu} to {@code next} and returns how many there are.
   *
   * @param net the port where the channel began; any number if there is none
   * @param used for each GPU, a bit mask of the channels that contain it
   * @param channel bit of the current channel
   */
  int next(
      int gpu,
      NetPreference preference,
      int net,
      Pattern pattern,
      long[] used,
      long channel,
      int[] next) {
    if (space.hasNvSwitch && !space.rules.triesBeyondNeighbours) {
      return neighbours(gpu, pattern, used, channel, next);
    }
    int count = byScore(gpu, preference, net, used, channel, next);
    if (space.hasNvSwitch) {
      neighboursFirst(gpu, pattern, next, count);
    }
    return count;
  }

  private int byScore(
      int gpu, NetPreference preference, int net, long[] used, long channel, int[] next) {
    boolean toNet = preference != NetPreference.NONE;
    int[] order = sorted(gpu, toNet ? net : space.nets);
    int count = 0;
    boolean alike = preference == NetPreference.NEAR_LAST;
    int reference = -1;
    for (int candidate : order) {
      if ((used[candidate] & channel) != 0) {
        continue;
      }
      int at = count++;
      while (toNet && at > 0 && hasMorePciLeft(net, candidate, next[at - 1])) {
        next[at] = next[at - 1];
        at--;
      }
      next[at] = candidate;
      reference = reference < 0 ? candidate : reference;
      alike = alike && isAlike(gpu, reference, candidate);
    }
    if (alike) {
      reverse(next, count);
    }
    return count;
  }

  /**
   * Among GPUs that the port reaches equally fast, more bandwidth left on the PCI link comes first.
   */
  private boolean hasMorePciLeft(int net, int a, int b) {
    return (int) space.netToGpu(net, a).bwGBps == (int) space.netToGpu(net, b).bwGBps
        && pciLeft(a) > pciLeft(b);
  }

  /**
   * The bandwidth left on the PCI link of a GPU in whole GB/s, in the narrower direction; -1 if it
   * has none.
   */
  private int pciLeft(int gpu) {
    int up = space.pciUplink[gpu];
    int down = space.pciDownlink[gpu];
    return down < 0 ? -1 : (int) Math.min(ledger.left(up), ledger.left(down));
  }

  private boolean isAlike(int gpu, int a, int b) {
    PathRoute toA = space.gpuToGpu(gpu, a);
    PathRoute toB = space.gpuToGpu(gpu, b);
    return (int) toA.bwGBps == (int) toB.bwGBps && toA.hops() == toB.hops();
  }

  private static void reverse(int[] values, int count) {
    for (int i = 0, j = count - 1; i < j; i++, j--) {
      int swap = values[i];
      values[i] = values[j];
      values[j] = swap;
    }
  }

  /**
   * On an NVSwitch all GPUs are alike; only the neighbours in file order are tried. NCCL sorts all
   * GPUs before it picks these two, which discards that order.
   */
  private int neighbours(int gpu, Pattern pattern, long[] used, long channel, int[] next) {
    int after = (gpu + 1) % space.gpus;
    int before = (gpu - 1 + space.gpus) % space.gpus;
    boolean isTree = pattern == Pattern.SPLIT_TREE || pattern == Pattern.BALANCED_TREE;
    int count = 0;
    if (pattern == Pattern.RING && before != after && isFree(gpu, before, used, channel)) {
      next[count++] = before;
    }
    if (isFree(gpu, after, used, channel)) {
      next[count++] = after;
    }
    if (isTree && before != after && isFree(gpu, before, used, channel)) {
      next[count++] = before;
    }
    return count;
  }

  /** Moves the neighbours to the front, in the order of {@link #neighbours}. */
  private void neighboursFirst(int gpu, Pattern pattern, int[] next, int count) {
    int after = (gpu + 1) % space.gpus;
    int before = (gpu - 1 + space.gpus) % space.gpus;
    if (pattern == Pattern.SPLIT_TREE || pattern == Pattern.BALANCED_TREE) {
      toFront(before, next, count);
    }
    toFront(after, next, count);
    if (pattern == Pattern.RING) {
      toFront(before, next, count);
    }
  }

  private static void toFront(int gpu, int[] next, int count) {
    for (int i = 0; i < count; i++) {
      if (next[i] == gpu) {
        System.arraycopy(next, 0, next, 1, i);
        next[0] = gpu;
      }
    }
  }

  /** True if a channel at {@code gpu} can continue to another GPU. */
  private boolean isFree(int gpu, int candidate, long[] used, long channel) {
    return candidate != gpu
        && (used[candidate] & channel) == 0
        && space.gpuToGpu(gpu, candidate).hops() > 0;
  }

  private int[] sorted(int gpu, int net) {
    int at = gpu * (space.nets + 1) + net;
    int[] order = sorted[at];
    if (order == null) {
      order = sort(gpu, net);
      sorted[at] = order;
    }
    return order;
  }

  private int[] sort(int gpu, int net) {
    int[] order = new int[space.gpus];
    int count = 0;
    for (int i = 1; i < space.gpus; i++) {
      int candidate = (gpu + i) % space.gpus;
      if (space.gpuToGpu(gpu, candidate).hops() == 0) {
        continue;
      }
      int at = count++;
      // Insertion keeps equals in the order of the file, which is NCCL's last criterion.
      while (at > 0 && isBetter(gpu, net, candidate, order[at - 1])) {
        order[at] = order[at - 1];
        at--;
      }
      order[at] = candidate;
    }
    return Arrays.copyOf(order, count);
  }

  private boolean isBetter(int gpu, int net, int a, int b) {
    if (net < space.nets) {
      PathRoute netToA = space.netToGpu(net, a);
      PathRoute netToB = space.netToGpu(net, b);
      if ((int) netToA.bwGBps != (int) netToB.bwGBps) {
        return (int) netToA.bwGBps > (int) netToB.bwGBps;
      }
      if (netToA.hops() != netToB.hops()) {
        return netToA.hops() < netToB.hops();
      }
    }
    PathRoute toA = space.gpuToGpu(gpu, a);
    PathRoute toB = space.gpuToGpu(gpu, b);
    if ((int) toA.bwGBps != (int) toB.bwGBps) {
      return (int) toA.bwGBps > (int) toB.bwGBps;
    }
    return toA.hops() < toB.hops();
  }
}
