package dev.topo.probe.loader;

import dev.topo.probe.elf.ElfDynamic;
import dev.topo.probe.elf.ElfFormatException;
import dev.topo.probe.elf.ElfMachine;
import dev.topo.probe.elf.ElfReader;
import dev.topo.probe.files.FileTree;
import dev.topo.probe.loader.LibraryHit.Fitness;
import dev.topo.probe.loader.SearchStep.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where glibc's dynamic loader looks for a library that is not loaded yet, in its order ({@code
 * glibc:elf/dl-load.c#_dl_map_object}). Not looked into: folders {@code glibc-hwcaps}, which hold
 * variants of a library for newer processors.
 */
public record LibrarySearch(
    FileTree files, LibraryCache cache, LoaderVariables variables, ElfMachine machine) {
  public static LibrarySearch on(FileTree files, LoaderVariables variables, ElfMachine machine) {
    LibraryCache cache =
        files.bytes(LibraryCache.FILE).flatMap(LibraryCache::parse).orElse(LibraryCache.EMPTY);
    return new LibrarySearch(files, cache, variables, machine);
  }

  /** The folders that are looked in last: those of Debian, of Red Hat, and of all. */
  public List<String> defaultFolders() {
    String multiarch =
        machine.equals(ElfMachine.AARCH64) ? "aarch64-linux-gnu" : "x86_64-linux-gnu";
    return List.of(
        "/lib/" + multiarch, "/usr/lib/" + multiarch, "/lib64", "/usr/lib64", "/lib", "/usr/lib");
  }

  /** The path of the file that a program without search folders of its own would load. */
  public Optional<String> path(String name) {
    return find(name, Optional.empty(), Optional.empty()).stream()
        .filter(hit -> hit.fitness() == Fitness.FITS)
        .map(hit -> FileTree.normal(hit.path()))
        .findFirst();
  }

  /**
   * The candidate files in the loader's search order; it takes the first that is not for another
   * processor.
   *
   * @param name what is looked for: a name, or a path
   * @param caller the file that needs it, if any
   * @param program the program of the process, if known
   */
  List<LibraryHit> find(
      String name, Optional<LoadedObject> caller, Optional<LoadedObject> program) {
    List<LibraryHit> hits = new ArrayList<>();
    if (name.contains("/")) {
      String path = expand(name, caller.or(() -> program));
      add(hits, FileTree.normal(path), SearchStep.of(Rule.PATH));
      return hits;
    }
    if (caller.isEmpty() || caller.get().elf().runpath().isEmpty()) {
      rpaths(hits, name, caller, program);
    }
    inFolders(hits, name, variables.libraryPath(), program, SearchStep.of(Rule.LIBRARY_PATH));
    caller.ifPresent(
        object ->
            inFolders(
                hits,
                name,
                object.elf().runpath(),
                caller,
                new SearchStep(Rule.RUNPATH, object.path())));
    cache.find(name, machine).ifPresent(path -> add(hits, path, SearchStep.of(Rule.CACHE)));
    inFolders(hits, name, defaultFolders(), Optional.empty(), SearchStep.of(Rule.DEFAULT));
    return hits;
  }

  /** A file with a newer list of folders has no older one, as far as the loader is concerned. */
  private void rpaths(
      List<LibraryHit> hits,
      String name,
      Optional<LoadedObject> caller,
      Optional<LoadedObject> program) {
    List<LoadedObject> objects = new ArrayList<>();
    for (Optional<LoadedObject> next = caller; next.isPresent(); next = next.get().loader()) {
      objects.add(next.get());
    }
    program.filter(object -> !objects.contains(object)).ifPresent(objects::add);
    for (LoadedObject object : objects) {
      if (object.elf().runpath().isEmpty()) {
        inFolders(
            hits,
            name,
            object.elf().rpath(),
            Optional.of(object),
            new SearchStep(Rule.RPATH, object.path()));
      }
    }
  }

  private void inFolders(
      List<LibraryHit> hits,
      String name,
      List<String> folders,
      Optional<LoadedObject> origin,
      SearchStep step) {
    for (String folder : folders) {
      add(hits, FileTree.normal(expand(folder, origin) + "/" + name), step);
    }
  }

  /** {@code $ORIGIN}, {@code $LIB} and {@code $PLATFORM} as the loader reads them. */
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

  private void add(List<LibraryHit> hits, String path, SearchStep step) {
    Optional<String> real = files.real(path).filter(files::isFile);
    if (real.isPresent() && hits.stream().noneMatch(hit -> hit.realPath().equals(real.get()))) {
      hits.add(new LibraryHit(path, real.get(), step, fitness(real.get())));
    }
  }

  private Fitness fitness(String path) {
    try {
      ElfDynamic elf = new ElfReader(files).dynamic(path);
      return elf.machine().equals(machine) ? Fitness.FITS : Fitness.OTHER_MACHINE;
    } catch (ElfFormatException e) {
      return Fitness.DAMAGED;
    }
  }
}
