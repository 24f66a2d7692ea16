package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Determines the import folders of a Python environment without running it: {@code PYTHONPATH},
 * then the folders that the module {@code site} adds (those of a virtual environment, or else of
 * the user and the system). Ignores {@code .pth} files and {@code sitecustomize}.
 */
public record PythonEnvironmentFinder(
    FileTree files, Map<String, String> environment, String home) {
  private static final Pattern VERSION = Pattern.compile("python(3\\.[0-9]+)t?");
  private static final List<String> INTERPRETERS = List.of("python3", "python");

  public PythonEnvironmentFinder {
    environment = Map.copyOf(environment);
  }

  /**
   * Environment at a path: an interpreter, the folder of a virtual or Conda environment, or a
   * folder with packages such as {@code site-packages}.
   *
   * @throws PythonEnvironmentException if the path leads to none of these
   */
  public PythonEnvironment find(String path) {
    if (files.isFile(path)) {
      return ofInterpreter(path, path);
    }
    if (!files.isDirectory(path)) {
      throw new PythonEnvironmentException(
          path + ": no such file or folder, expected a Python interpreter or environment");
    }
    for (String name : INTERPRETERS) {
      if (files.isFile(path + "/bin/" + name)) {
        return ofInterpreter(path, path + "/bin/" + name);
      }
    }
    if (files.isDirectory(path + "/torch")
        || files.isDirectory(path + "/nvidia")
        || path.endsWith("-packages")) {
      return new PythonEnvironment(path, Optional.empty(), List.of(path));
    }
    throw new PythonEnvironmentException(
        path + ": has neither bin/python nor torch, expected a Python environment");
  }

  /** Environment of the process: the active one, otherwise the one of {@code python3} in PATH. */
  public Optional<PythonEnvironment> ofProcess() {
    for (String name : List.of("VIRTUAL_ENV", "CONDA_PREFIX")) {
      String folder = environment.getOrDefault(name, "");
      if (!folder.isEmpty()) {
        return attempt(folder);
      }
    }
    return Arrays.stream(environment.getOrDefault("PATH", "").split(":", -1))
        .filter(folder -> folder.startsWith("/"))
        .flatMap(folder -> INTERPRETERS.stream().map(name -> folder + "/" + name))
        .filter(files::isFile)
        .flatMap(path -> attempt(path).stream())
        .findFirst();
  }

  /**
   * Environment at a path, if there is one. A script in its place is ignored, because the user did
   * not request this path.
   */
  private Optional<PythonEnvironment> attempt(String path) {
    try {
      return Optional.of(find(path));
    } catch (PythonEnvironmentException e) {
      return Optional.empty();
    }
  }

  private PythonEnvironment ofInterpreter(String name, String executable) {
    try {
      new ElfReader(files).dynamic(executable);
    } catch (ElfFormatException e) {
      throw new PythonEnvironmentException(
          executable + ": is a script or no program, expected a Python interpreter or environment");
    }
    String real = files.real(executable).orElse(executable);
    List<String> folders = new ArrayList<>();
    Arrays.stream(environment.getOrDefault("PYTHONPATH", "").split(":", -1))
        .filter(folder -> folder.startsWith("/"))
        .forEach(folders::add);
    Optional<String> virtual = virtualEnvironment(executable);
    if (virtual.isPresent()) {
      folders.addAll(packageFolders(virtual.get(), real));
    }
    if (virtual.isEmpty() || includesSystem(virtual.get())) {
      folders.addAll(packageFolders(home + "/.local", real));
      String prefix = FileTree.normal(FileTree.parent(real) + "/..");
      if (prefix.equals("/usr")) {
        folders.addAll(packageFolders("/usr/local", real));
      }
      folders.addAll(packageFolders(prefix, real));
    }
    return new PythonEnvironment(
        name,
        Optional.of(executable),
        folders.stream().filter(files::isDirectory).distinct().toList());
  }

  /**
   * Folder with {@code pyvenv.cfg}: the folder above the interpreter's, or the interpreter's own,
   * without following links.
   */
  private Optional<String> virtualEnvironment(String executable) {
    String bin = FileTree.parent(executable);
    return List.of(FileTree.parent(bin), bin).stream()
        .filter(folder -> files.isFile(folder + "/pyvenv.cfg"))
        .findFirst();
  }

  private boolean includesSystem(String virtual) {
    return files
        .text(virtual + "/pyvenv.cfg")
        .orElse("")
        .lines()
        .anyMatch(line -> line.replace(" ", "").equals("include-system-site-packages=true"));
  }

  /** Package folders below a prefix, for the interpreter's version if its name contains one. */
  private List<String> packageFolders(String prefix, String interpreter) {
    Matcher wanted = VERSION.matcher(FileTree.name(interpreter));
    String version = wanted.matches() ? wanted.group(1) : "";
    List<String> found = new ArrayList<>();
    for (String lib : List.of("lib", "lib64")) {
      for (String name : files.list(prefix + "/" + lib)) {
        Matcher matcher = VERSION.matcher(name);
        boolean fits = matcher.matches() && (version.isEmpty() || matcher.group(1).equals(version));
        if (fits || name.equals("python3")) {
          found.add(prefix + "/" + lib + "/" + name + "/site-packages");
          found.add(prefix + "/" + lib + "/" + name + "/dist-packages");
        }
      }
    }
    return found;
  }
}
