package dev.topo.simulator.timing;

/**
 * The contention on links when hops are sent at the same time: the time that the busiest link of a
 * kind takes for one byte of each hop, at its nominal bandwidth.
 *
 * @param nvlinkPsPerByte on NVLink, in picoseconds; 0 if no hop uses it
 * @param otherPsPerByte on any other link inside the machine
 * @param throughHost whether a hop goes through the host's memory
 * @param throughGpu whether a hop goes through the memory of a GPU between the two
 */
public record Contention(
    double nvlinkPsPerByte, double otherPsPerByte, boolean throughHost, boolean throughGpu) {
  public Contention {
    if (!(nvlinkPsPerByte >= 0) || !(otherPsPerByte >= 0)) {
      throw new IllegalArgumentException(
          "times of " + nvlinkPsPerByte + " and " + otherPsPerByte + " ps: expected 0 or more");
    }
  }

  /** The slowdown of other links than NVLink. */
  Contention withoutNvlink() {
    return new Contention(0, otherPsPerByte, throughHost, throughGpu);
  }

  /** The contention while so many times as much is sent. */
  public Contention times(int count) {
    return new Contention(count * nvlinkPsPerByte, count * otherPsPerByte, throughHost, throughGpu);
  }
}
