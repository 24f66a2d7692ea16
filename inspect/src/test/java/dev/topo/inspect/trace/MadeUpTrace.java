package dev.topo.inspect.trace;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The trace of a rank of a job with tensor parallelism in groups of eight and data parallelism over
 * all ranks, made while it is read: of ten calls nine are of the first kind, and every second one
 * has computation beside it.
 */
public final class MadeUpTrace extends InputStream {
  /** GPUs of a group of tensor parallelism. */
  public static final int GROUP = 8;

  private final int rank;
  private final int nRanks;
  private final int calls;
  private int next = -1;
  private byte[] piece = new byte[0];
  private int at;

  MadeUpTrace(int rank, int nRanks, int calls) {
    this.rank = rank;
    this.nRanks = nRanks;
    this.calls = calls;
  }

  /** The record of one rank. */
  public static List<RankTrace> read(int rank, int nRanks, int calls) {
    return JsonTrace.read(new MadeUpTrace(rank, nRanks, calls), "r" + rank, rank);
  }

  @Override
  public int read() {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) {
    if (at == piece.length && !hasPiece()) {
      return -1;
    }
    int count = Math.min(length, piece.length - at);
    System.arraycopy(piece, at, into, offset, count);
    at += count;
    return count;
  }

  private boolean hasPiece() {
    if (next > calls) {
      return false;
    }
    StringBuilder text = new StringBuilder();
    if (next < 0) {
      text.append("{\"distributedInfo\": {\"backend\": \"nccl\", \"rank\": ")
          .append(rank)
          .append(", \"world_size\": ")
          .append(nRanks)
          .append(", \"nccl_version\": \"2.28.9\"},\n\"traceEvents\": [\n");
      next++;
    } else if (next == calls) {
      text.append("]}\n");
      next++;
    }
    for (int most = Math.min(calls, next + 64); next < most; next++) {
      call(text);
    }
    piece = text.toString().getBytes(StandardCharsets.US_ASCII);
    at = 0;
    return true;
  }

  private void call(StringBuilder text) {
    boolean isData = next % 10 == 9;
    long start = 4_000_000_000L + next * 1000L + rank % 7 * 3;
    text.append(next == 0 ? "" : ",\n")
        .append(
            "{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)\","
                + " \"pid\": 0, \"tid\": 17, \"ts\": ")
        .append(start)
        .append(".125, \"dur\": ")
        .append(200 + rank % 3)
        .append(".5, \"args\": {\"External id\": ")
        .append(next)
        .append(
            ", \"device\": 0, \"stream\": 17, \"grid\": [24, 1, 1], \"block\": [544, 1, 1], \"Collective name\": \"allreduce\","
                + " \"In msg nelems\": 16779264, \"Out msg nelems\": 16779264, \"Group size\": ")
        .append(isData ? nRanks : GROUP)
        .append(
            ", \"dtype\": \"BFloat16\", \"In split size\": \"[]\", \"Out split size\": \"[]\", \"Process Group Name\": \"")
        .append(isData ? 0 : 1)
        .append("\", \"Process Group Description\": \"default_pg\", \"Process Group Ranks\": \"[");
    for (int member = 0; member < GROUP && !isData; member++) {
      text.append(member == 0 ? "" : ", ").append(rank / GROUP * GROUP + member);
    }
    text.append("]\"}}");
    if (next % 2 == 0) {
      text.append(
              ",\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"nvjet_tst_192x192_64x4_1x2_h_bz_coopB_TNT\", \"pid\": 0, \"tid\": 7, \"ts\": ")
          .append(start + 100)
          .append(
              ".5, \"dur\": 300.25, \"args\": {\"External id\": 5, \"device\": 0, \"grid\": [24, 1, 1]}}");
    }
  }
}
