package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;
import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.Average;
import dev.topo.hw.run.Peers;
import dev.topo.hw.run.RunFailure;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.javacpp.BytePointer;

/**
 * Processes of a run, connected by a communicator of their own, which only gathers a few bytes per
 * process.
 */
final class NcclPeers implements Peers {
  private static final double NS_PER_S = 1e9;

  private final NcclGpu gpu;
  private final ncclComm comm;
  private final int size;
  private final int index;
  private final int timeLimitSeconds;
  private BytePointer sendBuffer = new BytePointer();
  private BytePointer receiveBuffer = new BytePointer();
  private int capacity;

  NcclPeers(NcclGpu gpu, ncclComm comm, int index, int size, int timeLimitSeconds) {
    this.gpu = gpu;
    this.comm = comm;
    this.size = size;
    this.index = index;
    this.timeLimitSeconds = timeLimitSeconds;
  }

  private void ensure(int bytes) {
    if (bytes > capacity) {
      cudart.cudaFree(sendBuffer);
      cudart.cudaFree(receiveBuffer);
      sendBuffer = Native.allocate(bytes);
      receiveBuffer = Native.allocate((long) bytes * size);
      capacity = bytes;
    }
  }

  @Override
  public void meet() {
    exchange(new byte[Long.BYTES]);
  }

  @Override
  public double combine(double value, Average average) {
    byte[] mine = ByteBuffer.allocate(Double.BYTES).putDouble(value).array();
    ByteBuffer answers = ByteBuffer.wrap(exchange(mine));
    double[] values = new double[size];
    Arrays.setAll(values, i -> answers.getDouble(i * Double.BYTES));
    return average.of(values);
  }

  @Override
  public long sum(long value) {
    byte[] mine = ByteBuffer.allocate(Long.BYTES).putLong(value).array();
    ByteBuffer answers = ByteBuffer.wrap(exchange(mine));
    long sum = 0;
    for (int i = 0; i < size; i++) {
      sum += answers.getLong(i * Long.BYTES);
    }
    return sum;
  }

  @Override
  public List<String> gather(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int longest = (int) combine(bytes.length, Average.MAX);
    byte[] answers = exchange(Arrays.copyOf(bytes, longest + 1));
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      int begin = i * (longest + 1);
      int end = begin;
      while (answers[end] != 0) {
        end++;
      }
      texts.add(new String(answers, begin, end - begin, StandardCharsets.UTF_8));
    }
    return texts;
  }

  private byte[] exchange(byte[] mine) {
    gpu.select();
    ensure(mine.length);
    byte[] answers = new byte[mine.length * size];
    try (BytePointer host = new BytePointer(mine);
        BytePointer gathered = new BytePointer(answers.length)) {
      cuda(
          cudart.cudaMemcpy(sendBuffer, host, mine.length, cudart.cudaMemcpyHostToDevice),
          "cudaMemcpy");
      nccl(
          nccl.ncclAllGather(
              sendBuffer, receiveBuffer, mine.length, nccl.ncclUint8, comm, gpu.stream()),
          "ncclAllGather");
      await();
      cuda(
          cudart.cudaMemcpy(gathered, receiveBuffer, answers.length, cudart.cudaMemcpyDeviceToHost),
          "cudaMemcpy");
      gathered.get(answers);
    }
    return answers;
  }

  private void await() {
    long begin = System.nanoTime();
    while (true) {
      int state = cudart.cudaStreamQuery(gpu.stream());
      if (state == cudart.cudaSuccess) {
        return;
      }
      if (state != cudart.cudaErrorNotReady) {
        cuda(state, "meeting the other processes");
      }
      if (timeLimitSeconds > 0 && System.nanoTime() - begin > timeLimitSeconds * NS_PER_S) {
        throw RunFailure.stalled(
            List.of(gpu.rank()), timeLimitSeconds, "meeting the other processes");
      }
      Thread.yield();
    }
  }

  void close() {
    gpu.select();
    cudart.cudaFree(sendBuffer);
    cudart.cudaFree(receiveBuffer);
    nccl.ncclCommDestroy(comm);
  }
}
