package dev.topo.hw.nvml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;

/** Files of JavaCPP's bindings, for libraries that are loaded without JavaCPP's loader. */
public final class Bindings {
  /** Property that JavaCPP reads whenever a class of its bindings is initialized. */
  private static final String LOAD_LIBRARIES = "org.bytedeco.javacpp.loadlibraries";

  private Bindings() {}

  /** Keeps JavaCPP from loading libraries in this process. */
  public static void loadNoLibraries() {
    System.setProperty(LOAD_LIBRARIES, "false");
  }

  /**
   * Path of a binding's native library: beside Java's libraries in a package, otherwise unpacked
   * from the jar.
   */
  public static String file(Class<?> binding, String name) throws IOException {
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

  /** First line of the innermost cause's message, which comes from the loader. */
  public static String firstLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
    // The linker begins the message with topo's unpacked file in the user's home directory.
    return message.replaceFirst("^.*/libjni\\w+\\.so: ", "");
  }
}
