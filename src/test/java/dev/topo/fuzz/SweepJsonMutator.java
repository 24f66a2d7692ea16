package dev.topo.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/** Damages the description of a sweep: as any text, or deep, doubled, or with more behind it. */
final class SweepJsonMutator implements Mutator {
  private static final List<String> BEHIND =
      List.of("{}", "null", "]", "}", "x", "\u0000", " \n\t", "/* end */", "# end");

  private final TextMutator text = new TextMutator(true);

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    String json = new String(seed, StandardCharsets.UTF_8);
    String deep = random.nextBoolean() ? "[" : "{\"a\":";
    int depth = 1 + random.nextInt(random.nextInt(4) == 0 ? 50_000 : 40);
    String changed =
        switch (random.nextInt(8)) {
          case 0 -> json + BEHIND.get(random.nextInt(BEHIND.size()));
          case 1 -> json + json;
          case 2 -> deep.repeat(depth);
          case 3 -> json.replaceFirst("\\[[^]]*]", deep.repeat(depth) + "]".repeat(depth));
          case 4 -> json.replaceFirst("\\{", "{" + "\"notes\" : [ ],".repeat(depth));
          default -> "";
        };
    return changed.isEmpty() ? text.mutate(seed, random) : changed.getBytes(StandardCharsets.UTF_8);
  }
}
