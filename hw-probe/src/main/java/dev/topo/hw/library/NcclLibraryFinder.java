package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the NCCL libraries of a machine in their usual places: the folders of the dynamic loader,
 * of CUDA, of libtorch and of Python environments. Does not search the whole file system.
 */
public record NcclLibraryFinder(FileTree files) {
  private static final List<String> TORCH = List.of("libtorch_cuda.so", "libtorch.so");

  /** Maximum nesting of includes in {@code /etc/ld.so.conf}. */
  private static final int MAX_INCLUDES = 4;

  private static final List<Place> USUAL =
      List.of(
          new Place("/usr/local/lib", "/usr/local"),
          new Place("/usr/local/nccl/lib", "/usr/local/nccl"),
          new Place("/usr/local/nvidia/lib64", "/usr/local/nvidia"),
          new Place("/opt/nccl/build/lib", "/opt/nccl"),
          new Place("/opt/libtorch/lib", "libtorch"),
          new Place("/usr/local/libtorch/lib", "libtorch"));

  /** Folder to search. */
  public record Place(String folder, String label) {}

  public List<NcclLibrary> find(List<Place> places) {
    Map<String, NcclLibrary> found = new LinkedHashMap<>();
    for (Place place : places) {
      for (String name : files.list(place.folder())) {
        if (NcclLibraryReader.isLibraryName(name) || TORCH.contains(name)) {
          add(found, place.folder() + "/" + name, place.label());
        }
      }
    }
    return List.copyOf(found.values());
  }

  private void add(Map<String, NcclLibrary> found, String path, String label) {
    String real = files.real(path).orElse(path);
    NcclLibrary known = found.get(real);
    if (known == null) {
      new NcclLibraryReader(files).read(path, label).ifPresent(library -> found.put(real, library));
    } else if (!known.foundIn().contains(label)) {
      List<String> labels = new ArrayList<>(known.foundIn());
      labels.add(label);
      found.put(real, known.withFoundIn(labels));
    }
  }

  /** Places on a machine: the loader's folders in its order, then the usual ones. */
  public static List<Place> places(
      LibrarySearch search, Map<String, String> environment, List<PythonEnvironment> pythons) {
    List<Place> places = new ArrayList<>();
    for (String folder : search.variables().libraryPath()) {
      places.add(new Place(FileTree.normal(folder), "LD_LIBRARY_PATH"));
    }
    search.cache().entries().stream()
        .filter(entry -> NcclLibraryReader.isLibraryName(entry.name()))
        .map(entry -> FileTree.parent(entry.path()))
        .distinct()
        .forEach(folder -> places.add(new Place(folder, "/etc/ld.so.cache")));
    search.defaultFolders().forEach(folder -> places.add(new Place(folder, "system")));
    Set<String> configured = new LinkedHashSet<>();
    configured(search.files(), "/etc/ld.so.conf", configured, 0);
    configured.forEach(folder -> places.add(new Place(folder, "/etc/ld.so.conf")));
    usual(search.files(), places);
    for (String name : List.of("NCCL_HOME", "CUDA_HOME", "CONDA_PREFIX", "LIBTORCH")) {
      String folder = environment.getOrDefault(name, "");
      if (!folder.isEmpty()) {
        places.add(new Place(FileTree.normal(folder) + "/lib", name));
        places.add(new Place(FileTree.normal(folder) + "/lib64", name));
      }
    }
    pythons.forEach(python -> places.addAll(python.places(search.files())));
    return List.copyOf(places);
  }

  private static void usual(FileTree files, List<Place> places) {
    places.addAll(USUAL);
    for (String name : files.list("/usr/local")) {
      if (name.startsWith("cuda")) {
        places.add(new Place("/usr/local/" + name + "/lib64", "CUDA toolkit"));
        places.add(new Place("/usr/local/" + name + "/lib", "CUDA toolkit"));
      }
    }
  }

  /**
   * Adds the folders in a file such as {@code /etc/ld.so.conf}. Only ldconfig reads the file: the
   * loader finds a library in these folders after ldconfig has run ({@code ldconfig(8)}).
   */
  private static void configured(FileTree files, String file, Set<String> folders, int depth) {
    for (String raw : files.text(file).orElse("").lines().toList()) {
      int comment = raw.indexOf('#');
      String line = (comment < 0 ? raw : raw.substring(0, comment)).strip();
      if (line.startsWith("include") && depth < MAX_INCLUDES) {
        included(files, line.substring("include".length()).strip())
            .forEach(name -> configured(files, name, folders, depth + 1));
      } else if (line.startsWith("/")) {
        folders.add(FileTree.normal(line));
      }
    }
  }

  /**
   * Files that match a pattern with a star in its last part, as {@code /etc/ld.so.conf.d/*.conf}.
   */
  private static List<String> included(FileTree files, String pattern) {
    String path = pattern.startsWith("/") ? pattern : "/etc/" + pattern;
    String folder = FileTree.parent(path);
    String name = FileTree.name(path);
    int star = name.indexOf('*');
    if (star < 0) {
      return List.of(path);
    }
    String start = name.substring(0, star);
    String end = name.substring(star + 1);
    return files.list(folder).stream()
        .filter(
            file ->
                file.length() >= name.length() - 1 && file.startsWith(start) && file.endsWith(end))
        .map(file -> folder + "/" + file)
        .toList();
  }
}
