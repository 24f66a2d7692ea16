package dev.topo.reference;

import dev.topo.model.fixture.Thorough;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints a line for each set of reference results, with what was compared in it: {@code 2.27.5 own:
 * 8/8 paths, graphs n1 n2 n4, tuning n1 n4}. JUnit finds it in {@code META-INF/services}.
 */
public final class AgreementLines implements TestExecutionListener {
  /** What is compared, on how many nodes, and the set. */
  private static final Pattern NAME =
      Pattern.compile("(paths|graphs|connect facts|connect|tuning)(?: (n\\d+))? (.+)");

  /** By set: by the count of cases that agree: by what is compared: on how many nodes. */
  private static final Map<String, Map<String, Map<String, List<String>>>> SETS = new TreeMap<>();

  /** Adds a comparison with its count of cases that agree. */
  static void add(String name, String count) {
    Matcher parts = NAME.matcher(name);
    boolean isOfSet = parts.matches();
    String set = isOfSet ? parts.group(3) : name;
    synchronized (SETS) {
      List<String> nodes =
          SETS.computeIfAbsent(set, key -> new TreeMap<>())
              .computeIfAbsent(count, key -> new TreeMap<>())
              .computeIfAbsent(isOfSet ? parts.group(1) : "", key -> new ArrayList<>());
      if (isOfSet && parts.group(2) != null) {
        nodes.add(parts.group(2));
      }
    }
  }

  @Override
  public void testPlanExecutionFinished(TestPlan plan) {
    if (!Thorough.isOn()) {
      synchronized (SETS) {
        SETS.forEach((set, counts) -> System.out.println(set + ": " + line(counts)));
        SETS.clear();
      }
    }
  }

  private static String line(Map<String, Map<String, List<String>>> counts) {
    return counts.entrySet().stream()
        .map(count -> (count.getKey() + " " + compared(count.getValue())).strip())
        .collect(Collectors.joining("; "));
  }

  private static String compared(Map<String, List<String>> nodes) {
    return nodes.entrySet().stream()
        .map(
            one ->
                one.getKey()
                    + one.getValue().stream()
                        .sorted()
                        .map(node -> " " + node)
                        .collect(Collectors.joining()))
        .collect(Collectors.joining(", "));
  }
}
