package dev.topo.hw.nvml;

import java.io.IOException;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native libraries once, on first use. JavaCPP loads the CUDA runtime before NVML, which
 * does not need it: many hosts have only the driver. Then the NVML bindings are loaded without
 * JavaCPP's loader, and CUDA is not queried. The first failure is kept, as only its message names
 * the missing library.
 */
final class NvmlLibrary {
  private static final Observation<String> CUDA = loadCuda();
  private static final Observation<String> NVML = loadNvml();

  private NvmlLibrary() {}

  static Observation<String> loaded() {
    return NVML;
  }

  /** True if the CUDA driver and its runtime are available, too. */
  static boolean hasCuda() {
    return CUDA.value().isPresent();
  }

  private static Observation<String> loadCuda() {
    try {
      return Observation.of(load(cudart.class, "libjnicudart.so"));
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      return Observation.absent(Bindings.firstLine(e));
    }
  }

  private static Observation<String> loadNvml() {
    try {
      if (CUDA.value().isPresent()) {
        return Observation.of(load(nvml.class, "libjninvml.so"));
      }
      Loader.load(Pointer.class);
      String library = Bindings.file(nvml.class, "libjninvml.so");
      // Set permanently: every class of these bindings would load the runtime on first use.
      Bindings.loadNoLibraries();
      System.load(library);
      return Observation.of(library);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError | IOException e) {
      return Observation.absent(Bindings.firstLine(e));
    }
  }

  /** Loads a binding. JavaCPP returns no path if Java itself finds the library, as in packages. */
  private static String load(Class<?> binding, String name) {
    @Nullable String file = Loader.load(binding);
    return file == null ? name : file;
  }
}
