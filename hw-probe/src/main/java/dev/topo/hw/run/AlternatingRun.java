package dev.topo.hw.run;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Variants of a run that the same processes measure alternately. Launch times differ more between
 * two processes than between many variants; therefore variants measured in different processes
 * cannot be compared.
 *
 * @param rounds number of measurements of each size with each variant, at least 1
 */
public record AlternatingRun(List<Variant> variants, int rounds) {
  /** No comparison: communicators are created under the environment of the process. */
  public static final AlternatingRun NONE =
      new AlternatingRun(List.of(new Variant("", Map.of(), List.of(RunCollective.values()))), 1);

  /**
   * Variant whose communicators are created under some settings.
   *
   * @param name its name in messages
   * @param settings variables that NCCL reads when it creates a communicator
   * @param collectives collectives measured with it
   */
  public record Variant(
      String name, Map<String, String> settings, List<RunCollective> collectives) {
    public Variant {
      settings = Map.copyOf(settings);
      collectives = List.copyOf(collectives);
    }
  }

  public AlternatingRun {
    variants = List.copyOf(variants);
    if (variants.isEmpty() || rounds < 1) {
      throw new IllegalArgumentException("a comparison: expected a variant and a round");
    }
  }

  /** True if each variant has its own communicators. */
  public boolean hasVariants() {
    return !equals(NONE);
  }

  /** Indices of the variants of a collective. */
  List<Integer> variantsOf(RunCollective collective) {
    return IntStream.range(0, variants.size())
        .filter(i -> variants.get(i).collectives().contains(collective))
        .boxed()
        .toList();
  }
}
