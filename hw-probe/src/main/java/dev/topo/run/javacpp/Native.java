package dev.topo.run.javacpp;

import dev.topo.run.bench.NativeCallException;
import dev.topo.run.job.MissingHardwareException;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;

/** Loads CUDA and NCCL and turns their results into exceptions. */
final class Native {
  /** {@code ncclGetLastError} is there from this version on. */
  private static final int LAST_ERROR_SINCE = 21300;

  private Native() {}

  /** Loads both libraries. */
  static void load() {
    try {
      Loader.load(cudart.class);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      throw new MissingHardwareException("CUDA cannot be loaded: " + firstLine(e));
    }
    try {
      Loader.load(nccl.class);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      throw new MissingHardwareException("NCCL cannot be loaded: " + firstLine(e));
    }
  }

  /** The message of the innermost cause, which is the loader's own. */
  private static String firstLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
    // The linker names our own unpacked file first, in the home of the user.
    return message.replaceFirst("^\\S*/libjni\\w+\\.so: ", "");
  }

  /** Fails unless a function of CUDA succeeded. */
  static void cuda(int result, String function) {
    if (result != cudart.cudaSuccess) {
      throw new NativeCallException(
          function + ": " + text(cudart.cudaGetErrorString(result)) + " (" + result + ")");
    }
  }

  /** Fails unless a function of NCCL succeeded. */
  static void nccl(int result, String function) {
    if (result != nccl.ncclSuccess) {
      throw failure(result, function);
    }
  }

  static NativeCallException failure(int result, String function) {
    String detail = "";
    if (version() >= LAST_ERROR_SINCE) {
      detail = text(nccl.ncclGetLastError(null)).strip();
    }
    return new NativeCallException(
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
