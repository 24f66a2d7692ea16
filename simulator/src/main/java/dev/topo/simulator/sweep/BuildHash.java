package dev.topo.simulator.sweep;

import dev.topo.model.io.ContentHash;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.FileFault;
import dev.topo.model.io.TopologyFormatException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The hash of the classes and resources of topo: two builds of the same version whose answers may
 * differ have other ones. It is the same for jars and for the folders that they were made from.
 */
public final class BuildHash {
  private static final String OWN = "dev/topo/";

  private BuildHash() {}

  /**
   * The hash of what a class path has of topo.
   *
   * @param classPath jars and folders, as in {@code java.class.path}
   */
  public static String of(String classPath) {
    Map<String, Long> sums = new TreeMap<>();
    for (String name : classPath.split(File.pathSeparator)) {
      Path place = Path.of(name);
      try {
        if (Files.isDirectory(place)) {
          ofFolder(place, sums);
        } else if (Files.isRegularFile(place)) {
          ofJar(place, sums);
        }
      } catch (IOException e) {
        throw new TopologyFormatException(
            SourceLocation.of(name), "cannot be read (" + FileFault.text(e) + ")", e);
      }
    }
    ContentHash hash = new ContentHash();
    sums.forEach((file, sum) -> hash.add(file).add(sum));
    return hash.key();
  }

  /** Of files that are there twice the first one is used, as by the JVM. */
  private static void ofJar(Path jar, Map<String, Long> sums) throws IOException {
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : (Iterable<ZipEntry>) zip.stream().map(ZipEntry.class::cast)::iterator) {
        if (entry.getName().startsWith(OWN) && !entry.isDirectory()) {
          sums.putIfAbsent(entry.getName(), entry.getCrc());
        }
      }
    }
  }

  private static void ofFolder(Path folder, Map<String, Long> sums) throws IOException {
    Path classes = folder.resolve(OWN);
    if (!Files.isDirectory(classes)) {
      return;
    }
    try (Stream<Path> all = Files.walk(classes)) {
      List<Path> files = all.filter(Files::isRegularFile).toList();
      for (Path file : files) {
        CRC32 sum = new CRC32();
        sum.update(Files.readAllBytes(file));
        sums.putIfAbsent(
            folder.relativize(file).toString().replace(File.separatorChar, '/'), sum.getValue());
      }
    }
  }
}
