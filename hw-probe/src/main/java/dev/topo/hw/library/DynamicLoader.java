package dev.topo.hw.library;

import dev.topo.hw.library.LibraryHit.Fitness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Determines the objects that glibc's dynamic loader would load into a process: a program with all
 * its dependencies, and libraries opened later. Names are resolved breadth first; a loaded name is
 * not searched again. Represents one process; single use.
 */
public final class DynamicLoader {
  private final LibrarySearch search;
  private final ElfReader reader;
  private final List<LoadedObject> loaded = new ArrayList<>();
  private final Map<String, LoadedObject> byName = new LinkedHashMap<>();
  private final List<MissingLibrary> missing = new ArrayList<>();
  private Optional<LoadedObject> program = Optional.empty();

  DynamicLoader(LibrarySearch search) {
    this.search = search;
    this.reader = new ElfReader(search.files());
  }

  /**
   * Starts a program. Must be called first.
   *
   * @throws dev.topo.hw.library.ElfFormatException if it is not an ELF file
   */
  LoadedObject start(String path) {
    ElfDynamic elf = reader.dynamic(path);
    String real = search.files().real(path).orElse(path);
    LibraryHit hit =
        new LibraryHit(path, real, SearchStep.of(SearchStep.Rule.PROGRAM), Fitness.FITS);
    LoadedObject object = new LoadedObject(hit, elf, Optional.empty(), List.of());
    program = Optional.of(object);
    loaded.add(object);
    preload(new ArrayDeque<>(List.of(object)));
    return object;
  }

  /**
   * Starts a process of an unknown program, with only the libraries that the environment preloads.
   */
  void startUnknown() {
    preload(new ArrayDeque<>());
  }

  private void preload(Deque<LoadedObject> added) {
    for (String name : search.variables().preload()) {
      load(name, program, added, true);
    }
    loadNeeded(added);
  }

  /**
   * Opens a library as {@code dlopen} does, with all its dependencies.
   *
   * @param name a name, or a path
   * @param caller the file that opens it, if it is not the program
   */
  Optional<LoadedObject> open(String name, Optional<LoadedObject> caller) {
    Deque<LoadedObject> added = new ArrayDeque<>();
    Optional<LoadedObject> object = load(name, caller.or(() -> program), added, false);
    loadNeeded(added);
    return object;
  }

  private void loadNeeded(Deque<LoadedObject> added) {
    while (!added.isEmpty()) {
      LoadedObject object = added.removeFirst();
      for (String name : object.elf().needed()) {
        load(name, Optional.of(object), added, false);
      }
    }
  }

  private Optional<LoadedObject> load(
      String name, Optional<LoadedObject> caller, Deque<LoadedObject> added, boolean preloaded) {
    Optional<LoadedObject> present = named(name);
    if (present.isPresent()) {
      return present;
    }
    List<LibraryHit> hits = search.find(name, caller, program);
    Optional<LibraryHit> first =
        hits.stream().filter(hit -> hit.fitness() != Fitness.OTHER_MACHINE).findFirst();
    if (first.isEmpty() || first.get().fitness() == Fitness.DAMAGED) {
      missing.add(new MissingLibrary(name, caller.map(LoadedObject::path).orElse(""), hits));
      return Optional.empty();
    }
    LibraryHit chosen = first.get();
    Optional<LoadedObject> sameFile =
        loaded.stream()
            .filter(object -> object.hit().realPath().equals(chosen.realPath()))
            .findFirst();
    if (sameFile.isPresent()) {
      byName.put(name, sameFile.get());
      return sameFile;
    }
    LoadedObject object =
        new LoadedObject(
            preloaded
                ? new LibraryHit(
                    chosen.path(),
                    chosen.realPath(),
                    SearchStep.of(SearchStep.Rule.PRELOAD),
                    chosen.fitness())
                : chosen,
            reader.dynamic(chosen.realPath()),
            caller,
            hits.stream().filter(hit -> !hit.equals(chosen)).toList());
    loaded.add(object);
    byName.put(name, object);
    object.elf().soname().ifPresent(soname -> byName.putIfAbsent(soname, object));
    added.addLast(object);
    return Optional.of(object);
  }

  Optional<LoadedObject> named(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  List<LoadedObject> loaded() {
    return List.copyOf(loaded);
  }

  List<MissingLibrary> missing() {
    return List.copyOf(missing);
  }

  /**
   * Library that the dynamic loader does not find or cannot load.
   *
   * @param neededBy the file that needs it; empty if the user requested it
   * @param found the files with that name that cannot be loaded
   */
  public record MissingLibrary(String name, String neededBy, List<LibraryHit> found) {
    public MissingLibrary {
      found = List.copyOf(found);
    }
  }
}
