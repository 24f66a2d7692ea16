package dev.topo.inspect.trace;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonParser.NumberType;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Reads a JSON trace: from PyTorch's profiler or NCCL Inspector as a stream, a dump of the Flight
 * Recorder at once.
 */
final class JsonTrace {
  /** Maximum nesting depth; a trace of the profiler has a depth of 6. */
  private static final int MAX_DEPTH = 200;

  private static final int MAX_SHOWN = 100;

  /** Approximate memory of a value that is kept, in bytes. */
  private static final int VALUE_BYTES = 64;

  /** Maximum length of a string: more than a list of all ranks of a job takes. */
  private static final int MAX_TEXT = 4 << 20;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
          .disable(StreamReadFeature.AUTO_CLOSE_SOURCE)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxStringLength(MAX_TEXT)
                  .build())
          .build();

  private final JsonParser parser;
  private final String file;
  private final KnownTexts texts = new KnownTexts();
  private final KeptMemory kept = new KeptMemory(this::wrong);

  private JsonTrace(JsonParser parser, String file) {
    this.parser = parser;
    this.file = file;
  }

  /**
   * Reads the traces of a file.
   *
   * @param defaultRank rank of a profiler trace that does not state its own
   * @throws TopologyFormatException if the file is not JSON, or neither kind of trace
   */
  static List<RankTrace> read(InputStream in, String file, int defaultRank) {
    return read(in, file, json -> json.traces(defaultRank));
  }

  /** Reads a document in full, with the types of {@link PickleReader}. */
  static Object tree(InputStream in, String file) {
    return read(
        in,
        file,
        json -> {
          json.parser.nextToken();
          return json.tree();
        });
  }

  private static <T> T read(InputStream in, String file, Function<JsonTrace, T> read) {
    JsonParser parser;
    try {
      parser = FACTORY.createParser(ObjectReadContext.empty(), in);
    } catch (JacksonException e) {
      throw new TopologyFormatException(new SourceLocation(file, 1, 1), reason(e), e);
    }
    try (parser) {
      return read.apply(new JsonTrace(parser, file));
    } catch (JacksonException e) {
      TokenStreamLocation known = e.getLocation();
      TokenStreamLocation at =
          known == null || known.getLineNr() < 1 ? parser.currentLocation() : known;
      throw new TopologyFormatException(location(file, at), reason(e), e);
    }
  }

  private static String reason(JacksonException e) {
    if (e instanceof JacksonIOException) {
      return "cannot be read (" + e.getOriginalMessage() + "), expected the rest of the trace";
    }
    String why = e.getOriginalMessage().replaceFirst(" \\(.*", "").lines().findFirst().orElse("");
    return "is not JSON: " + why + ", expected a trace of PyTorch's profiler or NCCL Inspector";
  }

  private List<RankTrace> traces(int defaultRank) {
    parser.nextToken();
    if (parser.currentToken() == JsonToken.START_ARRAY) {
      return List.of(requireEnd(new ProfilerTrace(this, file, defaultRank).ofEvents()));
    }
    expect(JsonToken.START_OBJECT);
    String first = parser.nextName();
    if ("schema".equals(first)) {
      throw wrong(
          "is an Execution Trace of PyTorch, without the times of kernels, expected the trace of its"
              + " profiler, or what chakra_trace_link and chakra_converter make of both");
    }
    if (first != null && FlightRecorderFile.FIELDS.contains(first)) {
      Map<String, Object> dump = new HashMap<>();
      fields(first, field -> dump.put(field, tree()));
      return List.of(requireEnd(FlightRecorderFile.read(dump, file)));
    }
    return "header".equals(first)
        ? new InspectorTrace(this, file).read()
        : List.of(requireEnd(new ProfilerTrace(this, file, defaultRank).read(first)));
  }

  /** The current value in full, with the types of {@link PickleReader}. */
  private Object tree() {
    kept.reserve(VALUE_BYTES);
    return switch (parser.currentToken()) {
      case START_OBJECT -> {
        Map<String, Object> map = new HashMap<>();
        fields(field -> map.put(field, tree()));
        yield map;
      }
      case START_ARRAY -> {
        List<Object> list = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          list.add(tree());
        }
        yield list;
      }
      case VALUE_NUMBER_INT ->
          parser.getNumberType() == NumberType.BIG_INTEGER
              ? (Object) parser.getDoubleValue()
              : parser.getLongValue();
      case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
      case VALUE_TRUE -> true;
      case VALUE_FALSE -> false;
      case VALUE_NULL -> PickleReader.NONE;
      default -> text();
    };
  }

  /** Returns the trace after checking that it is the last value in the file. */
  private RankTrace requireEnd(RankTrace trace) {
    if (parser.nextToken() != null) {
      throw wrong("more JSON follows the trace, expected one trace and the end of the file");
    }
    return trace;
  }

  JsonParser parser() {
    return parser;
  }

  /** Requires that the current token is the start of an object, or that of a list. */
  void expect(JsonToken token) {
    if (parser.currentToken() != token) {
      throw wrong(
          "expected "
              + (token == JsonToken.START_OBJECT ? "an object" : "a list")
              + ", found "
              + (parser.currentToken() == null ? "the end" : parser.getString()));
    }
  }

  /** Reads an object whose start is the current token. */
  void fields(Consumer<String> value) {
    fields(parser.nextName(), value);
  }

  /**
   * Reads the rest of an object.
   *
   * @param first its next field, or null at its end
   * @param value reads or skips the value of a field
   */
  void fields(@Nullable String first, Consumer<String> value) {
    for (String field = first; field != null; field = parser.nextName()) {
      parser.nextToken();
      value.accept(field);
    }
  }

  /** Reads each object of the current list; skips any value that is not a list. */
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

  /**
   * Returns the current value as text, also if it is a number; empty for null, and for lists and
   * objects, which are skipped.
   */
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

  /** Returns the current value as a number; texts are parsed. */
  double number(String field) {
    JsonToken token = parser.currentToken();
    if (token.isNumeric()) {
      double value = parser.getDoubleValue();
      if (Math.abs(value) <= MAX_NUMBER) {
        return value;
      }
    } else if (token == JsonToken.VALUE_STRING) {
      try {
        double value = Double.parseDouble(parser.getString());
        if (Math.abs(value) <= MAX_NUMBER) {
          return value;
        }
      } catch (NumberFormatException e) {
        // Reported below.
      }
    }
    throw wrong(field + " is " + quotedValue() + ", expected a number up to 1e19");
  }

  /**
   * Largest absolute value: more than any time in nanoseconds, and small enough for sums of times.
   */
  private static final double MAX_NUMBER = 1e19;

  long integer(String field, long min, long max) {
    double value = number(field);
    if (value < min || value > max || value != Math.rint(value)) {
      throw wrong(
          "%s is %s, expected a whole number from %s to %s"
              .formatted(field, quotedValue(), min, max));
    }
    return (long) value;
  }

  int count(String field, int max) {
    return (int) integer(field, 0, max);
  }

  /** Parses a list of numbers such as {@code [0, 1]}. */
  NumberList list(String field, String text, long max) {
    return NumberList.parse(text, max)
        .orElseThrow(
            () ->
                wrong(
                    "%s is \"%s\", expected a list of whole numbers from 0 to %s"
                        .formatted(field, abbreviated(text), max)));
  }

  /** Adds to the memory of the data kept from the trace; throws if it exceeds the limit. */
  void reserve(long bytes) {
    kept.reserve(bytes);
  }

  private String quotedValue() {
    return parser.currentToken().isStructStart()
        ? "a list or object"
        : "\"" + abbreviated(parser.getString()) + "\"";
  }

  private static String abbreviated(String text) {
    return text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "…" : text;
  }

  TopologyFormatException wrong(String what) {
    return new TopologyFormatException(location(file, parser.currentTokenLocation()), what);
  }

  private static SourceLocation location(String file, TokenStreamLocation at) {
    return new SourceLocation(file, Math.max(1, at.getLineNr()), Math.max(1, at.getColumnNr()));
  }
}
