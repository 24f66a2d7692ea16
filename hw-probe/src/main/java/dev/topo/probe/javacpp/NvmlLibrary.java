package dev.topo.probe.javacpp;

import dev.topo.probe.observation.Observation;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.javacpp.Loader;

/**
 * Loads the native libraries once, when first asked. JavaCPP's NVML also loads the CUDA runtime, so
 * that {@code libcuda.so.1} and {@code libcudart.so.13} must be found too. Only the first failure
 * says what is missing; it is kept.
 */
final class NvmlLibrary {
  private NvmlLibrary() {}

  /** Whether the libraries are there. */
  static Observation<String> loaded() {
    return Holder.LOADED;
  }

  /** Its initialization is the loading. */
  private static final class Holder {
    static final Observation<String> LOADED = load();

    private Holder() {}

    private static Observation<String> load() {
      try {
        Loader.load(cudart.class);
        return Observation.of(Loader.load(nvml.class));
      } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
        return Observation.absent(firstLine(e));
      }
    }

    private static String firstLine(Throwable failure) {
      Throwable root = failure;
      while (root.getCause() != null && root.getCause() != root) {
        root = root.getCause();
      }
      return String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
    }
  }
}
