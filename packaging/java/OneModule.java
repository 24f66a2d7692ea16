import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Collectors;
import java.util.zip.ZipFile;

/**
 * Joins the jars of a folder to one open module, as files, with the source of its declaration:
 * {@code java OneModule.java JARS MODULES LEGAL TO}, where MODULES are those that it requires,
 * separated by commas, and LEGAL is the folder for licences. As a module the classes go into the
 * image of Java itself, whose archive of loaded classes holds wherever the image lies.
 */
final class OneModule {
  private static final String MAIN = "dev.topo.cli";
  private static final String SERVICES = "META-INF/services/";

  private final Map<String, byte[]> files = new TreeMap<>();

  private OneModule() {}

  public static void main(String[] args) throws IOException {
    List<Path> jars = new ArrayList<>();
    try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(args[0]), "*.jar")) {
      found.forEach(jars::add);
    }
    Collections.sort(jars);
    OneModule module = new OneModule();
    for (Path jar : jars) {
      if (!jar.getFileName().toString().contains("-linux-")) {
        module.add(jar);
      }
    }
    module.write(args[1].split(","), Path.of(args[2]), Path.of(args[3]));
  }

  /** Of classes for several versions of Java, those for 17. */
  private void add(Path path) throws IOException {
    String name = path.getFileName().toString().replaceFirst("\\.jar$", "");
    Runtime.Version java = Runtime.Version.parse("17");
    try (JarFile jar = new JarFile(path.toFile(), false, ZipFile.OPEN_READ, java)) {
      for (JarEntry entry : jar.versionedStream().collect(Collectors.toList())) {
        if (!entry.isDirectory() && isKept(entry.getName())) {
          try (InputStream content = jar.getInputStream(entry)) {
            add(place(entry.getName(), name), content.readAllBytes());
          }
        }
      }
    }
  }

  private static boolean isKept(String entry) {
    return !entry.endsWith("module-info.class")
        && (!entry.startsWith("META-INF/")
            || entry.startsWith(SERVICES)
            || isLegal(entry)
            // JavaCPP reads the versions of its presets.
            || entry.startsWith("META-INF/maven/org.bytedeco"));
  }

  private static boolean isLegal(String entry) {
    return entry.matches("META-INF/[^/]*(LICENSE|NOTICE|DEPENDENCIES)[^/]*");
  }

  /** Licences and notices of several jars stay side by side. */
  private static String place(String entry, String jar) {
    return isLegal(entry) ? "legal/" + jar + entry.substring("META-INF".length()) : entry;
  }

  private void add(String name, byte[] content) {
    byte[] known = files.get(name);
    if (known == null) {
      files.put(name, content);
    } else if (name.startsWith(SERVICES)) {
      ByteArrayOutputStream both = new ByteArrayOutputStream();
      both.writeBytes(known);
      both.write('\n');
      both.writeBytes(content);
      files.put(name, both.toByteArray());
    } else if (name.endsWith(".class") && !Arrays.equals(known, content)) {
      throw new IllegalArgumentException(name + " is in two jars");
    }
  }

  private void write(String[] modules, Path legal, Path to) throws IOException {
    StringBuilder declaration = new StringBuilder("open module dev.topo.app {\n");
    for (String module : modules) {
      declaration.append("  requires ").append(module).append(";\n");
    }
    // Only a module with an export is there without being named at the start.
    declaration.append("  exports ").append(MAIN).append(";\n");
    for (Map.Entry<String, byte[]> file : files.entrySet()) {
      if (file.getKey().startsWith(SERVICES)) {
        String service = file.getKey().substring(SERVICES.length());
        declaration.append(service(service, new String(file.getValue(), StandardCharsets.UTF_8)));
      } else if (file.getKey().startsWith("legal/")) {
        write(legal.resolve(file.getKey().substring("legal/".length())), file.getValue());
      } else {
        write(to.resolve(file.getKey()), file.getValue());
      }
    }
    declaration.append("}\n");
    write(to.resolve("module-info.java"), declaration.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void write(Path file, byte[] content) throws IOException {
    Files.createDirectories(file.getParent());
    Files.write(file, content);
  }

  /** Some files name no class: they are read by name, which a module does not need. */
  private String service(String service, String text) {
    if (!isClass(service) && !service.startsWith("javax.xml.stream.")) {
      return "";
    }
    Collection<String> providers = new TreeSet<>();
    for (String line : text.lines().collect(Collectors.toList())) {
      String provider = line.replaceFirst("#.*", "").strip();
      if (isClass(provider)) {
        providers.add(provider);
      }
    }
    String provides =
        providers.isEmpty()
            ? ""
            : "  provides " + service + " with " + String.join(", ", providers) + ";\n";
    return "  uses " + service + ";\n" + provides;
  }

  private boolean isClass(String name) {
    return files.containsKey(name.replace('.', '/') + ".class");
  }
}
