package dev.topo.simulator.timing;

/**
 * How long a call takes when it is made again and again, as nccl-tests does, and why.
 *
 * @param timeUs time from call to call, in microseconds
 * @param bottleneck what it waits for most
 * @param launchUs what the process needs to launch the kernels; runs beside the kernels
 * @param startUs start and end of a kernel
 * @param stepsUs waiting for neighbours, fences and barriers
 * @param fillUs until the first data has reached the end of a pipeline
 * @param transferUs moving the data
 * @param biasUs what such calls are known to take longer than the model gives; part of the time
 */
public record TimeEstimate(
    double timeUs,
    Bottleneck bottleneck,
    double launchUs,
    double startUs,
    double stepsUs,
    double fillUs,
    double transferUs,
    double biasUs) {
  /** What a call waits for most. */
  public enum Bottleneck {
    /** The process is still launching kernels. */
    LAUNCH("launching the kernels of a process's GPUs", "launches"),
    /** Start of the kernel and waiting for neighbours; size hardly matters. */
    LATENCY("start of the kernels and steps between neighbours", "latency"),
    /** Each channel copies as fast as a thread block can: more channels would help. */
    CHANNELS("what the channels can copy", "channels"),
    /** A link is full. */
    LINKS("the busiest link", "bandwidth");

    private final String label;
    private final String word;

    Bottleneck(String label, String word) {
      this.label = label;
      this.word = word;
    }

    /** What it is, for people. */
    public String label() {
      return label;
    }

    /** The same in a word, for tables. */
    public String word() {
      return word;
    }
  }

  /** What a kernel takes. */
  public double kernelUs() {
    return startUs + stepsUs + fillUs + transferUs + biasUs;
  }
}
