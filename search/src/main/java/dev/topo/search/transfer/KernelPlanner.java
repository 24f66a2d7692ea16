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
 * Distributes the rounds of a rank over kernels ({@code scheduleP2pTasksToPlan}, {@code
 * addWorkBatchToPlan} and {@code finishPlan}, {@code nccl:src/enqueue.cc}). Used once.
 */
final class KernelPlanner {
  /** Number of consecutive work descriptions to which one batch entry can refer. */
  private static final int BATCH_REACH = 64;

  private static final String BUFFER_SETTING = "NCCL_WORK_FIFO_BYTES";
  private static final long MAX_BUFFER_BYTES = 1L << 30;

  private final TransferRules rules;
  private final P2pChannels channels;
  private final int threads;
  private final int fixedBytes;
  private final int batchBytes;
  private final long argumentBytes;
  private final long bufferBytes;
  private final List<PeerKernel> kernels = new ArrayList<>();
  private final Batch[] lastBatches;
  private int rounds;
  private int batches;
  private int mostAtOnce;

  /**
   * The last batch of a channel: the first round of the kernel that its current entry covers, and
   * the numbers of its rounds.
   */
  private static final class Batch {
    private int firstRound;
    private final Set<Integer> numbers = new HashSet<>();
  }

  /**
   * Creates a planner for a rank of a node.
   *
   * @param settings the settings, including the defaults of the release
   */
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
    this.lastBatches = new Batch[channels.nChannels()];
  }

  /**
   * Size in bytes of the buffer for work descriptions. NCCL reads the setting as an unsigned 32-bit
   * number, ignores it unless it is a power of two, and limits it to 1 GiB.
   */
  private static long bufferBytes(NcclProfile profile, NcclSettings settings) {
    long stated = Integer.toUnsignedLong((int) settings.longInteger(BUFFER_SETTING, 0));
    boolean isPowerOfTwo = (stated & (stated - 1)) == 0;
    long used = isPowerOfTwo ? stated : profile.settingDefaults().longInteger(BUFFER_SETTING, 0);
    return Math.min(used, MAX_BUFFER_BYTES);
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
    Batch batch = lastBatches[channel];
    if (batch == null || !accepts(batch, number)) {
      batch = new Batch();
      batch.firstRound = rounds;
      lastBatches[channel] = batch;
      batches++;
    } else if (rounds - batch.firstRound >= BATCH_REACH) {
      // Still one batch for the threads, but it needs another entry.
      batch.firstRound = rounds;
      batches++;
    }
    batch.numbers.add(number);
    mostAtOnce = Math.max(mostAtOnce, batch.numbers.size());
  }

  private boolean accepts(Batch batch, int number) {
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
            IntStream.range(0, lastBatches.length)
                .filter(c -> lastBatches[c] != null)
                .boxed()
                .toList(),
            threads,
            rounds,
            batches,
            mostAtOnce,
            bytes <= argumentBytes));
    Arrays.fill(lastBatches, null);
    rounds = 0;
    batches = 0;
    mostAtOnce = 0;
  }

  /** Closes the last kernel and returns all kernels in order. */
  List<PeerKernel> kernels() {
    finish();
    return List.copyOf(kernels);
  }
}
