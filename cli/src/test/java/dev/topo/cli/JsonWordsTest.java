package dev.topo.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** JSON documents have one word for one thing, as {@code docs/schema/README.md} lists them. */
class JsonWordsTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));
  private static final String CAVEATS = "caveats";

  /** Words that no document has, with those that they have instead. */
  private static final Map<String, String> FORMER =
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
          "reason");

  /** No number: how the busbw of each call changes. */
  private static final String CHANGES = "#/$defs/BusbwEntry";

  /** Former words of a document, or of the properties of a schema. */
  static List<String> faults(String document) {
    List<String> faults = new ArrayList<>();
    addFaults("", JsonMapper.shared().readTree(document), faults);
    return faults;
  }

  private static void addFaults(String place, JsonNode node, List<String> faults) {
    node.properties()
        .forEach(
            one -> {
              String word = one.getKey();
              JsonNode value = one.getValue();
              boolean isChanges =
                  value.isArray() || value.at("/items/$ref").asString("").equals(CHANGES);
              if (FORMER.containsKey(word) && !(word.equals("busbw") && isChanges)) {
                faults.add(place + "/" + word + ": expected " + FORMER.get(word));
              }
              addFaults(place + "/" + word, value, faults);
            });
    for (int i = 0; node.isArray() && i < node.size(); i++) {
      addFaults(place + "/" + i, node.get(i), faults);
    }
  }

  @Test
  void noSchemaHasAFormerWord() throws IOException {
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/schema"))) {
      for (Path file : files.filter(one -> one.toString().endsWith(".json")).toList()) {
        assertEquals(List.of(), faults(Files.readString(file)), file.toString());
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "{'caveats': ['a', 'b']}; []",
        "{'notes': []}; [/notes: expected caveats]",
        "{'links': [{'bandwidthGBps': 1, 'bwGBps': 1}]}; [/links/0/bwGBps: expected bandwidthGBps]",
        "{'busbw': [{'bytes': 8}]}; []",
        "{'busbw': 3}; [/busbw: expected busbwGBps]",
      })
  void formerWordsAreFound(String document, String faults) {
    assertEquals(faults, faults(document.replace('\'', '"')).toString());
  }
}
