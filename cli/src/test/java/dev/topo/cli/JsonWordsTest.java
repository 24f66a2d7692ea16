package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON documents have one word for one thing, as {@code docs/schema/README.md} lists them. A former
 * word is only beside the one that replaces it, with the same value.
 */
class JsonWordsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String CAVEATS = "caveats";

  /** What replaces each former word. */
  private static final Map<String, String> FORMER =
      new TreeMap<>(
          Map.of(
              "bwGBps",
              "bandwidthGBps",
              "busbw",
              "busbwGBps",
              "algbw",
              "algbwGBps",
              "note",
              CAVEATS,
              "notes",
              CAVEATS,
              "remark",
              CAVEATS,
              "remarks",
              CAVEATS,
              "why",
              "reason"));

  /** No number: how the busbw of each call changes. */
  private static final String CHANGES = "#/$defs/BusbwEntry";

  private static List<String> formerIn(JsonNode object) {
    return FORMER.keySet().stream().filter(object::has).toList();
  }

  /** Former words of a document without the same value under the present word. */
  static List<String> faults(String document) {
    JsonNode root = JsonMapper.shared().readTree(document);
    List<String> faults = new ArrayList<>();
    for (String former : formerIn(root)) {
      if (!endsWith(root.path(FORMER.get(former)), root.get(former))) {
        faults.add("/" + former + ": not the last of " + FORMER.get(former));
      }
    }
    root.properties().forEach(one -> addFaults("/" + one.getKey(), one.getValue(), faults));
    return faults;
  }

  /** Those of a document follow the caveats of the job; they are absent if there are none. */
  private static boolean endsWith(JsonNode caveats, JsonNode own) {
    int first = caveats.size() - own.size();
    for (int i = 0; i < own.size(); i++) {
      if (first < 0 || !own.get(i).equals(caveats.get(first + i))) {
        return false;
      }
    }
    return true;
  }

  private static void addFaults(String place, JsonNode node, List<String> faults) {
    for (String former : node.isObject() ? formerIn(node) : List.<String>of()) {
      List<String> names = List.copyOf(node.propertyNames());
      boolean isChanges = former.equals("busbw") && node.get(former).isArray();
      boolean isBeside =
          names.indexOf(former) > 0
              && names.get(names.indexOf(former) - 1).equals(FORMER.get(former))
              && node.get(former).equals(node.get(FORMER.get(former)));
      if (!isChanges && !isBeside) {
        faults.add(place + "/" + former + ": not " + FORMER.get(former) + " just before");
      }
    }
    if (node.isObject()) {
      node.properties()
          .forEach(one -> addFaults(place + "/" + one.getKey(), one.getValue(), faults));
    }
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      addFaults(place + "/" + i, node.get(i), faults);
    }
  }

  /** A new document cannot bring a former word back. */
  @Test
  void formerWordsAreDeprecatedInAllSchemas() throws IOException {
    TreeSet<String> found = new TreeSet<>();
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/schema"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        assertDeprecated(
            file.getFileName().toString(),
            JsonMapper.shared().readTree(Files.readString(file)),
            found);
      }
    }
    assertEquals("[bwGBps, notes, remarks, why]", found.toString());
  }

  private static void assertDeprecated(String place, JsonNode node, TreeSet<String> found) {
    JsonNode fields = node.path("properties");
    for (String former : fields.isObject() ? formerIn(fields) : List.<String>of()) {
      JsonNode field = fields.get(former);
      if (!field.at("/items/$ref").asString("").equals(CHANGES)) {
        String name = FORMER.get(former);
        assertTrue(fields.has(name), place + ": " + former + " without " + name);
        assertTrue(field.path("deprecated").asBoolean(false), place + ": " + former);
        assertEquals("Use `" + name + "`.", field.path("description").asString(""), place);
        found.add(former);
      }
    }
    node.forEach(child -> assertDeprecated(place, child, found));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'caveats': ['a', 'b'], 'notes': ['b']}; []",
        "{'notes': []}; []",
        "{'caveats': ['b', 'a'], 'notes': ['b']}; [/notes: not the last of caveats]",
        "{'remarks': ['b']}; [/remarks: not the last of caveats]",
        "{'links': [{'bandwidthGBps': 1, 'bwGBps': 1}]}; []",
        "{'links': [{'bandwidthGBps': 1, 'bwGBps': 2}]}; [/links/0/bwGBps: not bandwidthGBps just before]",
        "{'process': {'why': 'so'}}; [/process/why: not reason just before]",
      })
  void valuesOfFormerWordsAreCompared(String document, String faults) {
    assertEquals(faults, faults(document.replace('\'', '"')).toString());
  }
}
