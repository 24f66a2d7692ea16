package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;
import static dev.topo.hw.javacpp.Native.elapsedUs;
import static dev.topo.hw.javacpp.Native.event;
import static dev.topo.hw.javacpp.Native.groupEnd;
import static dev.topo.hw.javacpp.Native.groupStart;
import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.Average;
import dev.topo.hw.run.Peers;
import dev.topo.hw.run.ReplayCall;
import dev.topo.hw.run.ReplayGpus;
import dev.topo.hw.run.ReplayPart;
import dev.topo.hw.run.ReplayPart.Function;
import dev.topo.hw.run.ReplayPlan;
import dev.topo.hw.run.RunRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;

/** Replays calls on the GPUs of this process, in step with the other processes. */
final class JavacppReplay implements ReplayGpus {
  private static final long HOLD_BYTES = 256L << 20;
  private static final long MEETING_BYTES = 256;

  /**
   * Size below which the data of a call, and NCCL's buffers for it, are in the cache when a job
   * makes the call. The work that holds the stream evicts them; therefore such a call is made once
   * before it is measured. In traces and replays of two ranks on an H200 (2026-11-23), calls of 4 B
   * to 600 kB are nearer to the traces with this extra call, calls from 2 MiB without it.
   */
  private static final long CACHED_BYTES = 1L << 20;

  private static final double NS_PER_US = 1e3;

  /**
   * Rank of a communicator.
   *
   * @param rank its rank in the communicator
   * @param scratch memory that only keeps the GPU busy
   */
  private record Member(
      int rank,
      NcclGpu gpu,
      ncclComm comm,
      BytePointer scratch,
      BytePointer meeting,
      CUevent_st begin,
      CUevent_st end) {}

  private final RunRequest request;
  private final Peers peers;
  private final List<List<Member>> groups = new ArrayList<>();
  private final List<Pointer> memory = new ArrayList<>();

  private JavacppReplay(RunRequest request, Peers peers) {
    this.request = request;
    this.peers = peers;
  }

  /**
   * Splits the communicators of a plan from the communicator of all ranks, with the default
   * configuration, as frameworks do.
   *
   * @param gpus the GPUs of this process, with the communicator of all ranks
   */
  static JavacppReplay open(
      RunRequest request, ReplayPlan plan, List<NcclGpu> gpus, Peers peers, int version) {
    JavacppReplay replay = new JavacppReplay(request, peers);
    List<BytePointer> scratch = new ArrayList<>();
    List<BytePointer> meeting = new ArrayList<>();
    for (NcclGpu gpu : gpus) {
      gpu.select();
      scratch.add(replay.allocate(HOLD_BYTES));
      meeting.add(replay.allocate(MEETING_BYTES));
    }
    for (List<Integer> ranks : plan.groups()) {
      List<ncclComm> comms =
          JavacppGpuJob.split(
              gpus,
              gpus.stream().map(NcclGpu::comm).toList(),
              gpus.get(0).rank(),
              rank -> ranks.contains(rank) ? 0 : JavacppGpuJob.NO_COLOR,
              ranks::indexOf,
              NcclConfig.undefined(version));
      List<Member> members = new ArrayList<>();
      for (int i = 0; i < gpus.size(); i++) {
        NcclGpu gpu = gpus.get(i);
        int rank = ranks.indexOf(gpu.rank());
        if (rank >= 0) {
          gpu.select();
          members.add(
              new Member(
                  rank, gpu, comms.get(i), scratch.get(i), meeting.get(i), event(), event()));
        }
      }
      replay.groups.add(members);
    }
    return replay;
  }

  private BytePointer allocate(long bytes) {
    BytePointer pointer = Native.allocate(bytes);
    memory.add(pointer);
    return pointer;
  }

  @Override
  public Timing time(ReplayCall call, int times, int holds) {
    List<Member> members = groups.get(call.group());
    for (Member member : members) {
      member.gpu.select();
      for (int i = 0; i < holds; i++) {
        cuda(
            cudart.cudaMemsetAsync(member.scratch, 0, HOLD_BYTES, member.gpu.stream()),
            "cudaMemsetAsync");
      }
    }
    if (call.bufferBytes() < CACHED_BYTES) {
      launch(call, members);
    }
    meet(members);
    members.forEach(member -> record(member, member.begin));
    for (int i = 0; i < times; i++) {
      launch(call, members);
    }
    members.forEach(member -> record(member, member.end));
    boolean isQueued = members.stream().noneMatch(member -> isReached(member, member.begin));
    await(call, members);
    double us = members.stream().mapToDouble(JavacppReplay::us).max().orElse(0);
    return new Timing(
        peers.combine(us, Average.MAX), peers.combine(isQueued ? 1 : 0, Average.MIN) > 0);
  }

  @Override
  public void rest(double us) {
    long end = System.nanoTime() + (long) (us * NS_PER_US);
    for (long left = end - System.nanoTime(); left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private static void meet(List<Member> members) {
    groupStart();
    for (Member member : members) {
      nccl(
          nccl.ncclAllReduce(
              member.meeting,
              member.meeting,
              1,
              nccl.ncclFloat32,
              nccl.ncclSum,
              member.comm,
              member.gpu.stream()),
          "ncclAllReduce");
    }
    groupEnd("");
  }

  private static void record(Member member, CUevent_st event) {
    member.gpu.select();
    cuda(cudart.cudaEventRecord(event, member.gpu.stream()), "cudaEventRecord");
  }

  private static void launch(ReplayCall call, List<Member> members) {
    groupStart();
    for (Member member : members) {
      for (ReplayPart part : call.parts().get(member.rank)) {
        launch(part, member);
      }
    }
    groupEnd(" of " + call.name());
  }

  private static void launch(ReplayPart part, Member member) {
    NcclGpu gpu = member.gpu;
    int type = part.type().number();
    int op = part.operator().number();
    long n = part.count();
    Function function = part.function();
    BytePointer to = gpu.place(false, part.offsetBytes());
    BytePointer from = function.isInPlace() ? to : gpu.place(true, part.offsetBytes());
    int result =
        switch (function) {
          case ALL_REDUCE -> nccl.ncclAllReduce(from, to, n, type, op, member.comm, gpu.stream());
          case ALL_GATHER -> nccl.ncclAllGather(from, to, n, type, member.comm, gpu.stream());
          case REDUCE_SCATTER ->
              nccl.ncclReduceScatter(from, to, n, type, op, member.comm, gpu.stream());
          case BROADCAST ->
              nccl.ncclBroadcast(from, to, n, type, part.peer(), member.comm, gpu.stream());
          case REDUCE ->
              nccl.ncclReduce(from, to, n, type, op, part.peer(), member.comm, gpu.stream());
          case SEND -> nccl.ncclSend(from, n, type, part.peer(), member.comm, gpu.stream());
          case RECEIVE -> nccl.ncclRecv(to, n, type, part.peer(), member.comm, gpu.stream());
        };
    nccl(result, function.label());
  }

  private static boolean isReached(Member member, CUevent_st event) {
    member.gpu.select();
    int state = cudart.cudaEventQuery(event);
    if (state != cudart.cudaErrorNotReady) {
      cuda(state, "cudaEventQuery");
      return true;
    }
    return false;
  }

  private void await(ReplayCall call, List<Member> members) {
    long begin = System.nanoTime();
    for (Member member : members) {
      member.gpu.select();
      member.gpu.await(begin, request.timeLimitSeconds(), call.name());
    }
  }

  private static double us(Member member) {
    member.gpu.select();
    return elapsedUs(member.begin, member.end);
  }

  void close() {
    for (List<Member> members : groups) {
      for (Member member : members) {
        member.gpu.select();
        cudart.cudaEventDestroy(member.begin);
        cudart.cudaEventDestroy(member.end);
        nccl.ncclCommDestroy(member.comm);
      }
    }
    memory.forEach(cudart::cudaFree);
  }
}
