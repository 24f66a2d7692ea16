package dev.topo.model.io;

import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Diagnostic.SourceLocation;
import java.util.ArrayList;
import java.util.List;

/** Collects {@link Diagnostic}s while an input is read. Not thread-safe. */
public final class Diagnostics {
  private final List<Diagnostic> list = new ArrayList<>();

  public void note(String code, SourceLocation location, String message) {
    list.add(new Diagnostic(code, Severity.NOTE, location, message));
  }

  public void warn(String code, SourceLocation location, String message) {
    list.add(new Diagnostic(code, Severity.WARNING, location, message));
  }

  /** The findings so far, in order. */
  public List<Diagnostic> list() {
    return List.copyOf(list);
  }
}
