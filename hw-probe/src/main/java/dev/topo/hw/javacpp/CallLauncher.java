package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;
import static dev.topo.hw.javacpp.Native.groupEnd;
import static dev.topo.hw.javacpp.Native.groupStart;
import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.CallArguments;
import dev.topo.hw.run.ContentPlan;
import dev.topo.hw.run.ElementCodec;
import dev.topo.hw.run.RunCollective;
import dev.topo.hw.run.WeightedParts;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.EnumSet;
import java.util.Set;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.javacpp.BytePointer;

/** Launches calls of NCCL functions. */
record CallLauncher(int version) {
  /** First version with {@code ncclAlltoAll}, {@code ncclGather} and {@code ncclScatter}. */
  private static final int ALL_TO_ALL_SINCE = 22800;

  private static final Set<RunCollective> NEWER =
      EnumSet.of(RunCollective.ALLTOALL, RunCollective.GATHER, RunCollective.SCATTER);

  /** Queues a call; the buffers are positioned at the data to read and to write. */
  void launch(CallArguments call, NcclGpu gpu, BytePointer from, BytePointer to) {
    ncclComm comm = gpu.comm();
    CUstream_st stream = gpu.stream();
    int type = call.type().number();
    long n = call.count();
    if (version < ALL_TO_ALL_SINCE && NEWER.contains(call.collective())) {
      pairwise(call, gpu, from, to);
      return;
    }
    boolean reduces = call.collective().reduces();
    int op = reduces ? operator(call, gpu) : 0;
    switch (call.collective()) {
      case ALL_REDUCE ->
          nccl(nccl.ncclAllReduce(from, to, n, type, op, comm, stream), "ncclAllReduce");
      case REDUCE_SCATTER ->
          nccl(nccl.ncclReduceScatter(from, to, n, type, op, comm, stream), "ncclReduceScatter");
      case REDUCE ->
          nccl(nccl.ncclReduce(from, to, n, type, op, call.root(), comm, stream), "ncclReduce");
      case ALL_GATHER -> nccl(nccl.ncclAllGather(from, to, n, type, comm, stream), "ncclAllGather");
      case BROADCAST ->
          nccl(nccl.ncclBroadcast(from, to, n, type, call.root(), comm, stream), "ncclBroadcast");
      case SENDRECV -> sendAndReceive(call, gpu, from, to);
      case ALLTOALLV -> weighted(call, gpu, from, to);
      case HYPERCUBE -> hypercube(call, gpu, from, to);
      case ALLTOALL -> nccl(nccl.ncclAlltoAll(from, to, n, type, comm, stream), "ncclAlltoAll");
      case GATHER ->
          nccl(nccl.ncclGather(from, to, n, type, call.root(), comm, stream), "ncclGather");
      case SCATTER ->
          nccl(nccl.ncclScatter(from, to, n, type, call.root(), comm, stream), "ncclScatter");
    }
    if (reduces) {
      destroyOperator(call, op, comm);
    }
  }

  private static int operator(CallArguments call, NcclGpu gpu) {
    return call.operator() == ReductionOperator.PRE_MUL_SUM
        ? preMulSum(call.type(), gpu.rank(), gpu.comm())
        : call.operator().number();
  }

  /** Operator that multiplies the contribution of a rank before adding it. */
  private static int preMulSum(DataType type, int rank, ncclComm comm) {
    byte[] factor = new byte[Long.BYTES];
    ElementCodec.put(type, ContentPlan.factor(rank), factor, 0);
    int[] operator = new int[1];
    try (BytePointer scalar = new BytePointer(factor)) {
      nccl(
          nccl.ncclRedOpCreatePreMulSum(
              operator, scalar, type.number(), nccl.ncclScalarHostImmediate, comm),
          "ncclRedOpCreatePreMulSum");
    }
    return operator[0];
  }

  private static void destroyOperator(CallArguments call, int operator, ncclComm comm) {
    if (call.operator() == ReductionOperator.PRE_MUL_SUM) {
      nccl(nccl.ncclRedOpDestroy(operator, comm), "ncclRedOpDestroy");
    }
  }

  private static void sendAndReceive(
      CallArguments call, NcclGpu gpu, BytePointer from, BytePointer to) {
    int next = (gpu.rank() + 1) % gpu.nRanks();
    int previous = (gpu.rank() - 1 + gpu.nRanks()) % gpu.nRanks();
    groupStart();
    send(call, call.count(), gpu, from, next);
    receive(call, call.count(), gpu, to, previous);
    groupEnd("");
  }

  /** Sends and receives that replace the functions missing before NCCL 2.28. */
  private static void pairwise(CallArguments call, NcclGpu gpu, BytePointer from, BytePointer to) {
    long part = call.count() * call.type().sizeBytes();
    long sendAt = from.position();
    long receiveAt = to.position();
    boolean root = gpu.rank() == call.root();
    groupStart();
    for (int peer = 0; peer < gpu.nRanks(); peer++) {
      boolean withRoot = peer == call.root();
      switch (call.collective()) {
        case ALLTOALL -> {
          send(call, call.count(), gpu, from.position(sendAt + peer * part), peer);
          receive(call, call.count(), gpu, to.position(receiveAt + peer * part), peer);
        }
        case GATHER -> {
          if (withRoot) {
            send(call, call.count(), gpu, from, peer);
          }
          if (root) {
            receive(call, call.count(), gpu, to.position(receiveAt + peer * part), peer);
          }
        }
        case SCATTER -> {
          if (root) {
            send(call, call.count(), gpu, from.position(sendAt + peer * part), peer);
          }
          if (withRoot) {
            receive(call, call.count(), gpu, to, peer);
          }
        }
        default -> throw new IllegalArgumentException(call.collective().label());
      }
    }
    groupEnd("");
  }

  /** Sends and receives parts of different sizes, without empty ones. */
  private static void weighted(CallArguments call, NcclGpu gpu, BytePointer from, BytePointer to) {
    int size = call.type().sizeBytes();
    WeightedParts parts = new WeightedParts(call.count(), size, gpu.nRanks());
    long sendAt = from.position();
    long receiveAt = to.position();
    groupStart();
    for (int peer = 0; peer < gpu.nRanks(); peer++) {
      long sent = parts.elements(gpu.rank(), peer);
      long received = parts.elements(peer, gpu.rank());
      if (sent > 0) {
        send(call, sent, gpu, from.position(sendAt), peer);
      }
      if (received > 0) {
        receive(call, received, gpu, to.position(receiveAt), peer);
      }
      sendAt += sent * size;
      receiveAt += received * size;
    }
    groupEnd("");
  }

  /**
   * All-gather in log2(nRanks) exchanges, each of all data that a rank has so far ({@code
   * HyperCubeRunColl}, {@code nccl-tests:src/hypercube.cu}, 2.19.6).
   */
  private static void hypercube(CallArguments call, NcclGpu gpu, BytePointer from, BytePointer to) {
    long part = call.count() * call.type().sizeBytes();
    long receiveAt = to.position();
    int rank = gpu.rank();
    to.position(receiveAt + rank * part);
    if (to.address() + to.position() != from.address() + from.position()) {
      gpu.select();
      cuda(
          cudart.cudaMemcpyAsync(to, from, part, cudart.cudaMemcpyDeviceToDevice, gpu.stream()),
          "cudaMemcpyAsync");
    }
    for (int distance = 1; distance < gpu.nRanks(); distance *= 2) {
      int firstOwn = rank / distance * distance;
      int firstOther = firstOwn ^ distance;
      int peer = rank ^ distance;
      groupStart();
      send(call, call.count() * distance, gpu, to.position(receiveAt + firstOwn * part), peer);
      receive(call, call.count() * distance, gpu, to.position(receiveAt + firstOther * part), peer);
      groupEnd("");
    }
  }

  private static void send(
      CallArguments call, long count, NcclGpu gpu, BytePointer from, int peer) {
    nccl(
        nccl.ncclSend(from, count, call.type().number(), peer, gpu.comm(), gpu.stream()),
        "ncclSend");
  }

  private static void receive(
      CallArguments call, long count, NcclGpu gpu, BytePointer to, int peer) {
    nccl(
        nccl.ncclRecv(to, count, call.type().number(), peer, gpu.comm(), gpu.stream()), "ncclRecv");
  }
}
