package dev.topo.hw.run;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.hw.fixture.HostGpus;
import dev.topo.hw.fixture.Requests;
import dev.topo.hw.run.ReplayPart.Function;
import dev.topo.hw.run.RunEvent.Failed;
import dev.topo.hw.run.RunFailure.Reason;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class WorkerTest {
  private static final UsedDevice DEVICE =
      new UsedDevice(0, 0, 4711, "host", 0, "0000:0b:00.0", "Host \"GPU\"");

  private final List<RunEvent> events = new ArrayList<>();
  private final FakeMemoryGpu gpu = new FakeMemoryGpu();
  private boolean closed;

  /** Communicators take 426 MiB, a call takes 1 MiB for each of its bytes. */
  private static final class FakeMemoryGpu implements MemoryGpu {
    private long free = 1L << 36;
    private boolean left;

    @Override
    public int ncclVersion() {
      return 22809;
    }

    @Override
    public UsedDevice device() {
      return DEVICE;
    }

    @Override
    public long freeBytes() {
      return free;
    }

    @Override
    public void join() {
      free -= 426L << 20;
    }

    @Override
    public void call(MemoryPlan.Call call) {
      free -= call.sizeBytes() << 20;
    }

    @Override
    public void leave() {
      left = true;
    }
  }

  /** Events go through their lines, so that what is said is what is heard. */
  private int run(RunRequest request, List<GpuGroup> groups) {
    Worker worker =
        new Worker(
            EventLine.readAssignment(
                EventLine.write(new EventLine.Assignment(request, ProcessPlacement.ALONE))),
            (asked, placement) -> job(asked, groups),
            (asked, placement) -> gpu,
            PretendTime.perReading(),
            event -> events.add(EventLine.read(EventLine.write(event)).orElseThrow()));
    return worker.run();
  }

  /** A call takes 7 us between two events, and so does one without a kernel. */
  private static final class FakeReplay implements ReplayGpus {
    @Override
    public Timing time(ReplayCall call, int times, int holds) {
      return new Timing(call.name().equals("events") ? 1.4 * times : 7, true);
    }

    @Override
    public void rest(double us) {}
  }

  private GpuJob job(RunRequest asked, List<GpuGroup> groups) {
    return new GpuJob(
        asked,
        22809,
        List.of(DEVICE),
        List.of("<system/>"),
        Peers.ALONE,
        4096,
        groups,
        asked.replay().map(plan -> new FakeReplay()),
        () -> new MemoryUse(1, 2, 3),
        () -> closed = true);
  }

  private static RunRequest request(Optional<Corruption> corruption) {
    RunRequest usual = Requests.of(RunCollective.ALL_REDUCE, new SizeSweep(64, 1024, 0, 4));
    return Requests.of(
        usual.calls().collectives().get(0),
        usual.calls().sweep(),
        usual.calls().types(),
        usual.calls().operators(),
        0,
        Repetition.DEFAULTS,
        corruption);
  }

  private <E extends RunEvent> List<E> events(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Test
  void aRunIsSaidFromBeginToEnd() {
    assertEquals(0, run(request(Optional.empty()), List.of(new HostGpus(2, 4096))));
    assertEquals(new RunEvent.Step("joining the other ranks"), events.get(0));
    RunEvent.Started started = events(RunEvent.Started.class).get(0);
    assertEquals(List.of(DEVICE), started.devices());
    assertEquals(
        List.of(64L, 256L, 1024L),
        events(RunEvent.Measured.class).stream().map(one -> one.row().sizeBytes()).toList());
    assertEquals(new RunEvent.Ended(new MemoryUse(1, 2, 3)), events.get(events.size() - 1));
    assertTrue(closed);
  }

  @Test
  void theTurnsOfAComparisonAreSaid() {
    Map<String, String> forcing = Map.of("NCCL_ALGO", "Ring", "NCCL_PROTO", "LL");
    List<RunCollective> allReduce = List.of(RunCollective.ALL_REDUCE);
    AlternatingRun comparison =
        new AlternatingRun(
            List.of(
                new AlternatingRun.Variant("NCCL's choice", Map.of(), allReduce),
                new AlternatingRun.Variant("Ring/LL", forcing, allReduce)),
            3);
    HostGpus gpus = new HostGpus(2, 4096);
    assertEquals(0, run(request(Optional.empty()).withComparison(comparison), List.of(gpus)));
    assertEquals(
        List.of("0 0", "1 0", "1 1", "0 1", "0 2", "1 2"),
        events(RunEvent.Measured.class).stream()
            .filter(one -> one.row().sizeBytes() == 64)
            .map(one -> one.row().turn().variant() + " " + one.row().turn().round())
            .toList());
  }

  @Test
  void aReplayIsSaidAtOnce() {
    ReplayPart part =
        new ReplayPart(Function.SEND, 4096, DataType.INT8, ReductionOperator.SUM, 1, 64);
    ReplayCall call = new ReplayCall("SendRecv of 4 KiB", 0, List.of(List.of(part), List.of()));
    ReplayPlan plan =
        new ReplayPlan(
            2, List.of(List.of(0, 1)), List.of(call), List.of(new ReplayPlan.Step(0, 12.5)), 3);
    RunRequest request = RunRequest.of(plan, 60);
    assertEquals(1, request.use().gpus(), "GPUs of a process; each rank is a process");
    assertEquals(0, run(request, List.of()));
    assertEquals(
        List.of(
            new RunEvent.Replayed(
                List.of(new ReplayedCall(0, Collections.nCopies(3, 7 - 1.4), false)))),
        events(RunEvent.Replayed.class));
    assertTrue(events.contains(new RunEvent.Step("round 3 of 3")));
    assertEquals(new RunEvent.Ended(new MemoryUse(1, 2, 3)), events.get(events.size() - 1));
  }

  @Test
  void wrongElementsAreCounted() {
    run(request(Optional.of(new Corruption(1, 3))), List.of(new HostGpus(2, 4096)));
    RunEvent.Measured measured = events(RunEvent.Measured.class).get(0);
    assertEquals(OptionalLong.of(1), measured.row().outOfPlace().wrong());
    assertTrue(
        measured.row().inPlace().firstWrong().orElse("").startsWith("rank 1, element 3: bytes "));
  }

  @Test
  void aFailureOfNcclIsSaid() {
    HostGpus gpus = new HostGpus(2, 4096);
    gpus.failsAfter = 300;
    assertEquals(1, run(request(Optional.empty()), List.of(gpus)));
    assertEquals(
        new Failed(Reason.NATIVE, "ncclAllReduce: unhandled cuda error"),
        events.get(events.size() - 1));
  }

  @Test
  void aStallIsSaid() {
    HostGpus gpus = new HostGpus(2, 4096);
    gpus.hangs = true;
    assertEquals(1, run(request(Optional.empty()), List.of(gpus)));
    Failed failed = assertInstanceOf(Failed.class, events.get(events.size() - 1));
    assertEquals(Reason.STALLED, failed.reason());
    assertTrue(gpus.aborted, "what runs is ended");
  }

  /** The GPUs are opened only when a sign of life was heard. */
  @Test
  void aWorkerThatJoinsTheOthersGivesSignsOfLife() {
    CountDownLatch heard = new CountDownLatch(2);
    Worker worker =
        new Worker(
            new EventLine.Assignment(request(Optional.empty()), ProcessPlacement.ALONE),
            (asked, placement) -> {
              await(heard);
              return job(asked, List.of(new HostGpus(2, 4096)));
            },
            (asked, placement) -> gpu,
            PretendTime.standing().withPauses(2),
            event -> {
              if (event instanceof RunEvent.Alive) {
                heard.countDown();
              }
            });
    assertEquals(0, worker.run());
    assertEquals(0, heard.getCount());
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aMissingLibraryIsSaid() {
    Worker worker =
        new Worker(
            new EventLine.Assignment(request(Optional.empty()), ProcessPlacement.ALONE),
            (asked, placement) -> {
              throw new RunFailure(Reason.MISSING, "NCCL cannot be loaded");
            },
            (asked, placement) -> gpu,
            PretendTime.standing(),
            events::add);
    assertEquals(1, worker.run());
    assertEquals(
        new Failed(Reason.MISSING, "NCCL cannot be loaded"), events.get(events.size() - 1));
  }

  @Test
  void theMemoryOfEachStepIsMeasured() {
    MemoryPlan plan =
        new MemoryPlan(
            List.of(
                new MemoryPlan.Call("all_reduce 8 B", RunCollective.ALL_REDUCE, 8),
                new MemoryPlan.Call("alltoall 16 B", RunCollective.ALLTOALL, 16)));
    assertEquals(0, run(RunRequest.of(plan, 0), List.of()));
    CompletedRun done = new CompletedRun(events);
    assertEquals(
        List.of("init 426", "all_reduce 8 B 8", "alltoall 16 B 16"),
        done.taken().stream().map(one -> one.step() + " " + (one.gpuBytes() >> 20)).toList());
    assertEquals(22809, done.started().ncclVersion());
    assertTrue(gpu.left);
    assertInstanceOf(RunEvent.Ended.class, events.get(events.size() - 1));
  }

  @Test
  void sharedMemoryIsThatOfTheStatus() {
    assertEquals(
        8452,
        MemoryRun.sharedKib(List.of("VmRSS:\t  100 kB", "RssShmem:\t    8452 kB", "Threads:\t1")));
    assertEquals(0, MemoryRun.sharedKib(List.of("Name:\tjava")));
  }
}
