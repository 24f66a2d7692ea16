package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.CallArguments;
import dev.topo.hw.run.MemoryGpu;
import dev.topo.hw.run.MemoryPlan;
import dev.topo.hw.run.Peers;
import dev.topo.hw.run.ProcessPlacement;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunFailure.Reason;
import dev.topo.hw.run.RunRequest;
import dev.topo.hw.run.UsedDevice;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import dev.topo.model.operation.Call.CollectiveCall.ReductionOperator;
import java.util.List;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclUniqueId;

/**
 * GPU of this process for a measurement of memory. Only the measured steps allocate memory on it.
 */
final class JavacppMemory implements MemoryGpu {

  private final NcclGpu gpu;
  private final MemoryGauge gauge;
  private final ProcessPlacement placement;
  private final int version;
  private final int timeLimitSeconds;

  private JavacppMemory(
      NcclGpu gpu, ProcessPlacement placement, int version, int timeLimitSeconds) {
    this.gpu = gpu;
    this.gauge = new MemoryGauge(List.of(gpu));
    this.placement = placement;
    this.version = version;
    this.timeLimitSeconds = timeLimitSeconds;
  }

  /**
   * Opens the GPU and allocates the buffers.
   *
   * @throws RunFailure if a library or the GPU is missing
   */
  static MemoryGpu open(RunRequest request, ProcessPlacement placement) {
    Native.load();
    int version = Native.version();
    int[] count = new int[1];
    int result = cudart.cudaGetDeviceCount(count);
    int device = placement.firstDevice().orElse(placement.localIndex());
    if (result != cudart.cudaSuccess || device >= count[0]) {
      throw new RunFailure(
          Reason.MISSING, "GPU %s is asked for, %s found".formatted(device, count[0]));
    }
    NcclGpu gpu = new NcclGpu(device, version, false);
    gpu.allocatePlain(request.memory().orElseThrow().bufferBytes());
    return new JavacppMemory(gpu, placement, version, request.timeLimitSeconds());
  }

  @Override
  public int ncclVersion() {
    return version;
  }

  @Override
  public UsedDevice device() {
    return DeviceReport.gather(List.of(gpu), placement, Peers.ALONE).get(0);
  }

  @Override
  public long freeBytes() {
    return gauge.free()[0];
  }

  @Override
  public void join() {
    ncclUniqueId id = new ncclUniqueId();
    nccl(nccl.ncclGetUniqueId(id), "ncclGetUniqueId");
    ncclComm comm = new ncclComm();
    nccl(
        nccl.ncclCommInitRankConfig(
            comm, placement.size(), id, placement.index(), NcclConfig.undefined(version)),
        "ncclCommInitRankConfig");
    gpu.join(comm);
  }

  @Override
  public void call(MemoryPlan.Call call) {
    gpu.select();
    CallArguments arguments =
        CallArguments.of(
            call.collective(),
            call.sizeBytes(),
            DataType.FLOAT32,
            ReductionOperator.SUM,
            gpu.nRanks());
    new CallLauncher(version).launch(arguments, gpu, gpu.source(true, 0), gpu.place(false, 0));
    gpu.await(System.nanoTime(), timeLimitSeconds, call.step());
  }

  @Override
  public void leave() {
    gpu.leave();
  }
}
