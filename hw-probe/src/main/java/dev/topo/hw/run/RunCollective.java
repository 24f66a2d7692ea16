package dev.topo.hw.run;

import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The collectives that can be run, each named as its program in nccl-tests 2.19.6 is. */
public enum RunCollective {
  /** Every rank gets the reduction of what all ranks have. */
  ALL_REDUCE(Collective.ALL_REDUCE, Shape.WHOLE, true, false, true),
  /** Every rank gets what all ranks have. */
  ALL_GATHER(Collective.ALL_GATHER, Shape.GATHERED, false, false, true),
  /** Every rank gets its part of the reduction of what all ranks have. */
  REDUCE_SCATTER(Collective.REDUCE_SCATTER, Shape.SCATTERED, true, false, true),
  /** Every rank gets what the root has. */
  BROADCAST(Collective.BROADCAST, Shape.WHOLE, false, true, true),
  /** The root gets the reduction of what all ranks have. */
  REDUCE(Collective.REDUCE, Shape.WHOLE, true, true, true),
  /** Every rank sends to the next and receives from the one before. */
  SENDRECV(PeerOperation.SENDRECV, Shape.WHOLE, false, false, false),
  /** Every rank sends a part to every rank. */
  ALLTOALL(PeerOperation.ALLTOALL, Shape.EXCHANGED, false, false, false),
  /** Every rank sends more to ranks that are farther behind it. */
  ALLTOALLV(PeerOperation.ALLTOALLV, Shape.WEIGHTED, false, false, false),
  /** The root gets what all ranks have. */
  GATHER(PeerOperation.GATHER, Shape.GATHERED, false, true, true),
  /** Every rank gets its part of what the root has. */
  SCATTER(PeerOperation.SCATTER, Shape.SCATTERED, false, true, true),
  /** Every rank gets what all ranks have, in exchanges along the dimensions of a hypercube. */
  HYPERCUBE(PeerOperation.HYPERCUBE, Shape.GATHERED, false, false, true);

  /** Buffers that are larger than the part of a rank. */
  private enum Shape {
    WHOLE,
    GATHERED,
    SCATTERED,
    EXCHANGED,
    WEIGHTED
  }

  /**
   * The elements that a rank sends and receives in one call.
   *
   * @param count the number that the call is given
   * @param sendInPlaceOffset offset of rank r's data in the shared buffer, divided by r
   * @param receiveInPlaceOffset where its result begins, divided by r
   */
  public record Extent(
      long sendCount,
      long receiveCount,
      long count,
      long sendInPlaceOffset,
      long receiveInPlaceOffset) {}

  /** Parts of a buffer begin at multiples of so many bytes. */
  private static final int PART_ALIGNMENT_BYTES = 16;

  private final Operation operation;
  private final Shape shape;
  private final boolean reduces;
  private final boolean rooted;
  private final boolean inPlaceDefined;

  RunCollective(
      Operation operation, Shape shape, boolean reduces, boolean rooted, boolean inPlaceDefined) {
    this.operation = operation;
    this.shape = shape;
    this.reduces = reduces;
    this.rooted = rooted;
    this.inPlaceDefined = inPlaceDefined;
  }

  /** The name, {@code all_reduce}. */
  public String label() {
    return operation.ncclTestsName();
  }

  public Operation operation() {
    return operation;
  }

  public static Optional<RunCollective> ofLabel(String label) {
    return Operation.ofName(label)
        .flatMap(
            known ->
                Arrays.stream(values())
                    .filter(collective -> collective.operation == known)
                    .findFirst());
  }

  public static String labels() {
    List<RunCollective> collectives = List.of(values());
    return collectives.stream().map(RunCollective::label).collect(Collectors.joining(", "));
  }

  public boolean reduces() {
    return reduces;
  }

  boolean rooted() {
    return rooted;
  }

  /** True if it may be called with one buffer for both, so that its result can be checked then. */
  boolean inPlaceDefined() {
    return inPlaceDefined;
  }

  /** True if nccl-tests repeats it for each reduction operator. */
  boolean listsOperators() {
    return reduces || this == SENDRECV;
  }

  /**
   * The elements that a rank sends and receives for a size that the user names; parts are cut to
   * whole multiples of 16 bytes.
   */
  Extent extent(long sizeBytes, int elementBytes, int nRanks) {
    long count = sizeBytes / elementBytes;
    long elementsPerAlignment = Math.max(1, PART_ALIGNMENT_BYTES / elementBytes);
    long part = count / nRanks / elementsPerAlignment * elementsPerAlignment;
    long total = part * nRanks;
    return switch (shape) {
      case WHOLE -> new Extent(count, count, count, 0, 0);
      case GATHERED -> new Extent(part, total, part, part, 0);
      case SCATTERED -> new Extent(total, part, part, 0, part);
      case EXCHANGED -> new Extent(total, total, part, 0, 0);
      case WEIGHTED -> {
        long sent = new WeightedParts(part, elementBytes, nRanks).elements();
        yield new Extent(sent, sent, part, 0, 0);
      }
    };
  }

  /**
   * The bytes that algbw counts: those of all ranks where each has a part, of the others in a
   * hypercube, and what a rank sends where parts differ.
   */
  long bandwidthBytes(Extent extent, int elementBytes, int nRanks) {
    if (shape == Shape.WEIGHTED) {
      return extent.sendCount() * elementBytes;
    }
    long bytes = extent.count() * elementBytes;
    return shape == Shape.WHOLE ? bytes : bytes * (this == HYPERCUBE ? nRanks - 1 : nRanks);
  }
}
