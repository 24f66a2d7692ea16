package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * Program or library in a process.
 *
 * @param hit the file, with the loader's search step
 * @param loader the object that needed it first; empty if the user requested it
 * @param passedOver files with the same name later in the loader's search order
 */
public record LoadedObject(
    LibraryHit hit, ElfDynamic elf, Optional<LoadedObject> loader, List<LibraryHit> passedOver) {
  public LoadedObject {
    passedOver = List.copyOf(passedOver);
  }

  String path() {
    return hit.path();
  }

  /** Value of {@code $ORIGIN}; links are resolved for the program only. */
  String origin() {
    return FileTree.parent(
        hit.step().rule() == SearchStep.Rule.PROGRAM ? hit.realPath() : hit.path());
  }

  List<String> chain() {
    List<String> names = new ArrayList<>();
    Optional<LoadedObject> next = Optional.of(this);
    while (next.isPresent()) {
      names.add(FileTree.name(next.get().path()));
      next = next.get().loader();
    }
    Collections.reverse(names);
    return names;
  }
}
