package dev.topo.probe.loader;

import java.util.List;

/**
 * A library that the dynamic loader does not find, or finds and cannot load.
 *
 * @param neededBy the file that needs it; empty if the user requested it
 * @param found the files of that name that cannot be loaded
 */
public record MissingLibrary(String name, String neededBy, List<LibraryHit> found) {
  public MissingLibrary {
    found = List.copyOf(found);
  }
}
