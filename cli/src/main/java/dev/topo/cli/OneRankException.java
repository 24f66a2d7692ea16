package dev.topo.cli;

import dev.topo.model.settings.SettingException;

/** A job that has one rank and so sends nothing; of several files others have an answer. */
final class OneRankException extends SettingException {
  private static final long serialVersionUID = 1L;

  OneRankException(String message) {
    super(message);
  }
}
