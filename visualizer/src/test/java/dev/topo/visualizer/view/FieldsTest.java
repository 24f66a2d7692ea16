package dev.topo.visualizer.view;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.inspect.caveat.Caveat;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.search.rules.ReleaseRules;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Fields as JSON and as columns. */
class FieldsTest {
  private record Port(String name, double rateGBps) {}

  private record Card(String busId, Optional<String> model, List<Port> ports) {}

  private static final Fields<Port> PORT =
      Fields.of(Port.class).field("name", Port::name).field("rateGBps", Port::rateGBps);

  private static final Fields<Card> CARD =
      Fields.of(Card.class)
          .field("busId", Card::busId)
          .field("model", Card::model)
          .list("ports", Card::ports, PORT);

  private static final Card EMPTY = new Card("0000:01", Optional.empty(), List.of());
  private static final Card FULL =
      new Card("0000:02", Optional.of("x7"), List.of(new Port("a", 50), new Port("b", 0.1)));

  private static String text(Answer answer) throws IOException {
    StringBuilder out = new StringBuilder();
    answer.writeTo(out);
    return out.toString();
  }

  private static <T> JsonNode json(Fields<T> fields, T value) throws IOException {
    return JsonMapper.shared().readTree(text(Json.document("test", fields, value)));
  }

  private static List<String> names(JsonNode object) {
    return List.copyOf(object.propertyNames());
  }

  @Test
  void objectHasTheFieldsInTheirOrderBehindThoseOfTheEnvelope() throws IOException {
    JsonNode card = json(CARD, FULL);
    assertEquals(List.of("schema", "topo", "nccl", "busId", "model", "ports"), names(card));
    assertEquals("topo/test/1", card.get("schema").asString());
    assertEquals("x7", card.get("model").asString());
    assertEquals(2, card.get("ports").size());
    assertEquals("b", card.get("ports").get(1).get("name").asString());
  }

  @Test
  void emptyValueIsNullAndOptionalFieldIsNotThere() throws IOException {
    assertTrue(json(CARD, EMPTY).get("model").isNull());
    Fields<Card> optional = Fields.of(Card.class).optional("model", Card::model);
    assertFalse(json(optional, EMPTY).has("model"));
    assertEquals("x7", json(optional, FULL).get("model").asString());
    Fields<Card> text = Fields.of(Card.class).text("note", card -> "");
    assertTrue(json(text, EMPTY).get("note").isNull());
  }

  @Test
  void fieldsOfAPartAreInPlace() throws IOException {
    Fields<Card> first =
        Fields.of(Card.class)
            .field("busId", Card::busId)
            .includingOptional(card -> card.ports().stream().findFirst(), PORT)
            .field("count", card -> card.ports().size());
    List<String> names = List.of("schema", "topo", "nccl", "busId", "name", "rateGBps");
    assertEquals(names, names(json(first, FULL)).subList(0, names.size()));
    assertTrue(json(first, EMPTY).get("rateGBps").isNull());
    assertEquals(0, json(first, EMPTY).get("count").asInt());
  }

  @Test
  void caveatsOfTheAnswerComeBeforeThoseOfTheResult() throws IOException {
    Envelope envelope =
        new Envelope(
            ReleaseRules.DEFAULT,
            List.of(new Caveat("id", "subject", "message", "remedy")),
            Invocation.NONE);
    Fields<Card> fields = CARD.caveats(card -> List.of("own"));
    Answer answer = Json.document("test", fields, FULL);
    JsonNode card =
        JsonMapper.shared().readTree(text(answer.render(envelope, "json", message -> {})));
    assertEquals(
        List.of("schema", "topo", "nccl", "busId", "model", "ports", "caveats"), names(card));
    assertEquals(2, card.get("caveats").size());
    assertEquals("own", card.get("caveats").get(1).asString());
  }

  @Test
  void headerPicksFieldsBySnakeCaseAndColumnsBeforeFields() throws IOException {
    Fields<Card> fields =
        CARD.column("model", card -> card.model().orElse("?"))
            .columns("first_", card -> card.ports().get(0), PORT);
    assertEquals(
        "model,first_rate_gbps,bus_id\nx7,50,0000:02\n",
        text(Csv.table("model,first_rate_gbps,bus_id", fields, Stream.of(FULL))));
    assertEquals(
        "model,bus_id\n?,0000:01\n", text(Csv.table("model,bus_id", fields, Stream.of(EMPTY))));
    assertEquals(List.of("busId", "model", "ports"), names(json(fields, FULL)).subList(3, 6));
  }

  @Test
  void fieldThatAnObjectDoesNotHaveIsAnEmptyCell() throws IOException {
    Fields<Card> fields =
        Fields.of(Card.class).field("busId", Card::busId).optional("model", Card::model);
    assertEquals(
        "bus_id,model\n0000:01,\n0000:02,x7\n",
        text(Csv.table("bus_id,model", fields, Stream.of(EMPTY, FULL))));
  }

  @Test
  void secondFieldOfANameIsRejected() {
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class, () -> CARD.field("busId", card -> card.ports().size()));
    assertEquals("Card has a field busId already", e.getMessage());
  }

  @Test
  void unknownColumnIsRejected() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> CARD.row("bus_id,speed"));
    assertEquals("Card has no field for the column speed", e.getMessage());
  }
}
