package dev.topo.hw.run;

import dev.topo.hw.run.GpuGroup.Buffer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Fills the buffers of the GPUs before a call and compares them with the expected content after it.
 *
 * @param misalignment offset of the first element of a buffer, in elements
 */
record ResultCheck(Optional<Corruption> corruption, int misalignment, GpuGroup gpus) {
  /** Bytes compared at once; divisible by the size of every element. */
  private static final int CHUNK_BYTES = 16 << 20;

  /** Bit that changes the exponent of a float, or an integer by a large amount. */
  private static final int FLIPPED_BIT = 0x40;

  /**
   * Result of a check.
   *
   * @param wrong number of wrong elements on the GPUs of this thread
   * @param first the first of them, for a message
   */
  record Finding(long wrong, Optional<String> first) {}

  void prepare(CallArguments call, boolean inPlace, long seed) {
    long receiveBytes =
        Math.max(inPlace ? call.extent().sendCount() : 0, call.extent().receiveCount())
            * call.type().sizeBytes();
    Buffer source = inPlace ? Buffer.RECEIVE : Buffer.SEND;
    eachGpu()
        .forEach(
            gpu -> {
              gpus.write(gpu, Buffer.RECEIVE, base(call), new Piece(0, receiveBytes, new byte[1]));
              for (Piece piece : plan(gpu, call, inPlace, seed).source()) {
                gpus.write(gpu, source, base(call), piece);
              }
            });
  }

  Finding examine(CallArguments call, boolean inPlace, long seed) {
    List<Finding> findings =
        eachGpu().mapToObj(gpu -> examine(gpu, call, plan(gpu, call, inPlace, seed))).toList();
    return new Finding(
        findings.stream().mapToLong(Finding::wrong).sum(),
        findings.stream().flatMap(finding -> finding.first().stream()).findFirst());
  }

  /** Indices of all GPUs, in parallel: copies from GPU to host and comparisons overlap. */
  private IntStream eachGpu() {
    return IntStream.range(0, gpus.size()).parallel();
  }

  private Finding examine(int gpu, CallArguments call, ContentPlan plan) {
    long result = base(call) + plan.resultOffsetBytes();
    falsify(gpu, call, result);
    Mismatches mismatches = new Mismatches(call.type(), plan.tolerance());
    for (Piece piece : plan.result()) {
      compare(gpu, result, piece, mismatches);
    }
    return new Finding(
        mismatches.count(),
        mismatches
            .first()
            .map(
                first ->
                    String.format(
                        Locale.ROOT,
                        "rank %d, element %d: bytes %s, expected %s",
                        gpus.rank(gpu),
                        first.element(),
                        first.found(),
                        first.expected())));
  }

  /** Start of the buffers, in bytes. */
  private long base(CallArguments call) {
    return (long) misalignment * call.type().sizeBytes();
  }

  private ContentPlan plan(int gpu, CallArguments call, boolean inPlace, long seed) {
    return new ContentPlan(call, gpus.nRanks(), gpus.rank(gpu), inPlace, seed);
  }

  private void compare(int gpu, long base, Piece piece, Mismatches mismatches) {
    int chunk = (int) Math.min(CHUNK_BYTES, piece.lengthBytes());
    byte[] found = new byte[chunk];
    byte[] expected = new byte[chunk];
    for (long at = 0; at < piece.lengthBytes(); at += chunk) {
      int length = (int) Math.min(chunk, piece.lengthBytes() - at);
      gpus.read(gpu, Buffer.RECEIVE, base + piece.offsetBytes() + at, found, length);
      piece.copy(at, expected, 0, length);
      mismatches.compare(piece.offsetBytes() + at, found, expected, length);
    }
  }

  private void falsify(int gpu, CallArguments call, long resultBytes) {
    if (corruption.isEmpty()
        || corruption.get().rank() != gpus.rank(gpu)
        || corruption.get().element() >= call.extent().receiveCount()) {
      return;
    }
    int elementBytes = call.type().sizeBytes();
    long last = resultBytes + (corruption.get().element() + 1) * elementBytes - 1;
    byte[] single = new byte[1];
    gpus.read(gpu, Buffer.RECEIVE, last, single, 1);
    gpus.write(
        gpu, Buffer.RECEIVE, last, new Piece(0, 1, new byte[] {(byte) (single[0] ^ FLIPPED_BIT)}));
  }
}
