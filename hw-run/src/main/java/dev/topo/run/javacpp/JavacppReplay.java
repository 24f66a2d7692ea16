package dev.topo.run.javacpp;

import static dev.topo.run.javacpp.Native.cuda;
import static dev.topo.run.javacpp.Native.nccl;

import dev.topo.run.bench.RunFailure;
import dev.topo.run.call.RunRequest;
import dev.topo.run.replay.ReplayCall;
import dev.topo.run.replay.ReplayGpus;
import dev.topo.run.replay.ReplayPart;
import dev.topo.run.replay.ReplayPart.Function;
import dev.topo.run.replay.ReplayPlan;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclConfig_t;
import org.bytedeco.cuda.nccl.ncclUniqueId;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.Pointer;

/** Replays calls by one thread that drives all GPUs. */
final class JavacppReplay implements ReplayGpus {
  private static final long HOLD_BYTES = 256L << 20;
  private static final long MEETING_BYTES = 256;
  private static final double US_PER_MS = 1e3;
  private static final double NS_PER_S = 1e9;

  /**
   * A rank of a communicator.
   *
   * @param scratch memory that only keeps the GPU busy
   */
  private record Member(
      NcclGpu gpu,
      ncclComm comm,
      BytePointer scratch,
      BytePointer meeting,
      CUevent_st begin,
      CUevent_st end) {}

  private final RunRequest request;
  private final List<List<Member>> groups = new ArrayList<>();
  private final List<Pointer> memory = new ArrayList<>();

  private JavacppReplay(RunRequest request) {
    this.request = request;
  }

  /** Makes the communicators of a plan among GPUs, of which each is the rank of its place. */
  static JavacppReplay open(RunRequest request, ReplayPlan plan, List<NcclGpu> gpus, int version) {
    JavacppReplay replay = new JavacppReplay(request);
    List<BytePointer> scratch = new ArrayList<>();
    List<BytePointer> meeting = new ArrayList<>();
    for (NcclGpu gpu : gpus) {
      gpu.select();
      scratch.add(replay.allocate(HOLD_BYTES));
      meeting.add(replay.allocate(MEETING_BYTES));
    }
    for (List<Integer> ranks : plan.groups()) {
      List<ncclComm> comms = communicators(ranks, gpus, version);
      List<Member> members = new ArrayList<>();
      for (int i = 0; i < ranks.size(); i++) {
        int rank = ranks.get(i);
        gpus.get(rank).select();
        members.add(
            new Member(
                gpus.get(rank),
                comms.get(i),
                scratch.get(rank),
                meeting.get(rank),
                event(),
                event()));
      }
      replay.groups.add(members);
    }
    return replay;
  }

  /** Configured as frameworks do: not at all. */
  private static List<ncclComm> communicators(
      List<Integer> ranks, List<NcclGpu> gpus, int version) {
    ncclUniqueId id = new ncclUniqueId();
    nccl(nccl.ncclGetUniqueId(id), "ncclGetUniqueId");
    ncclConfig_t config = NcclConfig.undefined(version);
    List<ncclComm> comms = new ArrayList<>();
    nccl(nccl.ncclGroupStart(), "ncclGroupStart");
    for (int i = 0; i < ranks.size(); i++) {
      gpus.get(ranks.get(i)).select();
      ncclComm comm = new ncclComm();
      comms.add(comm);
      nccl(
          nccl.ncclCommInitRankConfig(comm, ranks.size(), id, i, config), "ncclCommInitRankConfig");
    }
    nccl(nccl.ncclGroupEnd(), "ncclGroupEnd of ncclCommInitRankConfig");
    return comms;
  }

  private BytePointer allocate(long bytes) {
    Pointer pointer = new Pointer();
    cuda(cudart.cudaMalloc(pointer, bytes), "cudaMalloc");
    memory.add(pointer);
    return new BytePointer(pointer);
  }

  private static CUevent_st event() {
    CUevent_st event = new CUevent_st();
    cuda(cudart.cudaEventCreate(event), "cudaEventCreate");
    return event;
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
    meet(members);
    members.forEach(member -> record(member, member.begin));
    for (int i = 0; i < times; i++) {
      launch(call, members);
    }
    members.forEach(member -> record(member, member.end));
    boolean isQueued = members.stream().noneMatch(member -> isReached(member, member.begin));
    await(call, members);
    return new Timing(members.stream().map(JavacppReplay::us).toList(), isQueued);
  }

  private static void meet(List<Member> members) {
    nccl(nccl.ncclGroupStart(), "ncclGroupStart");
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
    nccl(nccl.ncclGroupEnd(), "ncclGroupEnd");
  }

  private static void record(Member member, CUevent_st event) {
    member.gpu.select();
    cuda(cudart.cudaEventRecord(event, member.gpu.stream()), "cudaEventRecord");
  }

  private static void launch(ReplayCall call, List<Member> members) {
    nccl(nccl.ncclGroupStart(), "ncclGroupStart");
    for (int i = 0; i < members.size(); i++) {
      for (ReplayPart part : call.parts().get(i)) {
        launch(part, members.get(i));
      }
    }
    nccl(nccl.ncclGroupEnd(), "ncclGroupEnd of " + call.name());
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
          case ALL_REDUCE ->
              nccl.ncclAllReduce(from, to, n, type, op, member.comm, gpu.stream());
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
      while (!member.gpu.isDone()) {
        int limit = request.timeLimitSeconds();
        if (limit > 0 && System.nanoTime() - begin > limit * NS_PER_S) {
          throw RunFailure.stalled(List.of(member.gpu.device()), limit, call.name());
        }
        Thread.onSpinWait();
      }
    }
  }

  private static double us(Member member) {
    member.gpu.select();
    try (FloatPointer ms = new FloatPointer(1)) {
      cuda(cudart.cudaEventElapsedTime(ms, member.begin, member.end), "cudaEventElapsedTime");
      return ms.get() * US_PER_MS;
    }
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
