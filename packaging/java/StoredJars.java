import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies the jars of one folder to another without compressing what is in them: xz then makes them
 * half as large, and classes load a little faster. Run from source: {@code java StoredJars.java
 * FROM TO}.
 */
final class StoredJars {
  private StoredJars() {}

  public static void main(String[] args) throws IOException {
    Path to = Files.createDirectories(Path.of(args[1]));
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      for (Path jar : jars) {
        copy(jar, to.resolve(jar.getFileName()));
      }
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    try (ZipFile jar = new ZipFile(from.toFile());
        OutputStream file = Files.newOutputStream(to);
        ZipOutputStream stored = new ZipOutputStream(file)) {
      stored.setMethod(ZipOutputStream.STORED);
      for (ZipEntry entry : Collections.list(jar.entries())) {
        byte[] content = jar.getInputStream(entry).readAllBytes();
        CRC32 checksum = new CRC32();
        checksum.update(content);
        ZipEntry copy = new ZipEntry(entry.getName());
        copy.setTimeLocal(entry.getTimeLocal());
        copy.setSize(content.length);
        copy.setCrc(checksum.getValue());
        stored.putNextEntry(copy);
        stored.write(content);
        stored.closeEntry();
      }
    }
  }
}
