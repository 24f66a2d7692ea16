package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;
import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.CallArguments;
import dev.topo.hw.run.GpuGroup;
import dev.topo.hw.run.Piece;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.cudart.CUgraphExec_st;
import org.bytedeco.cuda.cudart.CUgraph_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclSimInfo_t;
import org.bytedeco.javacpp.BytePointer;

/** GPUs of one thread. */
final class JavacppGpuGroup implements GpuGroup {

  private final List<NcclGpu> gpus;
  private final int version;
  private final CallLauncher launcher;
  private final List<BytePointer> staging = new ArrayList<>();
  private final List<CUgraph_st> graphs = new ArrayList<>();
  private final List<CUgraphExec_st> executables = new ArrayList<>();

  JavacppGpuGroup(List<NcclGpu> gpus, int version) {
    this.gpus = List.copyOf(gpus);
    this.version = version;
    this.launcher = new CallLauncher(version);
    gpus.forEach(gpu -> staging.add(new BytePointer()));
  }

  @Override
  public int size() {
    return gpus.size();
  }

  @Override
  public int nRanks() {
    return gpus.get(0).nRanks();
  }

  @Override
  public int rank(int gpu) {
    return gpus.get(gpu).rank();
  }

  @Override
  public void select(int variant) {
    gpus.forEach(gpu -> gpu.select(variant));
  }

  @Override
  public void groupStart() {
    Native.groupStart();
  }

  @Override
  public void groupEnd() {
    Native.groupEnd("");
  }

  @Override
  public double groupEstimateUs() {
    try (ncclSimInfo_t info = NcclConfig.simulation(version)) {
      nccl(nccl.ncclGroupSimulateEnd(info), "ncclGroupSimulateEnd");
      return info.estimatedTime();
    }
  }

  @Override
  public void launch(
      int gpu, CallArguments call, Buffer source, long sendBytes, long receiveBytes) {
    NcclGpu device = gpus.get(gpu);
    BytePointer from = device.source(source == Buffer.SEND, sendBytes);
    launcher.launch(call, device, from, device.receive().position(receiveBytes));
  }

  @Override
  public boolean isDone(int gpu) {
    return gpus.get(gpu).isDone();
  }

  @Override
  public void record(int event) {
    gpus.forEach(gpu -> gpu.record(event));
  }

  @Override
  public double elapsedUs(int gpu, int fromEvent, int toEvent) {
    return gpus.get(gpu).elapsedUs(fromEvent, toEvent);
  }

  @Override
  public void abort() {
    gpus.forEach(NcclGpu::abort);
  }

  @Override
  public void beginGraph() {
    for (NcclGpu gpu : gpus) {
      cuda(
          cudart.cudaStreamBeginCapture(gpu.stream(), cudart.cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
    }
  }

  @Override
  public void endGraph() {
    for (NcclGpu gpu : gpus) {
      CUgraph_st graph = new CUgraph_st();
      cuda(cudart.cudaStreamEndCapture(gpu.stream(), graph), "cudaStreamEndCapture");
      graphs.add(graph);
    }
    // Only after the capture of all streams has ended: the communicators of a process connect them.
    for (CUgraph_st graph : graphs) {
      CUgraphExec_st executable = new CUgraphExec_st();
      cuda(cudart.cudaGraphInstantiate(executable, graph), "cudaGraphInstantiate");
      executables.add(executable);
    }
  }

  @Override
  public void launchGraph() {
    for (int i = 0; i < gpus.size(); i++) {
      cuda(cudart.cudaGraphLaunch(executables.get(i), gpus.get(i).stream()), "cudaGraphLaunch");
    }
  }

  @Override
  public void dropGraph() {
    executables.forEach(cudart::cudaGraphExecDestroy);
    graphs.forEach(cudart::cudaGraphDestroy);
    executables.clear();
    graphs.clear();
  }

  @Override
  public void write(int gpu, Buffer buffer, long baseBytes, Piece piece) {
    NcclGpu device = gpus.get(gpu);
    device.select();
    long begin = baseBytes + piece.offsetBytes();
    long length = piece.lengthBytes();
    if (length == 0) {
      return;
    }
    BytePointer to = device.place(buffer == Buffer.SEND, begin);
    if (piece.isUniform()) {
      cuda(cudart.cudaMemset(to, piece.period()[0] & 0xff, length), "cudaMemset");
      cuda(cudart.cudaDeviceSynchronize(), "cudaDeviceSynchronize");
      return;
    }
    long done = Math.min(length, piece.period().length);
    try (BytePointer period = new BytePointer(piece.period())) {
      cuda(cudart.cudaMemcpy(to, period, done, cudart.cudaMemcpyHostToDevice), "cudaMemcpy");
    }
    // Appends a copy of the existing data, which doubles its length each time.
    while (done < length) {
      long part = Math.min(done, length - done);
      BytePointer end = device.place(buffer == Buffer.SEND, begin + done);
      cuda(cudart.cudaMemcpy(end, to, part, cudart.cudaMemcpyDeviceToDevice), "cudaMemcpy");
      done += part;
    }
    cuda(cudart.cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  }

  @Override
  public void read(int gpu, Buffer buffer, long fromBytes, byte[] target, int length) {
    NcclGpu device = gpus.get(gpu);
    device.select();
    BytePointer host = staging.get(gpu);
    if (host.capacity() < length) {
      host = new BytePointer(length);
      staging.set(gpu, host);
    }
    BytePointer from = device.place(buffer == Buffer.SEND, fromBytes);
    cuda(cudart.cudaMemcpy(host, from, length, cudart.cudaMemcpyDeviceToHost), "cudaMemcpy");
    host.get(target, 0, length);
  }
}
