package dev.topo.hw.nvml;

import java.io.IOException;
import org.bytedeco.cuda.global.cudart;
import org.bytedeco.cuda.global.nvml;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.jspecify.annotations.Nullable;

/**
 * Loads the native libraries once, on first use. JavaCPP loads the CUDA runtime before NVML, which
 * does not need it: many hosts have the driver only. There the bindings of NVML are loaded without
 * JavaCPP's help, and CUDA is not queried. The first failure names what is missing and is kept.
 */
final class NvmlLibrary {
  private static final Observation<String> CUDA = loadCuda();
  private static final Observation<String> NVML = loadNvml();

  private NvmlLibrary() {}

  static Observation<String> loaded() {
    return NVML;
  }

  /** True if the CUDA driver and its runtime are there, too. */
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
      // Stays so: every class of these bindings would load the runtime when it is first used.
      Bindings.loadNoLibraries();
      System.load(library);
      return Observation.of(library);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError | IOException e) {
      return Observation.absent(Bindings.firstLine(e));
    }
  }

  /** JavaCPP has no name for bindings that Java itself has found, as those of packages. */
  private static String load(Class<?> binding, String name) {
    @Nullable String file = Loader.load(binding);
    return file == null ? name : file;
  }
}
