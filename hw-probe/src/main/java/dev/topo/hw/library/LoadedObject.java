package dev.topo.hw.library;

import dev.topo.hw.sysfs.FileTree;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A program or library in a process.
 *
 * @param hit the file, and how the loader came to it
 * @param loader the one that needed it first, if it was not the user
 * @param passedOver files of the same name later in the loader's search order
 */
public record LoadedObject(
    LibraryHit hit, ElfDynamic elf, Optional<LoadedObject> loader, List<LibraryHit> passedOver) {
  public LoadedObject {
    passedOver = List.copyOf(passedOver);
  }

  public String path() {
    return hit.path();
  }

  /** The value of {@code $ORIGIN}: for a program links are resolved first. */
  String origin() {
    return FileTree.parent(
        hit.step().rule() == SearchStep.Rule.PROGRAM ? hit.realPath() : hit.path());
  }

  public List<String> chain() {
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
