package dev.topo.probe.elf;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Those dynamic symbols of a file that begin with a given word.
 *
 * @param undefined what it expects others to have; weak ones, without which it loads, left out
 */
public record ElfSymbols(SortedSet<String> defined, SortedSet<String> undefined) {
  public ElfSymbols {
    defined = Collections.unmodifiableSortedSet(new TreeSet<>(defined));
    undefined = Collections.unmodifiableSortedSet(new TreeSet<>(undefined));
  }
}
