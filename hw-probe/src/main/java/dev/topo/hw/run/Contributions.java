package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;

/**
 * Contribution of each rank to a reduction: small integers, chosen so that the element type
 * represents every partial result exactly in any order of ranks. With more ranks than the type can
 * count, only some ranks contribute a nonzero value to an element; they vary from element to
 * element.
 */
final class Contributions {
  /** Upper limit on contributions; larger numbers would not find more errors. */
  private static final int LARGEST = 1023;

  /** Number of ranks that contribute a factor of 2 to a product; 2^6 fits every type. */
  private static final int DOUBLING_RANKS = 6;

  private final DataType type;
  private final ReductionOperator operator;
  private final int nRanks;
  private final long seed;

  /** Largest contribution of a rank. */
  private final int greatest;

  /** Number of ranks that may contribute to one element. */
  private final int contributors;

  Contributions(DataType type, ReductionOperator operator, int nRanks, long seed) {
    this.type = type;
    this.operator = operator;
    this.nRanks = nRanks;
    this.seed = seed;
    int limit = ElementCodec.exactUpTo(type);
    if (operator == ReductionOperator.PRE_MUL_SUM) {
      limit /= 2; // the greatest factor
    }
    switch (operator) {
      case MAX, MIN -> {
        greatest = Math.min(limit, LARGEST);
        contributors = nRanks;
      }
      case PROD -> {
        greatest = 2;
        contributors = Math.min(nRanks, DOUBLING_RANKS);
      }
      case SUM, AVG, PRE_MUL_SUM -> {
        contributors = Math.min(nRanks, limit);
        greatest = Math.min(limit / contributors, LARGEST);
      }
      default -> throw new IllegalArgumentException(String.valueOf(operator));
    }
  }

  double value(int rank, long element) {
    int turn = (rank + Hash.below(nRanks, seed, element)) % nRanks;
    boolean contributes = turn < contributors;
    long place = element * nRanks + rank;
    if (operator == ReductionOperator.PROD) {
      return contributes ? 1 + Hash.below(2, ~seed, place) : 1;
    }
    return contributes ? Hash.below(greatest + 1, ~seed, place) : 0;
  }

  double reduced(long element) {
    double result = initial();
    for (int rank = 0; rank < nRanks; rank++) {
      double value = value(rank, element);
      result =
          switch (operator) {
            case SUM, AVG -> result + value;
            case PRE_MUL_SUM -> result + value * ContentPlan.factor(rank);
            case PROD -> result * value;
            case MAX -> Math.max(result, value);
            case MIN -> Math.min(result, value);
          };
    }
    if (operator != ReductionOperator.AVG) {
      return result;
    }
    return ElementCodec.isFloat(type) ? result / nRanks : Math.floor(result / nRanks);
  }

  private double initial() {
    return switch (operator) {
      case SUM, AVG, PRE_MUL_SUM, MAX -> 0;
      case PROD -> 1;
      case MIN -> Double.MAX_VALUE;
    };
  }

  /**
   * Tolerance of a result. Only a mean of fractions is inexact: NCCL multiplies each contribution
   * by 1/n, which is exact for powers of 2.
   */
  Tolerance tolerance() {
    boolean rounds =
        operator == ReductionOperator.AVG
            && ElementCodec.isFloat(type)
            && (Integer.bitCount(nRanks) != 1 || type.isFloat8());
    return rounds
        ? new Tolerance(
            (nRanks + 2) * ElementCodec.epsilon(type) / 2,
            nRanks * ElementCodec.smallestStep(type) / 2)
        : Tolerance.NONE;
  }
}
