import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Joins the jars of a folder to one that {@code java -jar} runs, without native code. A script
 * before the archive makes it a program. Run from source: {@code java OneJar.java JARS SCRIPT TO
 * COMMIT LICENCES}. Not Maven's shade plugin: it cannot put a script before the archive, and
 * packaging starts from jars that Maven has built.
 */
final class OneJar {
  /** No time: the first that zip can express. */
  private static final long DAY_ONE = 315532800000L;

  private static final String MANIFEST =
      "Manifest-Version: 1.0\r\nMain-Class: dev.topo.cli.Main\r\nMulti-Release: true\r\n\r\n";

  private OneJar() {}

  public static void main(String[] args) throws IOException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      found.forEach(jars::add);
    }
    Collections.sort(jars);
    Map<String, byte[]> entries = new TreeMap<>();
    for (Path jar : jars) {
      if (!jar.getFileName().toString().contains("-linux-")) {
        add(jar, entries);
      }
    }
    try (DirectoryStream<Path> texts = Files.newDirectoryStream(Path.of(args[4]))) {
      for (Path text : texts) {
        entries.put("META-INF/licenses/" + text.getFileName(), Files.readAllBytes(text));
      }
    }
    if (!args[3].isEmpty()) {
      byte[] commit = (args[3] + "\n").getBytes(StandardCharsets.US_ASCII);
      entries.put("dev/topo/cli/commit.txt", commit);
    }
    write(entries, Files.readAllBytes(Path.of(args[1])), Path.of(args[2]));
  }

  private static void add(Path jar, Map<String, byte[]> entries) throws IOException {
    String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : Collections.list(zip.entries())) {
        if (!entry.isDirectory() && isKept(entry.getName())) {
          byte[] content = zip.getInputStream(entry).readAllBytes();
          merge(entries, place(entry.getName(), name), content);
        }
      }
    }
  }

  /** One class path has one manifest, no modules and no signatures. */
  private static boolean isKept(String entry) {
    return !entry.equals("META-INF/MANIFEST.MF")
        && !entry.endsWith("module-info.class")
        && !entry.startsWith("META-INF/native-image/")
        // JavaCPP reads the versions of its presets.
        && (!entry.startsWith("META-INF/maven/") || entry.startsWith("META-INF/maven/org.bytedeco"))
        && !entry.matches("META-INF/[^/]*\\.(SF|RSA|DSA|EC)");
  }

  /** Licences and notices of several jars stay side by side. */
  private static String place(String entry, String jar) {
    return entry.matches("META-INF/(LICENSE|NOTICE|DEPENDENCIES|FastDoubleParser)[^/]*")
        ? "META-INF/licenses/" + jar + entry.substring("META-INF".length())
        : entry;
  }

  private static void merge(Map<String, byte[]> entries, String name, byte[] content) {
    byte[] known = entries.get(name);
    if (known == null) {
      entries.put(name, content);
    } else if (name.startsWith("META-INF/services/")) {
      entries.put(name, joined(known, content));
    } else if (name.endsWith(".class") && !Arrays.equals(known, content)) {
      throw new IllegalArgumentException(name + " is in two jars");
    }
  }

  private static byte[] joined(byte[] first, byte[] second) {
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    both.writeBytes(first);
    both.write('\n');
    both.writeBytes(second);
    return both.toByteArray();
  }

  private static void write(Map<String, byte[]> entries, byte[] script, Path to)
      throws IOException {
    try (OutputStream file = Files.newOutputStream(to)) {
      file.write(script);
      try (ZipOutputStream zip = new ZipOutputStream(file)) {
        put(zip, "META-INF/MANIFEST.MF", MANIFEST.getBytes(StandardCharsets.US_ASCII));
        for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
          put(zip, entry.getKey(), entry.getValue());
        }
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(DAY_ONE);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }
}
