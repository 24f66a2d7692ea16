package dev.topo.simulator.timing;

/** Sums of times that overlap: a form of the model, the same on all hardware. */
public final class Overlap {
  /** Sharpness of the maximum of launches and kernels. */
  public static final double LAUNCHES = 16;

  /** Sharpness of the maximum of links and channels once channels have drifted apart. */
  public static final double DRIFTED = 5;

  /** Sharpness of the maximum of links and channels of NVLS, which all meet at the switch. */
  public static final double NVLS = 16;

  /** Sharpness for a single step that all channels make at once. */
  public static final double IN_STEP = 2.5;

  private Overlap() {}

  /** The larger of two times that overlap, and more than that where they are similar. */
  public static double beside(double a, double b, double sharpness) {
    double larger = Math.max(a, b);
    if (!(larger > 0)) {
      return 0;
    }
    double sum = 1 + Math.pow(Math.min(a, b) / larger, sharpness);
    return sum > 1 ? larger * Math.pow(sum, 1 / sharpness) : larger;
  }

  /**
   * The number of {@code rounds} rounds, the first after {@code before} others, with channels in
   * step: each step of a round lets them drift apart a little more.
   *
   * @param lasting rounds after which they have drifted apart
   */
  public static double inStep(double before, double rounds, double lasting) {
    double inStep =
        lasting * (Math.exp(-before / lasting) - Math.exp(-(before + rounds) / lasting));
    return Math.min(inStep, rounds);
  }
}
