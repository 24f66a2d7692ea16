package dev.topo.hw.run;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Variants of a run that are measured in turns by the same processes. Launches of two processes
 * differ by more than many variants do, so that variants of different processes cannot be compared.
 *
 * @param rounds how often each size is measured with every variant, at least 1
 */
public record AlternatingRun(List<Variant> variants, int rounds) {
  /** No comparison: the communicators as the environment of the process has them. */
  public static final AlternatingRun NONE =
      new AlternatingRun(List.of(new Variant("", Map.of(), List.of(RunCollective.values()))), 1);

  /**
   * Communicators that are made under some settings.
   *
   * @param name its name in messages
   * @param settings variables that NCCL reads when it makes a communicator
   * @param collectives the collectives that are measured with it
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

  /** True if communicators are made for each variant. */
  public boolean hasVariants() {
    return !equals(NONE);
  }

  /** The variants of a collective, by number. */
  List<Integer> variantsOf(RunCollective collective) {
    return IntStream.range(0, variants.size())
        .filter(i -> variants.get(i).collectives().contains(collective))
        .boxed()
        .toList();
  }
}
