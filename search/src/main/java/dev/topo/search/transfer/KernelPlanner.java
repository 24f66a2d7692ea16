package dev.topo.search.transfer;

import dev.topo.model.job.NcclSettings;
import dev.topo.search.connect.P2pChannels;
import dev.topo.search.rules.LaunchRules.TransferRules;
import dev.topo.search.rules.NcclProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Assigns the rounds of a rank to kernels ({@code scheduleP2pTasksToPlan}, {@code
 * addWorkBatchToPlan} and {@code finishPlan}, {@code nccl:src/enqueue.cc}). Used once.
 */
final class KernelPlanner {
  /** Range of descriptions that a batch can refer to, counted from its first. */
  private static final int BATCH_REACH = 64;

  private static final String BUFFER = "NCCL_WORK_FIFO_BYTES";
  private static final long MOST_BUFFER_BYTES = 1L << 30;

  private final TransferRules rules;
  private final P2pChannels channels;
  private final int threads;
  private final int fixedBytes;
  private final int batchBytes;
  private final long argumentBytes;
  private final long bufferBytes;
  private final List<PeerKernel> kernels = new ArrayList<>();
  private final Batch[] last;
  private int rounds;
  private int batches;
  private int mostAtOnce;

  /** The last batch of a channel: the first description that it refers to, and its rounds. */
  private static final class Batch {
    private int firstRound;
    private final Set<Integer> numbers = new HashSet<>();
  }

  /** A planner for the ranks of a node; the settings include the defaults of the release. */
  KernelPlanner(NcclProfile profile, NcclSettings settings, P2pChannels channels) {
    this.rules = profile.transfers();
    this.channels = channels;
    this.threads = profile.launch().maxThreads;
    this.fixedBytes = profile.connect().kernelArgumentsBytes;
    this.batchBytes = profile.connect().workBatchBytes;
    long stated = settings.longInteger("NCCL_WORK_ARGS_BYTES", Long.MAX_VALUE);
    this.argumentBytes =
        Long.compareUnsigned(stated, rules.argumentBytes) < 0 ? stated : rules.argumentBytes;
    this.bufferBytes = bufferBytes(profile, settings) / 2;
    this.last = new Batch[channels.nChannels()];
  }

  /**
   * Size in bytes of the buffer of descriptions: 32 bits without sign, a power of two, at most 1
   * GiB.
   */
  private static long bufferBytes(NcclProfile profile, NcclSettings settings) {
    long stated = Integer.toUnsignedLong((int) settings.longInteger(BUFFER, 0));
    boolean isPowerOfTwo = (stated & (stated - 1)) == 0;
    long used = isPowerOfTwo ? stated : profile.settingDefaults().longInteger(BUFFER, 0);
    return Math.min(used, MOST_BUFFER_BYTES);
  }

  void add(PeerRound round) {
    if (!hasRoom()) {
      finish();
    }
    round.channels().forEach(channel -> add(round.number(), channel));
    rounds++;
  }

  /** True if another round fits, with a separate batch for each of its channels. */
  private boolean hasRoom() {
    long batchesBytes = (batches + (long) channels.nChannelsPerPeer()) * batchBytes;
    long roundsBytes = (rounds + 1L) * rules.callBytes;
    long room = argumentBytes - fixedBytes;
    return batchesBytes + roundsBytes <= room
        || (batchesBytes <= room && roundsBytes <= bufferBytes);
  }

  private void add(int number, int channel) {
    Batch batch = last[channel];
    if (batch == null || !takes(batch, number)) {
      batch = new Batch();
      batch.firstRound = rounds;
      last[channel] = batch;
      batches++;
    } else if (rounds - batch.firstRound >= BATCH_REACH) {
      // One batch for the threads, but a further description of it.
      batch.firstRound = rounds;
      batches++;
    }
    batch.numbers.add(number);
    mostAtOnce = Math.max(mostAtOnce, batch.numbers.size());
  }

  private boolean takes(Batch batch, int number) {
    int group = number / rules.perBatch;
    return batch.numbers.size() < rules.perBatch
        && !batch.numbers.contains(number)
        && (!rules.batchesOfGroups
            || batch.numbers.stream().allMatch(other -> other / rules.perBatch == group));
  }

  private void finish() {
    if (rounds == 0) {
      return;
    }
    long bytes = fixedBytes + (long) batches * batchBytes + (long) rounds * rules.callBytes;
    kernels.add(
        new PeerKernel(
            IntStream.range(0, last.length).filter(c -> last[c] != null).boxed().toList(),
            threads,
            rounds,
            batches,
            mostAtOnce,
            bytes <= argumentBytes));
    Arrays.fill(last, null);
    rounds = 0;
    batches = 0;
    mostAtOnce = 0;
  }

  /** The kernels of all rounds, in order. */
  List<PeerKernel> kernels() {
    finish();
    return List.copyOf(kernels);
  }
}
