package dev.topo.cli;

/** Exit statuses of topo. Scripts depend on these values. */
final class ExitStatus {
  static final int DONE = 0;

  /** A check failed, or nothing was found. */
  static final int NO = 1;

  static final int USAGE = 2;
  static final int BAD_INPUT = 3;

  /** Hardware, a library, memory or disk space is missing. */
  static final int MISSING = 4;

  /** Results of a measured run are wrong. */
  static final int WRONG = 5;

  /** A measured run cannot be judged. */
  static final int NOT_JUDGED = 6;

  static final int BUG = 70;

  private ExitStatus() {}

  /** The status of a check. */
  static int of(boolean isGood) {
    return isGood ? DONE : NO;
  }
}
