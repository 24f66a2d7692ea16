package dev.topo.hw.javacpp;

import dev.topo.hw.run.RunFailure;
import dev.topo.hw.run.RunFailure.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nccl;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;

/** Loads CUDA and NCCL and turns their results into exceptions. */
final class Native {
  /** JavaCPP reads it whenever a class of its bindings is initialized. */
  private static final String LOAD_LIBRARIES = "org.bytedeco.javacpp.loadlibraries";

  /** {@code ncclGetLastError} is there from this version on. */
  private static final int LAST_ERROR_SINCE = 21300;

  private Native() {}

  /**
   * Loads both bindings, without JavaCPP's help: it looks for CUDA and NCCL in places of its own
   * first, and the dynamic loader is to take those that the process was started with.
   */
  static void load() {
    try {
      Loader.load(Pointer.class);
      System.setProperty(LOAD_LIBRARIES, "false");
      load("CUDA", cudart.class, "libjnicudart.so");
      load("NCCL", nccl.class, "libjninccl.so");
    } catch (IOException e) {
      throw new RunFailure(Reason.MISSING, "the bindings cannot be unpacked: " + e.getMessage());
    }
  }

  private static void load(String what, Class<?> binding, String name) throws IOException {
    try {
      System.load(file(binding, name));
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      throw new RunFailure(Reason.MISSING, what + " cannot be loaded: " + firstLine(e));
    }
  }

  /** Packages have the bindings beside the libraries of Java; those in a jar are unpacked. */
  private static String file(Class<?> binding, String name) throws IOException {
    Path packaged = Path.of(System.getProperty("java.home"), "lib", name);
    if (Files.exists(packaged)) {
      return packaged.toString();
    }
    String resource = "/org/bytedeco/cuda/" + Loader.getPlatform() + "/" + name;
    if (binding.getResource(resource) == null) {
      throw new UnsatisfiedLinkError("this package has no bindings for " + Loader.getPlatform());
    }
    return Loader.cacheResource(binding, resource).getPath();
  }

  /** The message of the innermost cause, which is the loader's own. */
  private static String firstLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
    // The linker names our own unpacked file first, in the home of the user.
    return message.replaceFirst("^.*/libjni\\w+\\.so: ", "");
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
