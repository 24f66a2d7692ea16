package dev.topo.inspect.trace;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.io.InputStream;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Reads a JSON trace as a stream, from PyTorch's profiler or NCCL Inspector. */
final class JsonTrace {
  /** Largest depth; a trace of the profiler has a depth of 6. */
  private static final int MOST_DEPTH = 200;

  private static final int MOST_SHOWN = 100;

  /** Longest text; longer than a list of all ranks of a job. */
  private static final int MOST_TEXT = 4 << 20;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MOST_DEPTH)
                  .maxStringLength(MOST_TEXT)
                  .build())
          .build();

  private final JsonParser parser;
  private final String file;
  private final KnownTexts texts = new KnownTexts();
  private final KeptMemory kept = new KeptMemory();

  private JsonTrace(JsonParser parser, String file) {
    this.parser = parser;
    this.file = file;
  }

  /**
   * Traces in a file.
   *
   * @param place the rank if the trace names none
   * @throws TopologyFormatException if it is not JSON or neither kind of trace
   */
  static List<RankTrace> read(InputStream in, String file, int place) {
    JsonParser parser;
    try {
      parser = FACTORY.createParser(ObjectReadContext.empty(), in);
    } catch (JacksonException e) {
      throw new TopologyFormatException(new SourceLocation(file, 1, 1), reason(e), e);
    }
    try (parser) {
      return new JsonTrace(parser, file).traces(place);
    } catch (JacksonException e) {
      TokenStreamLocation known = e.getLocation();
      TokenStreamLocation at =
          known == null || known.getLineNr() < 1 ? parser.currentLocation() : known;
      throw new TopologyFormatException(place(file, at), reason(e), e);
    }
  }

  private static String reason(JacksonException e) {
    if (e instanceof JacksonIOException) {
      return "cannot be read (" + e.getOriginalMessage() + "), expected the rest of the trace";
    }
    String why = e.getOriginalMessage().replaceFirst(" \\(.*", "").lines().findFirst().orElse("");
    return "is not JSON: " + why + ", expected a trace of PyTorch's profiler or NCCL Inspector";
  }

  private List<RankTrace> traces(int place) {
    parser.nextToken();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      return List.of(whole(new ProfilerTrace(this, file, place).ofEvents()));
    }
    expect(JsonToken.START_OBJECT);
    String first = parser.nextName();
    return first != null && first.equals("header")
        ? new InspectorTrace(this, file).read()
        : List.of(whole(new ProfilerTrace(this, file, place).read(first)));
  }

  /** Checks that nothing follows the document. */
  private RankTrace whole(RankTrace trace) {
    if (parser.nextToken() != null) {
      throw wrong("more JSON follows the trace, expected one trace and the end of the file");
    }
    return trace;
  }

  JsonParser parser() {
    return parser;
  }

  /** Checks the kind of the next value. */
  void expect(JsonToken token) {
    if (parser.currentToken() != token) {
      throw wrong(
          "expected "
              + (token == JsonToken.START_OBJECT ? "an object" : "a list")
              + ", found "
              + (parser.currentToken() == null ? "the end" : parser.getString()));
    }
  }

  /** Reads each object of a list; skips other values. */
  void objects(Runnable read) {
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      parser.skipChildren();
      return;
    }
    while (parser.nextToken() == JsonToken.START_OBJECT) {
      read.run();
    }
    if (parser.currentToken() != JsonToken.END_ARRAY) {
      throw wrong("expected an object or the end of the list");
    }
  }

  /** Value as a text, also of a number; empty for lists and objects, which are skipped. */
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

  /** Value as a number, also from a text. */
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
        // Reported below.
      }
    }
    throw wrong(what + " is " + shown() + ", expected a number up to 1e19");
  }

  /** Largest number: larger than any time in nanoseconds, and exact enough for sums of times. */
  private static final double MOST = 1e19;

  long whole(String what, long least, long most) {
    double value = number(what);
    if (value < least || value > most || value != Math.rint(value)) {
      throw wrong(
          "%s is %s, expected a whole number from %s to %s".formatted(what, shown(), least, most));
    }
    return (long) value;
  }

  int count(String what, int most) {
    return (int) whole(what, 0, most);
  }

  /** Numbers in a text such as {@code [0, 1]}. */
  NumberList list(String what, String text, long most) {
    return NumberList.parse(text, most)
        .orElseThrow(
            () ->
                wrong(
                    "%s is \"%s\", expected a list of whole numbers from 0 to %s"
                        .formatted(what, shown(text), most)));
  }

  /** Counts memory for data kept from the trace. */
  void keep(long bytes) {
    if (kept.isTooMuchWith(bytes)) {
      throw wrong(KeptMemory.TOO_MUCH);
    }
  }

  private String shown() {
    return parser.currentToken().isStructStart()
        ? "a list or object"
        : "\"" + shown(parser.getString()) + "\"";
  }

  private static String shown(String text) {
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
  }

  TopologyFormatException wrong(String what) {
    return new TopologyFormatException(place(file, parser.currentTokenLocation()), what);
  }

  private static SourceLocation place(String file, TokenStreamLocation at) {
    return new SourceLocation(file, Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }
}
