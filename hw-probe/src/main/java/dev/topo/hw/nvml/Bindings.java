package dev.topo.hw.nvml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.bytedeco.javacpp.Loader;

/** The files of JavaCPP's bindings, for libraries that are loaded without JavaCPP's help. */
public final class Bindings {
  /** JavaCPP reads it whenever a class of its bindings is initialized. */
  private static final String LOAD_LIBRARIES = "org.bytedeco.javacpp.loadlibraries";

  private Bindings() {}

  /** Keeps JavaCPP from loading libraries of its own choice in this process. */
  public static void loadNoLibraries() {
    System.setProperty(LOAD_LIBRARIES, "false");
  }

  /** Packages have the bindings beside the libraries of Java; those in a jar are unpacked. */
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

  /** The message of the innermost cause, which is the loader's own. */
  public static String firstLine(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null && root.getCause() != root) {
      root = root.getCause();
    }
    String message = String.valueOf(root.getMessage()).lines().findFirst().orElse(root.toString());
    // The linker names our own unpacked file first, in the home of the user.
    return message.replaceFirst("^.*/libjni\\w+\\.so: ", "");
  }
}
