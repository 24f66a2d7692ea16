package dev.topo.hw.run;

import dev.topo.model.QuantityFormat;
import dev.topo.model.operation.Call;
import dev.topo.model.operation.Collective;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.PeerOperation;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Collectives that can be run, named after their programs in nccl-tests 2.19.6. */
public enum RunCollective {
  /** Every rank gets the reduction of the data of all ranks. */
  ALL_REDUCE(Collective.ALL_REDUCE, Shape.WHOLE, true, false, true),
  /** Every rank gets the data of all ranks. */
  ALL_GATHER(Collective.ALL_GATHER, Shape.GATHERED, false, false, true),
  /** Every rank gets its part of the reduction of the data of all ranks. */
  REDUCE_SCATTER(Collective.REDUCE_SCATTER, Shape.SCATTERED, true, false, true),
  /** Every rank gets the data of the root. */
  BROADCAST(Collective.BROADCAST, Shape.WHOLE, false, true, true),
  /** The root gets the reduction of the data of all ranks. */
  REDUCE(Collective.REDUCE, Shape.WHOLE, true, true, true),
  /** Every rank sends to the next rank and receives from the previous one. */
  SENDRECV(PeerOperation.SENDRECV, Shape.WHOLE, false, false, false),
  /** Every rank sends a part to every rank. */
  ALLTOALL(PeerOperation.ALLTOALL, Shape.EXCHANGED, false, false, false),
  /** Every rank sends more data to ranks at a larger distance, counted upwards. */
  ALLTOALLV(PeerOperation.ALLTOALLV, Shape.WEIGHTED, false, false, false),
  /** The root gets the data of all ranks. */
  GATHER(PeerOperation.GATHER, Shape.GATHERED, false, true, true),
  /** Every rank gets its part of the root's data. */
  SCATTER(PeerOperation.SCATTER, Shape.SCATTERED, false, true, true),
  /** Every rank gets the data of all ranks, in exchanges along the dimensions of a hypercube. */
  HYPERCUBE(PeerOperation.HYPERCUBE, Shape.GATHERED, false, false, true);

  /** Sizes of the buffers relative to a rank's part. */
  private enum Shape {
    WHOLE,
    GATHERED,
    SCATTERED,
    EXCHANGED,
    WEIGHTED
  }

  /**
   * Elements that a rank sends and receives in one call.
   *
   * @param count number of elements passed to the call
   * @param sendInPlaceOffset offset of rank r's data in the shared buffer, divided by r
   * @param receiveInPlaceOffset offset of rank r's result, divided by r
   */
  public record Extent(
      long sendCount,
      long receiveCount,
      long count,
      long sendInPlaceOffset,
      long receiveInPlaceOffset) {}

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

  /** Name, {@code all_reduce}. */
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
    return QuantityFormat.joined(", ", collectives, RunCollective::label);
  }

  public boolean reduces() {
    return reduces;
  }

  boolean rooted() {
    return rooted;
  }

  /** True if it may run in place, so that a result in place can be checked. */
  boolean inPlaceDefined() {
    return inPlaceDefined;
  }

  /** True if nccl-tests repeats it for each reduction operator. */
  boolean listsOperators() {
    return reduces || this == SENDRECV;
  }

  /**
   * Elements that a rank sends and receives for a requested size; parts are rounded down to
   * multiples of 16 bytes.
   */
  Extent extent(long sizeBytes, int elementBytes, int nRanks) {
    long count = sizeBytes / elementBytes;
    long elementsPerAlignment = Math.max(1, Call.PART_BYTES / elementBytes);
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
   * Bytes that algbw counts: the parts of all ranks if each has one, of the other ranks for a
   * hypercube, and the bytes that a rank sends if parts differ.
   */
  long bandwidthBytes(Extent extent, int elementBytes, int nRanks) {
    if (shape == Shape.WEIGHTED) {
      return extent.sendCount() * elementBytes;
    }
    long bytes = extent.count() * elementBytes;
    return shape == Shape.WHOLE ? bytes : bytes * (this == HYPERCUBE ? nRanks - 1 : nRanks);
  }
}
