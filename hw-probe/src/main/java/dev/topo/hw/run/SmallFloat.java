package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;

/** Floating-point format of 8 or 16 bits, for finite numbers within its range. */
record SmallFloat(int exponentBits, int fractionBits) {
  private static final SmallFloat HALF = new SmallFloat(5, 10);
  private static final SmallFloat BRAIN = new SmallFloat(8, 7);
  private static final SmallFloat E4M3 = new SmallFloat(4, 3);
  private static final SmallFloat E5M2 = new SmallFloat(5, 2);

  static SmallFloat of(DataType type) {
    return switch (type) {
      case FLOAT16 -> HALF;
      case BFLOAT16 -> BRAIN;
      case FLOAT8_E4M3 -> E4M3;
      case FLOAT8_E5M2 -> E5M2;
      default -> throw new IllegalArgumentException(type + " is not a small float");
    };
  }

  private int bias() {
    return (1 << (exponentBits - 1)) - 1;
  }

  int exactUpTo() {
    return 1 << (fractionBits + 1);
  }

  double smallestStep() {
    return Math.scalb(1.0, 1 - bias() - fractionBits);
  }

  /** Bits of the nearest number, rounding ties to even. */
  int encode(double value) {
    double magnitude = Math.abs(value);
    int sign = (value < 0 ? 1 : 0) << (exponentBits + fractionBits);
    int exponent = magnitude == 0 ? 1 - bias() : Math.max(Math.getExponent(magnitude), 1 - bias());
    long units = (long) Math.rint(Math.scalb(magnitude, fractionBits - exponent));
    // Below 2^fractionBits it is subnormal; a carry out of the fraction raises the exponent.
    long bits = units + ((long) (exponent + bias() - 1) << fractionBits);
    return sign | (int) bits;
  }

  double decode(int bits) {
    int fraction = bits & ((1 << fractionBits) - 1);
    int exponent = (bits >>> fractionBits) & ((1 << exponentBits) - 1);
    int sign = bits >>> (exponentBits + fractionBits) & 1;
    int units = exponent == 0 ? fraction : fraction | (1 << fractionBits);
    double magnitude = Math.scalb((double) units, Math.max(exponent, 1) - bias() - fractionBits);
    return sign == 0 ? magnitude : -magnitude;
  }
}
