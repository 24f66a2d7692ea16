package dev.topo.hw.javacpp;

import static dev.topo.hw.javacpp.Native.cuda;
import static dev.topo.hw.javacpp.Native.nccl;

import dev.topo.hw.run.Registration;
import dev.topo.hw.run.RunFailure;
import java.util.ArrayList;
import java.util.List;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.cudart.CUstream_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.cuda.nccl.ncclComm;
import org.bytedeco.cuda.nccl.ncclWindow_vidmem;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.IntPointer;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/** GPU with its communicator, stream and buffers. */
final class NcclGpu {
  /** First version with {@code ncclMemAlloc}. */
  private static final int MEM_ALLOC_SINCE = 21900;

  private static final double NS_PER_S = 1e9;

  /**
   * Registered buffer.
   *
   * @param handle receives the handle; it must outlive the call, because NCCL writes the handle of
   *     a window only when the group ends
   */
  private record Registered(ncclComm comm, PointerPointer<Pointer> handle) {}

  private final int device;
  private final int version;

  /** CUDA's default stream, a null pointer. */
  private final CUstream_st stream = new CUstream_st();

  private final boolean defaultStream;
  private final List<CUevent_st> events = new ArrayList<>();
  private final IntPointer asyncError = new IntPointer(1);
  private final List<ncclComm> comms = new ArrayList<>();
  private ncclComm comm = new ncclComm();
  private BytePointer send = new BytePointer();
  private BytePointer receive = new BytePointer();
  private BytePointer receiveAsSource = new BytePointer();
  private final List<Registered> registered = new ArrayList<>();
  private int rank;
  private int nRanks;

  NcclGpu(int device, int version, boolean defaultStream) {
    this.device = device;
    this.version = version;
    this.defaultStream = defaultStream;
    select();
    if (!defaultStream) {
      cuda(
          cudart.cudaStreamCreateWithFlags(stream, cudart.cudaStreamNonBlocking),
          "cudaStreamCreateWithFlags");
    }
  }

  void select() {
    cuda(cudart.cudaSetDevice(device), "cudaSetDevice");
  }

  /** Compute capability, 90 for 9.0. */
  int sm() {
    return 10 * attribute(cudart.cudaDevAttrComputeCapabilityMajor)
        + attribute(cudart.cudaDevAttrComputeCapabilityMinor);
  }

  private int attribute(int number) {
    int[] value = new int[1];
    cuda(cudart.cudaDeviceGetAttribute(value, number, device), "cudaDeviceGetAttribute");
    return value[0];
  }

  /** Adds the communicator of the next variant and reads the GPU's rank in it. */
  void join(ncclComm joined) {
    comms.add(joined);
    comm = joined;
    int[] answer = new int[1];
    nccl(nccl.ncclCommUserRank(comm, answer), "ncclCommUserRank");
    rank = answer[0];
    nccl(nccl.ncclCommCount(comm, answer), "ncclCommCount");
    nRanks = answer[0];
  }

  /** Selects the communicator of a variant. */
  void select(int variant) {
    comm = comms.get(variant);
  }

  void abort() {
    comms.forEach(nccl::ncclCommAbort);
  }

  void allocate(long bytes) {
    select();
    send = memory(bytes);
    receive = memory(bytes);
    receiveAsSource = new BytePointer(receive);
  }

  /** Allocates buffers that are not registered with NCCL, until the process ends. */
  void allocatePlain(long bytes) {
    select();
    send = Native.allocate(bytes);
    receive = Native.allocate(bytes);
    receiveAsSource = new BytePointer(receive);
  }

  private BytePointer memory(long bytes) {
    if (version < MEM_ALLOC_SINCE) {
      return Native.allocate(bytes);
    }
    Pointer pointer = new Pointer();
    nccl(nccl.ncclMemAlloc(pointer, bytes), "ncclMemAlloc");
    return new BytePointer(pointer);
  }

  /** Registers both buffers in the communicator of a variant. */
  void register(Registration registration, long bytes, int variant) {
    select();
    ncclComm variantComm = comms.get(variant);
    for (BytePointer buffer : List.of(send, receive)) {
      PointerPointer<Pointer> handle = new PointerPointer<>(1);
      handle.put(0, (Pointer) null);
      registered.add(new Registered(variantComm, handle));
      if (registration == Registration.LOCAL) {
        nccl(nccl.ncclCommRegister(variantComm, buffer, bytes, handle), "ncclCommRegister");
      } else {
        nccl(
            nccl.ncclCommWindowRegister(
                variantComm, buffer, bytes, handle, nccl.NCCL_WIN_COLL_SYMMETRIC),
            "ncclCommWindowRegister");
      }
    }
  }

  /** Deregisters all buffers; peers must still have their communicators. */
  void deregister(Registration registration) {
    select();
    for (Registered buffers : registered) {
      Pointer handle = buffers.handle.get(0);
      if (handle == null) {
        continue;
      }
      if (registration == Registration.LOCAL) {
        nccl.ncclCommDeregister(buffers.comm, handle);
      } else {
        nccl.ncclCommWindowDeregister(buffers.comm, new ncclWindow_vidmem(handle));
      }
    }
    registered.clear();
  }

  /** Number of communicators. */
  int variants() {
    return comms.size();
  }

  /** Destroys the communicators. */
  void leave() {
    select();
    comms.forEach(nccl::ncclCommDestroy);
  }

  void release() {
    select();
    events.forEach(cudart::cudaEventDestroy);
    comms.forEach(nccl::ncclCommDestroy);
    free(send.position(0));
    free(receive.position(0));
  }

  private void free(BytePointer buffer) {
    if (version >= MEM_ALLOC_SINCE) {
      nccl.ncclMemFree(buffer);
    } else {
      cudart.cudaFree(buffer);
    }
  }

  /**
   * True if the stream is empty.
   *
   * @throws RunFailure if the communicator has failed meanwhile
   */
  boolean isDone() {
    if (defaultStream) {
      select(); // the default stream belongs to the selected GPU
    }
    int state = cudart.cudaStreamQuery(stream);
    if (state == cudart.cudaSuccess) {
      return true;
    }
    if (state != cudart.cudaErrorNotReady) {
      cuda(state, "a collective");
    }
    nccl(nccl.ncclCommGetAsyncError(comm, asyncError), "ncclCommGetAsyncError");
    int failure = asyncError.get();
    if (failure != nccl.ncclSuccess && failure != nccl.ncclInProgress) {
      throw Native.failure(failure, "a collective");
    }
    return false;
  }

  /**
   * Waits until the queued calls are done.
   *
   * @param beginNs when the wait began, which may be earlier for another GPU
   * @param step named when the time limit is exceeded
   */
  void await(long beginNs, int timeLimitSeconds, String step) {
    while (!isDone()) {
      if (timeLimitSeconds > 0 && System.nanoTime() - beginNs > timeLimitSeconds * NS_PER_S) {
        throw RunFailure.stalled(List.of(device), timeLimitSeconds, step);
      }
      Thread.onSpinWait();
    }
  }

  /** Records an event on the stream. */
  void record(int event) {
    select();
    while (events.size() <= event) {
      events.add(Native.event());
    }
    cuda(cudart.cudaEventRecord(events.get(event), stream), "cudaEventRecord");
  }

  /** Time between two recorded events. */
  double elapsedUs(int from, int to) {
    return Native.elapsedUs(events.get(from), events.get(to));
  }

  int device() {
    return device;
  }

  int rank() {
    return rank;
  }

  int nRanks() {
    return nRanks;
  }

  ncclComm comm() {
    return comm;
  }

  CUstream_st stream() {
    return stream;
  }

  BytePointer receive() {
    return receive;
  }

  /**
   * Source pointer of a call. In place, a second pointer to the receive buffer, so that the
   * positions for reading and writing may differ.
   */
  BytePointer source(boolean fromSend, long atBytes) {
    return (fromSend ? send : receiveAsSource).position(atBytes);
  }

  BytePointer place(boolean inSend, long atBytes) {
    return new BytePointer(inSend ? send : receiveAsSource).position(atBytes);
  }
}
