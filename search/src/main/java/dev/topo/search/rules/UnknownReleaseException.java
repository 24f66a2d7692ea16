package dev.topo.search.rules;

import dev.topo.model.io.SpecField.SpecText;
import dev.topo.model.io.SpecField.SpecWorded;

/** A text that names no release, or a release that is older than all rules. */
public final class UnknownReleaseException extends IllegalArgumentException implements SpecWorded {
  private static final long serialVersionUID = 1L;

  private final transient SpecText text;

  UnknownReleaseException(SpecText text) {
    super(text.toString());
    this.text = text;
  }

  @Override
  public SpecText text() {
    return text;
  }
}
