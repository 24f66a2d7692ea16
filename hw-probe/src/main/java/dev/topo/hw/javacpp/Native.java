package dev.topo.hw.javacpp;

import dev.topo.hw.nvml.Bindings;
import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunFailure.Reason;
import java.io.IOException;
import org.bytedeco.cuda.cudart.CUevent_st;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;

/** Loads CUDA and NCCL and turns their results into exceptions. */
final class Native {
  /** First version with {@code ncclGetLastError}. */
  private static final int LAST_ERROR_SINCE = 21300;

  private static final double US_PER_MS = 1e3;

  private Native() {}

  /**
   * Loads both bindings without JavaCPP's loader, which searches its own folders for CUDA and NCCL
   * first: the dynamic loader must use the folders that the process was started with.
   */
  static void load() {
    try {
      Loader.load(Pointer.class);
      Bindings.loadNoLibraries();
      load("CUDA", cudart.class, "libjnicudart.so");
      load("NCCL", nccl.class, "libjninccl.so");
    } catch (IOException e) {
      throw new RunFailure(Reason.MISSING, "the bindings cannot be unpacked: " + e.getMessage());
    }
  }

  private static void load(String what, Class<?> binding, String name) throws IOException {
    try {
      System.load(Bindings.file(binding, name));
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      throw new RunFailure(Reason.MISSING, what + " cannot be loaded: " + Bindings.firstLine(e));
    }
  }

  static void cuda(int result, String function) {
    if (result != cudart.cudaSuccess) {
      throw new RunFailure(
          Reason.NATIVE,
          function + ": " + text(cudart.cudaGetErrorString(result)) + " (" + result + ")");
    }
  }

  static void nccl(int result, String function) {
    if (result != nccl.ncclSuccess) {
      throw failure(result, function);
    }
  }

  /** Begins a group of calls. */
  static void groupStart() {
    nccl(nccl.ncclGroupStart(), "ncclGroupStart");
  }

  /**
   * Ends a group of calls.
   *
   * @param calls what the group has, as in {@code " of ncclCommSplit"}, or empty
   */
  static void groupEnd(String calls) {
    nccl(nccl.ncclGroupEnd(), "ncclGroupEnd" + calls);
  }

  /** Memory of the current device, without NCCL's properties for registration. */
  static BytePointer allocate(long bytes) {
    Pointer pointer = new Pointer();
    cuda(cudart.cudaMalloc(pointer, bytes), "cudaMalloc");
    return new BytePointer(pointer);
  }

  /** A new event of the current device. */
  static CUevent_st event() {
    CUevent_st event = new CUevent_st();
    cuda(cudart.cudaEventCreate(event), "cudaEventCreate");
    return event;
  }

  /** The time between two events that were reached, in microseconds. */
  static double elapsedUs(CUevent_st from, CUevent_st to) {
    float[] ms = new float[1];
    cuda(cudart.cudaEventElapsedTime(ms, from, to), "cudaEventElapsedTime");
    return ms[0] * US_PER_MS;
  }

  static RunFailure failure(int result, String function) {
    String detail = "";
    if (version() >= LAST_ERROR_SINCE) {
      detail = text(nccl.ncclGetLastError(null)).strip();
    }
    return new RunFailure(
        Reason.NATIVE,
        function
            + ": "
            + text(nccl.ncclGetErrorString(result))
            + (detail.isEmpty() ? "" : ", " + detail.replace('\n', ' ')));
  }

  static int version() {
    int[] version = new int[1];
    nccl.ncclGetVersion(version);
    return version[0];
  }

  static String text(BytePointer pointer) {
    return pointer == null || pointer.isNull() ? "" : pointer.getString();
  }
}
