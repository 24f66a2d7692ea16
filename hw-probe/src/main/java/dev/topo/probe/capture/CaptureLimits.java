package dev.topo.probe.capture;

/**
 * The limits on the content of a capture.
 *
 * @param entries number of files, directories and links
 * @param bytes size of all files together, unpacked
 * @param nameLength length of a name with its directories
 */
record CaptureLimits(int entries, long bytes, int nameLength) {
  /** About ten times what the largest machines need. */
  public static final CaptureLimits DEFAULTS = new CaptureLimits(200_000, 64L << 20, 1_000);
}
