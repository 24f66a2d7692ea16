package dev.topo.hw.nvml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
  /** JavaCPP reads it whenever a class of its bindings is initialized. */
  private static final String LOAD_LIBRARIES = "org.bytedeco.javacpp.loadlibraries";

  private static final Observation<String> CUDA = loadCuda();
  private static final Observation<String> NVML = loadNvml();

  private NvmlLibrary() {}

  static Observation<String> loaded() {
    return NVML;
  }

  /** Whether the CUDA driver and its runtime are there, too. */
  static boolean hasCuda() {
    return CUDA.value().isPresent();
  }

  private static Observation<String> loadCuda() {
    try {
      return Observation.of(load(cudart.class, "libjnicudart.so"));
    } catch (UnsatisfiedLinkError | NoClassDefFoundError e) {
      return Observation.absent(firstLine(e));
    }
  }

  private static Observation<String> loadNvml() {
    try {
      if (CUDA.value().isPresent()) {
        return Observation.of(load(nvml.class, "libjninvml.so"));
      }
      Loader.load(Pointer.class);
      String library = file(nvml.class, "libjninvml.so");
      // Stays so: every class of these bindings would load the runtime when it is first used.
      System.setProperty(LOAD_LIBRARIES, "false");
      System.load(library);
      return Observation.of(library);
    } catch (UnsatisfiedLinkError | NoClassDefFoundError | IOException e) {
      return Observation.absent(firstLine(e));
    }
  }

  /** JavaCPP has no name for bindings that Java itself has found, as those of packages. */
  private static String load(Class<?> binding, String name) {
    @Nullable String file = Loader.load(binding);
    return file == null ? name : file;
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

  private static String firstLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
    // The linker names our own unpacked file first, in the home of the user.
    return message.replaceFirst("^.*/libjni\\w+\\.so: ", "");
  }
}
