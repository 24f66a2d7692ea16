package dev.topo.model.operation;

import java.util.Optional;

/** The element types of NCCL, in its order ({@code ncclDataType_t}, {@code nccl:src/nccl.h.in}). */
public enum DataType {
  INT8(0, "int8", 1),
  UINT8(1, "uint8", 1),
  INT32(2, "int32", 4),
  UINT32(3, "uint32", 4),
  INT64(4, "int64", 8),
  UINT64(5, "uint64", 8),
  FLOAT16(6, "half", 2),
  FLOAT32(7, "float", 4),
  FLOAT64(8, "double", 8),
  /** Brain floating point of 16 bits. */
  BFLOAT16(9, "bfloat16", 2),
  /** 8 bits with 4 of exponent. */
  FLOAT8_E4M3(10, "f8e4m3", 1),
  /** 8 bits with 5 of exponent. */
  FLOAT8_E5M2(11, "f8e5m2", 1);

  private final int number;
  private final String label;
  private final int sizeBytes;

  DataType(int number, String label, int sizeBytes) {
    this.number = number;
    this.label = label;
    this.sizeBytes = sizeBytes;
  }

  /** NCCL's number. */
  public int number() {
    return number;
  }

  /** The name that nccl-tests uses. */
  public String label() {
    return label;
  }

  /** Size of an element. */
  public int sizeBytes() {
    return sizeBytes;
  }

  public boolean isFloat8() {
    return this == FLOAT8_E4M3 || this == FLOAT8_E5M2;
  }

  /** The type with this {@link #label}, in any case. */
  public static Optional<DataType> ofLabel(String label) {
    return Labels.find(values(), DataType::label, label);
  }
}
