package dev.topo.hw.library;

import dev.topo.hw.library.LibraryHit.Fitness;
import dev.topo.hw.library.SearchStep.Rule;
import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Searches for a library that is not loaded yet, in the order of glibc's dynamic loader ({@code
 * glibc:elf/dl-load.c#_dl_map_object}). Does not cover the folders {@code glibc-hwcaps}, with
 * variants of a library for newer processors.
 */
public record LibrarySearch(
    FileTree files, LibraryCache cache, LoaderVariables variables, ElfMachine machine) {
  public static LibrarySearch on(FileTree files, LoaderVariables variables, ElfMachine machine) {
    LibraryCache cache =
        files.bytes(LibraryCache.FILE).flatMap(LibraryCache::parse).orElse(LibraryCache.EMPTY);
    return new LibrarySearch(files, cache, variables, machine);
  }

  /** Folders that are searched last: Debian's, Red Hat's and common ones. */
  List<String> defaultFolders() {
    String multiarch =
        machine.equals(ElfMachine.AARCH64) ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
    return List.of(
        "/lib/" + multiarch, "/usr/lib/" + multiarch, "/lib64", "/usr/lib64", "/lib", "/usr/lib");
  }

  /** Path of the file that a program without own search folders would load. */
  public Optional<String> path(String name) {
    return find(name, Optional.empty(), Optional.empty()).stream()
        .filter(hit -> hit.fitness() == Fitness.FITS)
        .map(hit -> FileTree.normal(hit.path()))
        .findFirst();
  }

  /**
   * Candidate files in the loader's search order. The loader takes the first one that is not for
   * another processor.
   *
   * @param name name or path of the library
   * @param caller the file that needs it, if any
   * @param program the program of the process, if known
   */
  List<LibraryHit> find(
      String name, Optional<LoadedObject> caller, Optional<LoadedObject> program) {
    Hits hits = new Hits(name);
    if (name.contains("/")) {
      hits.add(FileTree.normal(expand(name, caller.or(() -> program))), SearchStep.of(Rule.PATH));
      return hits.found;
    }
    if (caller.isEmpty() || caller.get().elf().runpath().isEmpty()) {
      rpaths(hits, caller, program);
    }
    hits.addIn(variables.libraryPath(), program, SearchStep.of(Rule.LIBRARY_PATH));
    if (caller.isPresent()) {
      SearchStep step = new SearchStep(Rule.RUNPATH, caller.get().path());
      hits.addIn(caller.get().elf().runpath(), caller, step);
    }
    cache.find(name, machine).ifPresent(path -> hits.add(path, SearchStep.of(Rule.CACHE)));
    hits.addIn(defaultFolders(), Optional.empty(), SearchStep.of(Rule.DEFAULT));
    return hits.found;
  }

  /** Adds the folders of DT_RPATH; the loader ignores the DT_RPATH of a file with a DT_RUNPATH. */
  private static void rpaths(
      Hits hits, Optional<LoadedObject> caller, Optional<LoadedObject> program) {
    List<LoadedObject> objects = new ArrayList<>();
    for (Optional<LoadedObject> next = caller; next.isPresent(); next = next.get().loader()) {
      objects.add(next.get());
    }
    program.filter(object -> !objects.contains(object)).ifPresent(objects::add);
    for (LoadedObject object : objects) {
      if (object.elf().runpath().isEmpty()) {
        SearchStep step = new SearchStep(Rule.RPATH, object.path());
        hits.addIn(object.elf().rpath(), Optional.of(object), step);
      }
    }
  }

  /** Distinct files found. */
  private final class Hits {
    private final String name;
    private final List<LibraryHit> found = new ArrayList<>();

    Hits(String name) {
      this.name = name;
    }

    void addIn(List<String> folders, Optional<LoadedObject> origin, SearchStep step) {
      for (String folder : folders.stream().filter(name -> !name.isEmpty()).toList()) {
        add(FileTree.normal(expand(folder, origin) + "/" + name), step);
      }
    }

    void add(String path, SearchStep step) {
      Optional<String> real = files.real(path).filter(files::isFile);
      if (real.isPresent() && found.stream().noneMatch(hit -> hit.realPath().equals(real.get()))) {
        found.add(new LibraryHit(path, real.get(), step, fitness(real.get())));
      }
    }
  }

  /** Expands {@code $ORIGIN}, {@code $LIB} and {@code $PLATFORM} as the loader does. */
  private String expand(String text, Optional<LoadedObject> origin) {
    String folder = origin.map(LoadedObject::origin).orElse("/");
    String lib = files.isDirectory("/usr/lib64") ? "lib64" : "lib";
    String platform = machine.equals(ElfMachine.AARCH64) ? "aarch64" : "x86_64";
    return text.replace("${ORIGIN}", folder)
        .replace("$ORIGIN", folder)
        .replace("${LIB}", lib)
        .replace("$LIB", lib)
        .replace("${PLATFORM}", platform)
        .replace("$PLATFORM", platform);
  }

  private Fitness fitness(String path) {
    try {
      ElfDynamic elf = new ElfReader(files).dynamic(path);
      return elf.machine().equals(machine) ? Fitness.FITS : Fitness.OTHER_MACHINE;
    } catch (ElfFormatException e) {
      return Fitness.DAMAGED;
    }
  }

  /**
   * Environment variables of the dynamic loader ({@code ld.so(8)}, "ENVIRONMENT").
   *
   * @param preload libraries loaded before all others ({@code LD_PRELOAD})
   * @param libraryPath folders to search first ({@code LD_LIBRARY_PATH}); an empty one means the
   *     working directory, which is not searched
   */
  public record LoaderVariables(List<String> preload, List<String> libraryPath) {
    /** No variables set. */
    public static final LoaderVariables NONE = new LoaderVariables(List.of(), List.of());

    public LoaderVariables {
      preload = List.copyOf(preload);
      libraryPath = List.copyOf(libraryPath);
    }

    public static LoaderVariables of(Map<String, String> environment) {
      String path = environment.getOrDefault("LD_LIBRARY_PATH", "");
      return new LoaderVariables(
          Arrays.stream(environment.getOrDefault("LD_PRELOAD", "").split("[: ]+", -1))
              .filter(name -> !name.isEmpty())
              .toList(),
          path.isEmpty() ? List.of() : Arrays.asList(path.split("[:;]", -1)));
    }
  }
}
