package dev.topo.run.javacpp;

import dev.topo.model.operation.DataType;
import dev.topo.run.data.ContentPlan;
import dev.topo.run.data.ElementCodec;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.javacpp.BytePointer;

/** The reduction operator that multiplies the contribution of a rank before adding it. */
final class PreMulSum {
  private PreMulSum() {}

  static int create(DataType type, int rank, ncclComm comm) {
    byte[] factor = new byte[Long.BYTES];
    ElementCodec.put(type, ContentPlan.factor(rank), factor, 0);
    int[] operator = new int[1];
    try (BytePointer scalar = new BytePointer(factor)) {
      Native.nccl(
          nccl.ncclRedOpCreatePreMulSum(
              operator, scalar, type.number(), nccl.ncclScalarHostImmediate, comm),
          "ncclRedOpCreatePreMulSum");
    }
    return operator[0];
  }
}
