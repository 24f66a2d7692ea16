package dev.topo.hw.run;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntToLongFunction;
import java.util.function.LongToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Content of the buffers of one rank before and after a collective. Data to reduce repeats after
 * {@value #NUMBERS} elements, data that is only moved after {@value #BITS}. Both are primes, so
 * that misplaced results are detected.
 *
 * @param inPlace whether one buffer is used for sending and receiving
 */
public record ContentPlan(CallArguments call, int nRanks, int rank, boolean inPlace, long seed) {
  static final int NUMBERS = 8_191;
  static final int BITS = 65_521;

  private Contributions contributions() {
    return new Contributions(call.type(), call.operator(), nRanks, seed);
  }

  private int elementBytes() {
    return call.type().sizeBytes();
  }

  /** Factor of a rank's contribution for {@code PRE_MUL_SUM}, as in nccl-tests. */
  public static double factor(int rank) {
    return rank % 2 == 0 ? 1 : 2;
  }

  /** Offset of the result in the receive buffer. */
  long resultOffsetBytes() {
    return inPlace ? call.extent().receiveInPlaceOffset() * rank * elementBytes() : 0;
  }

  /** Offset of the data in the source buffer. */
  long sourceOffsetBytes() {
    return inPlace ? call.extent().sendInPlaceOffset() * rank * elementBytes() : 0;
  }

  /** Content of the source buffer; the receive buffer is zeroed first. */
  List<Piece> source() {
    long at = sourceOffsetBytes();
    long count = call.extent().sendCount();
    Contributions contributions = contributions();
    return switch (call.collective()) {
      case ALL_REDUCE, REDUCE, REDUCE_SCATTER ->
          List.of(numbers(at, count, 0, element -> contributions.value(rank, element)));
      case ALL_GATHER, HYPERCUBE, ALLTOALL, ALLTOALLV, SENDRECV, GATHER ->
          List.of(bits(at, count, rank, 0));
      case BROADCAST, SCATTER ->
          rank == call.root() ? List.of(bits(at, count, call.root(), 0)) : List.of();
    };
  }

  /** Expected content of the receive buffer from {@link #resultOffsetBytes} on. */
  List<Piece> result() {
    long count = call.extent().receiveCount();
    long part = call.count();
    return switch (call.collective()) {
      case ALL_REDUCE -> List.of(reduced(count, 0));
      case REDUCE -> rank == call.root() ? List.of(reduced(count, 0)) : untouched();
      case REDUCE_SCATTER -> List.of(reduced(count, part * rank));
      case ALL_GATHER, HYPERCUBE -> parts(part, sender -> 0);
      case GATHER -> rank == call.root() ? parts(part, sender -> 0) : untouched();
      case ALLTOALL -> parts(part, sender -> part * rank);
      case ALLTOALLV -> weightedParts(new WeightedParts(part, elementBytes(), nRanks));
      case SENDRECV -> List.of(bits(0, count, (rank - 1 + nRanks) % nRanks, 0));
      case BROADCAST -> List.of(bits(0, count, call.root(), 0));
      case SCATTER -> List.of(bits(0, count, call.root(), part * rank));
    };
  }

  Tolerance tolerance() {
    return call.collective().reduces() ? contributions().tolerance() : Tolerance.NONE;
  }

  /** Receive buffer of a rank without a result: zeros, in place also the rank's own data. */
  private List<Piece> untouched() {
    long bytes = call.extent().receiveCount() * elementBytes();
    if (!inPlace) {
      return List.of(Piece.zeros(0, bytes));
    }
    Piece sent = source().get(0);
    long end = sent.offsetBytes() + sent.lengthBytes();
    return List.of(Piece.zeros(0, sent.offsetBytes()), sent, Piece.zeros(end, bytes - end));
  }

  private Piece reduced(long count, long firstElement) {
    return numbers(0, count, firstElement, contributions()::reduced);
  }

  /**
   * Parts of all senders.
   *
   * @param first returns the first element of the part that a sender sent
   */
  private List<Piece> parts(long part, IntToLongFunction first) {
    return IntStream.range(0, nRanks)
        .mapToObj(
            sender -> bits(sender * part * elementBytes(), part, sender, first.applyAsLong(sender)))
        .toList();
  }

  private List<Piece> weightedParts(WeightedParts parts) {
    List<Piece> pieces = new ArrayList<>();
    long at = 0;
    for (int sender = 0; sender < nRanks; sender++) {
      long count = parts.elements(sender, rank);
      pieces.add(bits(at, count, sender, parts.sentBefore(sender, rank)));
      at += count * elementBytes();
    }
    return pieces;
  }

  private Piece numbers(long atBytes, long count, long firstElement, LongToDoubleFunction number) {
    int size = elementBytes();
    byte[] period = new byte[(int) Math.min(count, NUMBERS) * size];
    for (int i = 0; i * size < period.length; i++) {
      long element = (firstElement + i) % NUMBERS;
      ElementCodec.put(call.type(), number.applyAsDouble(element), period, i * size);
    }
    return new Piece(atBytes, count * size, period);
  }

  private Piece bits(long atBytes, long count, int sender, long firstElement) {
    int size = elementBytes();
    byte[] period = new byte[(int) Math.min(count, BITS) * size];
    long hash = Hash.of(seed, sender);
    for (int i = 0; i * size < period.length; i++) {
      long value = Hash.of(hash, (firstElement + i) % BITS);
      for (int b = 0; b < size; b++) {
        period[i * size + b] = (byte) (value >>> (8 * b));
      }
    }
    return new Piece(atBytes, count * size, period);
  }
}
