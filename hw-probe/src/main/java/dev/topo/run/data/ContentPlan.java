package dev.topo.run.data;

import dev.topo.model.operation.DataType;
import dev.topo.model.operation.ReductionOperator;
import dev.topo.run.call.Extent;
import dev.topo.run.call.RunCollective;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongToDoubleFunction;

/**
 * The buffers of one rank before and after a collective. Numbers repeat themselves after {@value
 * #NUMBERS} elements and bits that are only moved after {@value #BITS}, both primes, so that a
 * result in a wrong place shows.
 */
public final class ContentPlan {
  static final int NUMBERS = 8_191;
  static final int BITS = 65_521;

  private final RunCollective collective;
  private final DataType type;
  private final Extent extent;
  private final int nRanks;
  private final int rank;
  private final int root;
  private final boolean inPlace;
  private final long seed;
  private final Contributions contributions;

  /**
   * The plan of a rank.
   *
   * @param root the root of the collective, or -1
   * @param inPlace whether one buffer is used for sending and receiving
   * @param seed seed of the data
   */
  public ContentPlan(
      RunCollective collective,
      DataType type,
      ReductionOperator operator,
      Extent extent,
      int nRanks,
      int rank,
      int root,
      boolean inPlace,
      long seed) {
    this.collective = collective;
    this.type = type;
    this.extent = extent;
    this.nRanks = nRanks;
    this.rank = rank;
    this.root = root;
    this.inPlace = inPlace;
    this.seed = seed;
    this.contributions = new Contributions(type, operator, nRanks, seed);
  }

  public static double factor(int rank) {
    return Contributions.factor(rank);
  }

  /** The offset of the result in the receive buffer. */
  public long resultOffsetBytes() {
    return inPlace ? extent.receiveInPlaceOffset() * rank * type.sizeBytes() : 0;
  }

  /** The offset of the data in the source buffer. */
  public long sourceOffsetBytes() {
    return inPlace ? extent.sendInPlaceOffset() * rank * type.sizeBytes() : 0;
  }

  /** The content of the source buffer; the receive buffer is zeroed before. */
  public List<Piece> source() {
    long at = sourceOffsetBytes();
    long count = extent.sendCount();
    return switch (collective) {
      case ALL_REDUCE, REDUCE, REDUCE_SCATTER ->
          List.of(numbers(at, count, 0, element -> contributions.of(rank, element)));
      case ALL_GATHER, ALLTOALL, SENDRECV, GATHER -> List.of(bits(at, count, rank, 0));
      case BROADCAST, SCATTER -> rank == root ? List.of(bits(at, count, root, 0)) : List.of();
    };
  }

  /** The expected content of the receive buffer from {@link #resultOffsetBytes} on. */
  public List<Piece> result() {
    long count = extent.receiveCount();
    long part = extent.count();
    return switch (collective) {
      case ALL_REDUCE -> List.of(reduced(count, 0));
      case REDUCE -> rank == root ? List.of(reduced(count, 0)) : untouched();
      case REDUCE_SCATTER -> List.of(reduced(count, part * rank));
      case ALL_GATHER -> parts(part, sender -> 0);
      case GATHER -> rank == root ? parts(part, sender -> 0) : untouched();
      case ALLTOALL -> parts(part, sender -> part * rank);
      case SENDRECV -> List.of(bits(0, count, (rank - 1 + nRanks) % nRanks, 0));
      case BROADCAST -> List.of(bits(0, count, root, 0));
      case SCATTER -> List.of(bits(0, count, root, part * rank));
    };
  }

  public Tolerance tolerance() {
    return collective.reduces() ? contributions.tolerance() : Tolerance.NONE;
  }

  /** The receive buffer of a rank without a result: zeros, or what it sent from the same buffer. */
  private List<Piece> untouched() {
    long all = extent.receiveCount() * type.sizeBytes();
    if (!inPlace) {
      return List.of(Piece.zeros(0, all));
    }
    Piece own = source().get(0);
    long end = own.offsetBytes() + own.lengthBytes();
    return List.of(Piece.zeros(0, own.offsetBytes()), own, Piece.zeros(end, all - end));
  }

  private Piece reduced(long count, long firstElement) {
    return numbers(0, count, firstElement, contributions::reduced);
  }

  /** The first element of the part that a sender sent. */
  private interface FirstElement {
    long of(int sender);
  }

  private List<Piece> parts(long part, FirstElement first) {
    List<Piece> pieces = new ArrayList<>();
    for (int sender = 0; sender < nRanks; sender++) {
      pieces.add(bits(sender * part * type.sizeBytes(), part, sender, first.of(sender)));
    }
    return pieces;
  }

  private Piece numbers(long atBytes, long count, long firstElement, LongToDoubleFunction number) {
    int size = type.sizeBytes();
    byte[] period = new byte[(int) Math.min(count, NUMBERS) * size];
    for (int i = 0; i * size < period.length; i++) {
      long element = (firstElement + i) % NUMBERS;
      ElementCodec.put(type, number.applyAsDouble(element), period, i * size);
    }
    return new Piece(atBytes, count * size, period);
  }

  private Piece bits(long atBytes, long count, int sender, long firstElement) {
    int size = type.sizeBytes();
    byte[] period = new byte[(int) Math.min(count, BITS) * size];
    long own = Hash.of(seed, sender);
    for (int i = 0; i * size < period.length; i++) {
      long value = Hash.of(own, (firstElement + i) % BITS);
      for (int b = 0; b < size; b++) {
        period[i * size + b] = (byte) (value >>> (8 * b));
      }
    }
    return new Piece(atBytes, count * size, period);
  }
}
