package dev.topo.workload.trace;

import dev.topo.model.diagnostic.SourceLocation;
import dev.topo.model.diagnostic.TopologyFormatException;
import dev.topo.workload.RankTrace;
import java.io.InputStream;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** Reads a trace in JSON, as a stream: that of PyTorch's profiler, or of NCCL Inspector. */
final class JsonTrace {
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .build();

  private final JsonParser parser;
  private final String file;
  private final KnownTexts texts = new KnownTexts();

  private JsonTrace(JsonParser parser, String file) {
    this.parser = parser;
    this.file = file;
  }

  /**
   * The traces in a file.
   *
   * @param place the rank where the trace names none
   * @throws TopologyFormatException if it is not JSON or of neither kind
   */
  static List<RankTrace> read(InputStream in, String file, int place) {
    JsonParser parser;
    try {
      parser = FACTORY.createParser(ObjectReadContext.empty(), in);
    } catch (JacksonException e) {
      throw new TopologyFormatException(new SourceLocation(file, 1, 1), words(e), e);
    }
    try (parser) {
      return new JsonTrace(parser, file).traces(place);
    } catch (JacksonException e) {
      TokenStreamLocation known = e.getLocation();
      TokenStreamLocation at =
          known == null || known.getLineNr() < 1 ? parser.currentLocation() : known;
      throw new TopologyFormatException(place(file, at), words(e), e);
    }
  }

  private static String words(JacksonException e) {
    String why = e.getOriginalMessage().replaceFirst(" \\(.*", "").lines().findFirst().orElse("");
    return "is not JSON: " + why + ", expected a trace of PyTorch's profiler or NCCL Inspector";
  }

  private List<RankTrace> traces(int place) {
    parser.nextToken();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      return List.of(new ProfilerTrace(this, file, place).ofEvents());
    }
    expect(JsonToken.START_OBJECT);
    String first = parser.nextName();
    return first != null && first.equals("header")
        ? new InspectorTrace(this, file).read()
        : List.of(new ProfilerTrace(this, file, place).read(first));
  }

  JsonParser parser() {
    return parser;
  }

  /** Fails where the next value is of another kind. */
  void expect(JsonToken token) {
    if (parser.currentToken() != token) {
      throw wrong(
          "expected "
              + (token == JsonToken.START_OBJECT ? "an object" : "a list")
              + ", found "
              + (parser.currentToken() == null ? "the end" : parser.getString()));
    }
  }

  /** Fails where a list goes on with something else than objects. */
  void expectEnd() {
    if (parser.currentToken() != JsonToken.END_ARRAY) {
      throw wrong("expected an object or the end of the list");
    }
  }

  /** The text of a value, also of a number; that of lists and objects is empty, and skipped. */
  String text() {
    JsonToken token = parser.currentToken();
    if (token.isStructStart()) {
      parser.skipChildren();
      return "";
    }
    if (token == JsonToken.VALUE_NULL) {
      return "";
    }
    return texts.of(
        parser.getStringCharacters(), parser.getStringOffset(), parser.getStringLength());
  }

  /** A number, also as text. */
  double number(String what) {
    JsonToken token = parser.currentToken();
    if (token.isNumeric()) {
      double value = parser.getDoubleValue();
      if (Math.abs(value) <= MOST) {
        return value;
      }
    } else if (token == JsonToken.VALUE_STRING) {
      try {
        double value = Double.parseDouble(parser.getString());
        if (Math.abs(value) <= MOST) {
          return value;
        }
      } catch (NumberFormatException e) {
        // Said below.
      }
    }
    throw wrong(what + " is " + shown() + ", expected a number");
  }

  /** Larger than any time in nanoseconds, and exact enough for its sums. */
  private static final double MOST = 1e19;

  /** A whole number of 0 or more, as far as it fits. */
  long whole(String what) {
    double value = number(what);
    if (value < -1 || value != Math.rint(value)) {
      throw wrong(what + " is " + shown() + ", expected a whole number");
    }
    return (long) value;
  }

  private String shown() {
    return parser.currentToken().isStructStart()
        ? "a list or object"
        : "\"" + parser.getString() + "\"";
  }

  /** The error at the current place. */
  TopologyFormatException wrong(String what) {
    return new TopologyFormatException(place(file, parser.currentTokenLocation()), what);
  }

  private static SourceLocation place(String file, TokenStreamLocation at) {
    return new SourceLocation(file, Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }
}
