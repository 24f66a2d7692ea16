package dev.topo.hw.run;

import dev.topo.model.operation.Call.CollectiveCall.DataType;

/** Converts numbers to and from the bytes of NCCL's element types, little endian. */
public final class ElementCodec {
  private ElementCodec() {}

  /** Writes a number at an index, rounded to the nearest value of the type. */
  public static void put(DataType type, double value, byte[] target, int at) {
    long bits = bits(type, value);
    for (int i = 0; i < type.sizeBytes(); i++) {
      target[at + i] = (byte) (bits >>> (8 * i));
    }
  }

  public static double get(DataType type, byte[] source, int at) {
    long bits = 0;
    for (int i = 0; i < type.sizeBytes(); i++) {
      bits |= (source[at + i] & 0xffL) << (8 * i);
    }
    return switch (type) {
      case INT8 -> (byte) bits;
      case UINT8, UINT32, UINT64, INT64 -> (double) bits;
      case INT32 -> (int) bits;
      case FLOAT32 -> Float.intBitsToFloat((int) bits);
      case FLOAT64 -> Double.longBitsToDouble(bits);
      case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> SmallFloat.of(type).decode((int) bits);
    };
  }

  private static long bits(DataType type, double value) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> (long) value;
      case FLOAT32 -> Float.floatToRawIntBits((float) value);
      case FLOAT64 -> Double.doubleToRawLongBits(value);
      case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> SmallFloat.of(type).encode(value);
    };
  }

  /** Greatest number up to which the type represents every whole number, at most 2^20. */
  static int exactUpTo(DataType type) {
    return switch (type) {
      case INT8 -> Byte.MAX_VALUE;
      case UINT8 -> 255;
      case INT32, UINT32, INT64, UINT64, FLOAT32, FLOAT64 -> 1 << 20;
      case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> SmallFloat.of(type).exactUpTo();
    };
  }

  /** Distance from 1 to the next greater number; 0 for whole numbers. */
  static double epsilon(DataType type) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64, UINT64 -> 0;
      case FLOAT32 -> Math.ulp(1f);
      case FLOAT64 -> Math.ulp(1d);
      case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> 2.0 / SmallFloat.of(type).exactUpTo();
    };
  }

  /**
   * Smallest positive number of the 8-bit and 16-bit floats; 0 for other types, where it does not
   * matter.
   */
  static double smallestStep(DataType type) {
    return switch (type) {
      case INT8, UINT8, INT32, UINT32, INT64, UINT64, FLOAT32, FLOAT64 -> 0;
      case FLOAT16, BFLOAT16, FLOAT8_E4M3, FLOAT8_E5M2 -> SmallFloat.of(type).smallestStep();
    };
  }

  static boolean isFloat(DataType type) {
    return epsilon(type) > 0;
  }
}
