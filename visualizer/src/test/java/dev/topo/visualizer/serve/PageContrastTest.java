package dev.topo.visualizer.serve;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.ResourceTable;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contrast of the colours in the style sheet of the page, light and dark, by the formula of
 * WCAG 2.2: text has 4.5 at least (1.4.3), edges and the focus 3 (1.4.11).
 */
class PageContrastTest {
  private static final String CSS = ResourceTable.text(PageServer.class, "page.css");
  private static final Pattern VARIABLE =
      Pattern.compile("--([a-z-]+): #([0-9a-f]{6}|[0-9a-f]{3})\\b");

  /** Of filter: invert(.92), and the matrix of hue-rotate(180deg) in the Filter Effects module. */
  private static final double INVERTED = 0.92;

  private static final double[][] ROTATED = {
    {-0.574, 1.430, 0.144}, {0.426, 0.430, 0.144}, {0.426, 1.430, -0.856}
  };

  private static Map<String, String> variables(boolean isDark) {
    int dark = CSS.indexOf("prefers-color-scheme: dark");
    Map<String, String> variables = new HashMap<>(read(CSS.substring(0, dark)));
    if (isDark) {
      variables.putAll(read(CSS.substring(dark, CSS.indexOf("@media print"))));
    }
    return variables;
  }

  private static Map<String, String> read(String css) {
    Map<String, String> variables = new HashMap<>();
    Matcher found = VARIABLE.matcher(css);
    while (found.find()) {
      variables.put(found.group(1), found.group(2));
    }
    return variables;
  }

  private static double[] rgb(String hex) {
    String full = hex.length() == 6 ? hex : hex.replaceAll("(.)", "$1$1");
    return IntStream.range(0, 3)
        .mapToDouble(i -> Integer.parseInt(full.substring(2 * i, 2 * i + 2), 16) / 255.0)
        .toArray();
  }

  private static double luminance(double[] rgb) {
    double[] linear =
        Arrays.stream(rgb)
            .map(c -> c <= 0.04045 ? c / 12.92 : Math.pow((c + 0.055) / 1.055, 2.4))
            .toArray();
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  }

  private static double ratio(double[] a, double[] b) {
    double lighter = Math.max(luminance(a), luminance(b));
    double darker = Math.min(luminance(a), luminance(b));
    return (lighter + 0.05) / (darker + 0.05);
  }

  @ParameterizedTest
  @CsvSource({
    "4.5, ink, paper",
    "4.5, ink, ground",
    "4.5, ink, head",
    "4.5, ink, hover",
    "4.5, soft, paper",
    "4.5, soft, ground",
    "4.5, soft, head",
    "4.5, on-accent, accent",
    "4.5, wrong, wrong-ground",
    "3, accent, paper",
    "3, accent, ground",
    "3, accent, head",
    "3, edge, paper",
    "3, edge, ground",
    "3, edge, head",
    "3, wrong, paper",
    "3, wrong, ground",
  })
  void coloursOfTheFormAreApart(double least, String colour, String ground) {
    for (boolean isDark : new boolean[] {false, true}) {
      Map<String, String> variables = variables(isDark);
      double ratio = ratio(rgb(variables.get(colour)), rgb(variables.get(ground)));
      assertTrue(
          ratio >= least,
          "%s on %s has %.2f in the %s page"
              .formatted(colour, ground, ratio, isDark ? "dark" : "light"));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"GPU", "NVS", "PCI", "NIC", "CPU", "HOST", "PANEL", "NODE"})
  void textOfTheDrawingIsReadable(String kind) {
    Matcher fill = Pattern.compile("\\." + kind + " \\{ fill: #([0-9a-f]+);").matcher(CSS);
    assertTrue(fill.find(), kind);
    double[] box = rgb(fill.group(1));
    double[] text = rgb("1a1a1a");

    assertTrue(ratio(text, box) >= 4.5, kind);
    assertTrue(ratio(filtered(text), filtered(box)) >= 4.5, kind + " in the dark page");
  }

  private static double[] filtered(double[] rgb) {
    double[] inverted = Arrays.stream(rgb).map(c -> INVERTED + c * (1 - 2 * INVERTED)).toArray();
    return Arrays.stream(ROTATED)
        .mapToDouble(row -> IntStream.range(0, 3).mapToDouble(i -> row[i] * inverted[i]).sum())
        .map(c -> Math.max(0, Math.min(1, c)))
        .toArray();
  }
}
