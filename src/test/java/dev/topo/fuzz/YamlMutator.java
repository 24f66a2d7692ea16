package dev.topo.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

/**
 * Damages YAML: as any text, or with values that are deep, contain themselves, are there twice, or
 * come behind the end.
 */
final class YamlMutator implements Mutator {
  private static final int DEEPEST = 20_000;

  private static final List<String> BEHIND =
      List.of(
          "---\n",
          "---\nname: second\n",
          "...\n",
          "...\n---\n...\n",
          "...\nname: x\n",
          "--- [a, b]\n",
          "%YAML 1.2\n---\nname: x\n",
          "%TAG ! tag:x:\n",
          "}\n",
          "]\n",
          "\u0000",
          "# end\n",
          "\n \n\t\n",
          "\ufeff");

  private static final List<String> SELF =
      List.of(
          "&a [*a, *a]",
          "&a {x: *a}",
          "&a {*a : x}",
          "[&a x, *a, *a]",
          "{<<: &a {x: 1}, y: *a}",
          "{<<: [*b, *b]}",
          "&a &b x",
          "*undefined",
          "? *a",
          "? [a, b] : c",
          "? {a: b} : c",
          "!!binary aGVsbG8=",
          "!!python/object:os.system [x]",
          "!!set {a, b}",
          "!!int '7'",
          "!x y",
          "| \n  a\n  b",
          ">-\n  a\n  b",
          "'a\n  b'");

  private final TextMutator text = new TextMutator(true);

  @Override
  public byte[] mutate(byte[] seed, Random random) {
    String yaml = new String(seed, StandardCharsets.UTF_8);
    String changed =
        switch (random.nextInt(10)) {
          case 0 -> yaml + any(BEHIND, random);
          case 1 -> yaml + yaml;
          case 2 -> yaml + "---\n" + yaml;
          case 3 -> withValue(yaml, deep(random), random);
          case 4 -> withValue(yaml, any(SELF, random), random);
          case 5 -> laughs(1 + random.nextInt(30)) + yaml;
          case 6 -> doubled(yaml, random);
          case 7 -> yaml + blocks(1 + random.nextInt(400));
          default -> "";
        };
    return changed.isEmpty() ? text.mutate(seed, random) : changed.getBytes(StandardCharsets.UTF_8);
  }

  private static String any(List<String> list, Random random) {
    return list.get(random.nextInt(list.size()));
  }

  /** A value nested in itself; mostly without its end. */
  private static String deep(Random random) {
    int depth = 1 + random.nextInt(random.nextInt(4) == 0 ? DEEPEST : 60);
    List<String> opens = List.of("[", "{a: ", "[{a: ", "- ", "? ", "&a [", "!x [");
    String open = any(opens, random);
    String close = open.contains("{") ? "}" : "]";
    return open.repeat(depth) + (random.nextBoolean() ? "x" + close.repeat(depth) : "");
  }

  /** Each line has the one before several times. */
  private static String laughs(int lines) {
    StringBuilder all = new StringBuilder("l0: &l0 x\n");
    for (int i = 1; i <= lines; i++) {
      all.append("l%d: &l%d [%s*l%d]\n".formatted(i, i, ("*l" + (i - 1) + ", ").repeat(9), i - 1));
    }
    return all.toString();
  }

  private static String blocks(int depth) {
    StringBuilder all = new StringBuilder("prices:\n");
    for (int i = 1; i <= depth; i++) {
      all.append(" ".repeat(i)).append("a:\n");
    }
    return all.toString();
  }

  /** The value of a key becomes another. */
  private static String withValue(String yaml, String value, Random random) {
    List<String> lines = yaml.lines().toList();
    int at = random.nextInt(lines.size());
    int colon = lines.get(at).indexOf(':');
    String line = colon < 0 ? value : lines.get(at).substring(0, colon + 1) + " " + value;
    return String.join("\n", lines.subList(0, at))
        + "\n"
        + line
        + "\n"
        + String.join("\n", lines.subList(at + 1, lines.size()))
        + "\n";
  }

  private static String doubled(String yaml, Random random) {
    List<String> lines = yaml.lines().toList();
    String line = any(lines, random) + "\n";
    int times = 1 + random.nextInt(random.nextInt(8) == 0 ? 5_000 : 3);
    return random.nextBoolean() ? yaml + line.repeat(times) : line.repeat(times) + yaml;
  }
}
