package dev.topo.simulator.advice;

/**
 * A single change.
 *
 * @param where the file or program to change
 * @param text a line of nccl.conf, a rule of the tuner plugin, or what the program does
 */
public record Instruction(Permission where, String text) {
  /** The change with its place: {@code nccl.conf: NCCL_MIN_CTAS=32}. */
  @Override
  public String toString() {
    String place =
        switch (where) {
          case SETTINGS -> "nccl.conf: ";
          case TUNER -> "tuner file: ";
          case GRAPH -> "NCCL_GRAPH_FILE: ";
          case CODE -> "program: ";
        };
    return place + text;
  }
}
