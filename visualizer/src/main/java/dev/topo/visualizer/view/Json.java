package dev.topo.visualizer.view;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.NcclOutcome;
import dev.topo.inspect.log.Fact.Topic;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.TextWriter;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Prediction.Source;
import dev.topo.simulator.variant.UpgradePoint;
import dev.topo.visualizer.view.SplitAnswer.Part;
import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.util.DefaultIndenter;
import tools.jackson.core.util.DefaultPrettyPrinter;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdSerializer;

/**
 * Writes results as JSON: one indented document, with fields in declaration order. {@code
 * docs/schema} specifies the names of fields and the spelling of values.
 */
public final class Json {
  /** The version of topo. */
  public static final String TOPO_VERSION = "0.2.0";

  /**
   * The names of documents whose schema is at version 2, because a field was removed or changed its
   * meaning after 0.2.0.
   */
  private static final Set<String> SCHEMAS_AT_VERSION_2 =
      Set.of(
          "diagnose",
          "diagnose-pairs",
          "doctor",
          "explain",
          "guest",
          "paths",
          "replay",
          "show",
          "sweep",
          "sweep-folder",
          "sweep-plan",
          "upgrade",
          "upgrade-fleet",
          "whatif",
          "workload");

  /**
   * A communicator of a split with its document. That document states no command: the enclosing one
   * does.
   */
  private static final Fields<Part> COMMUNICATOR =
      Fields.of(Part.class).field("communicator", Part::label).field("document", Part::answer);

  private static final StdSerializer<Written> WRITTEN = serializer(Written.class, Written::write);

  /** How values of some types are spelled as text. */
  private static final Map<Class<?>, Function<Object, String>> TEXTS =
      Map.ofEntries(
          text(Operation.class, Operation::ncclTestsName),
          text(Algorithm.class, Algorithm::label),
          text(Protocol.class, Protocol::label),
          text(GraphKind.class, GraphKind::label),
          text(Severity.class, Severity::label),
          text(Source.class, Source::label),
          text(Difference.Kind.class, Difference.Kind::label),
          text(Topic.class, Topic::label),
          text(UpgradePoint.Topic.class, UpgradePoint.Topic::label),
          text(LintRule.class, LintRule::id),
          text(NcclOutcome.class, NcclOutcome::label),
          text(Path.class, Path::toString));

  private static final JsonMapper FOREIGN_MAPPER =
      builder().addModule(new SimpleModule().addSerializer(WRITTEN)).build();
  private static final JsonMapper OWN_MAPPER = builder().addModule(spelling()).build();

  /** An object that writes itself. */
  interface Written {
    void write(JsonGenerator out, SerializationContext context);
  }

  /** A result in the envelope of all commands. */
  record Document(
      String name, Envelope envelope, String answer, List<String> caveats, Fields.Filled<?> result)
      implements Answer, Written {
    /** Returns this document with its sentence. */
    Document answering(String sentence) {
      return new Document(name, envelope, sentence, caveats, result);
    }

    @Override
    public Answer render(Envelope around, String format, Consumer<String> messages) {
      return in(around);
    }

    private Document in(Envelope around) {
      Stream<String> ofAnswer = around.caveats().stream().map(OptionWords::of);
      List<String> all = Stream.concat(ofAnswer, caveats.stream()).toList();
      return new Document(name, around, answer, all, result);
    }

    @Override
    public void writeTo(Appendable out) throws IOException {
      Json.answer(OWN_MAPPER, this).writeTo(out);
    }

    @Override
    public void write(JsonGenerator out, SerializationContext context) {
      Invocation made = envelope.invocation();
      out.writeStartObject();
      out.writeStringProperty("schema", schema(name));
      out.writeStringProperty("topo", TOPO_VERSION);
      out.writeStringProperty("nccl", envelope.rules().named());
      if (!made.commandLine().isEmpty()) {
        out.writeStringProperty("command", made.commandLine());
      }
      if (made.isCommand()) {
        out.writeName("inputs");
        context.writeValue(out, made.inputs().get());
      }
      if (!answer.isEmpty()) {
        out.writeStringProperty("answer", answer);
      }
      if (!caveats.isEmpty() && !result.hasCaveats()) {
        out.writeName("caveats");
        context.writeValue(out, caveats);
      }
      result.writeFields(caveats, out, context);
      out.writeEndObject();
    }
  }

  /** A document that contains several; the envelope surrounds all of them. */
  private record SplitDocument(List<Part> parts) implements Answer {
    @Override
    public Answer under(Envelope envelope) {
      return new SplitDocument(each(answer -> answer.under(envelope)));
    }

    private List<Part> each(UnaryOperator<Answer> change) {
      return parts.stream()
          .map(part -> new Part(part.label(), change.apply(part.answer())))
          .toList();
    }

    @Override
    public Answer render(Envelope envelope, String format, Consumer<String> messages) {
      Envelope inner = new Envelope(envelope.rules(), List.of(), Invocation.NONE);
      List<Part> documents = each(answer -> answer.spoken(format).render(inner, format, messages));
      return document("split", "communicators", COMMUNICATOR, documents)
          .render(envelope, format, messages);
    }

    @Override
    public void writeTo(Appendable out) throws IOException {
      render(Envelope.NONE, "json", message -> {}).writeTo(out);
    }
  }

  private Json() {}

  private static JsonMapper.Builder builder() {
    return JsonMapper.builder()
        .enable(SerializationFeature.INDENT_OUTPUT)
        .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
        .changeDefaultVisibility(
            visibility ->
                visibility
                    .withFieldVisibility(Visibility.ANY)
                    .withGetterVisibility(Visibility.NONE)
                    .withIsGetterVisibility(Visibility.NONE))
        .defaultPrettyPrinter(
            new DefaultPrettyPrinter().withObjectIndenter(new DefaultIndenter("  ", "\n")));
  }

  private static SimpleModule spelling() {
    SimpleModule module = new SimpleModule();
    for (Class<Double> type : List.of(Double.class, Double.TYPE)) {
      module.addSerializer(spelled(type, (value, out) -> out.writeNumber(PlainNumber.of(value))));
    }
    for (Class<Float> type : List.of(Float.class, Float.TYPE)) {
      module.addSerializer(spelled(type, (value, out) -> out.writeNumber(PlainNumber.of(value))));
    }
    module.addSerializer(spelled(OptionalDouble.class, Json::writeNumberOrNull));
    TEXTS.forEach(
        (type, text) ->
            module.addSerializer(
                spelled(type, (value, out) -> out.writeString(text.apply(value)))));
    module.addSerializer(WRITTEN);
    module.addKeySerializer(
        GraphKind.class, spelled(GraphKind.class, (kind, out) -> out.writeName(kind.label())));
    return module;
  }

  /**
   * Returns the value of the field {@code schema} in documents of a schema: {@code topo/predict/1}.
   */
  public static String schema(String name) {
    return "topo/" + name + (SCHEMAS_AT_VERSION_2.contains(name) ? "/2" : "/1");
  }

  /**
   * A result in the envelope of all commands.
   *
   * @param name the name of its schema
   * @param fields the fields of the result, which follow those of the envelope
   */
  public static <T> Answer document(String name, Fields<T> fields, T result) {
    return document(name, List.of(), fields, result);
  }

  /**
   * Returns a document with a list.
   *
   * @param list the name of the list
   */
  public static <T> Answer document(
      String name, String list, Fields<T> fields, Collection<? extends T> entries) {
    return document(
        name, Fields.of(Collection.class).field(list, all -> fields.json(entries)), entries);
  }

  /**
   * Returns a document with caveats of its own.
   *
   * @param caveats the caveats as sentences, which follow those of the job
   */
  public static <T> Answer document(String name, List<String> caveats, Fields<T> fields, T result) {
    return new Document(name, Envelope.NONE, "", caveats, new Fields.Filled<>(fields, result));
  }

  /**
   * Combines the documents for the communicators of a split, each from {@link #document}, into one.
   */
  static Answer split(List<Part> parts) {
    return new SplitDocument(List.copyOf(parts));
  }

  /** Returns a document in an external format: without envelope and with numbers unchanged. */
  public static <T> Answer foreign(Fields<T> fields, T result) {
    return answer(FOREIGN_MAPPER, fields.json(result));
  }

  private static Answer answer(JsonMapper mapper, Object tree) {
    return out -> {
      try {
        mapper.writeValue(writer(out), tree);
      } catch (JacksonIOException e) {
        throw e.getCause();
      }
      out.append("\n");
    };
  }

  /** Escapes characters that are not {@link PlainText}; they occur only inside strings. */
  private static Writer writer(Appendable out) {
    return new Writer() {
      @Override
      public void write(char[] text, int offset, int length) throws IOException {
        int end = offset + length;
        int from = offset;
        for (int i = offset; i < end; i++) {
          // Fast path: most characters are printable ASCII.
          boolean isPlain =
              text[i] >= ' ' && text[i] < 0x7f
                  || Character.isSurrogate(text[i])
                  || !PlainText.isUnsafe(text[i]);
          if (!isPlain && text[i] != '\n') {
            out.append(CharBuffer.wrap(text, from, i - from));
            out.append(TextWriter.format("\\u%04x", (int) text[i]));
            from = i + 1;
          }
        }
        out.append(CharBuffer.wrap(text, from, end - from));
      }

      @Override
      public void flush() {
        // The owner of the target flushes and closes it.
      }

      @Override
      public void close() {
        // See flush.
      }
    };
  }

  private static <T> Map.Entry<Class<?>, Function<Object, String>> text(
      Class<T> type, Function<T, String> text) {
    return Map.entry(type, value -> text.apply(type.cast(value)));
  }

  private static void writeNumberOrNull(OptionalDouble value, JsonGenerator out) {
    if (value.isPresent()) {
      out.writeNumber(PlainNumber.of(value.getAsDouble()));
    } else {
      out.writeNull();
    }
  }

  /** The spelling of a value as text, in JSON and CSV; empty if its type has none. */
  static Optional<String> text(Object value) {
    return TEXTS.entrySet().stream()
        .filter(spelled -> spelled.getKey().isInstance(value))
        .map(spelled -> spelled.getValue().apply(value))
        .findFirst();
  }

  private static <T> StdSerializer<T> spelled(
      Class<T> type, BiConsumer<T, JsonGenerator> spelling) {
    return serializer(type, (value, out, context) -> spelling.accept(value, out));
  }

  /** How a value is written. */
  private interface Spelling<T> {
    void write(T value, JsonGenerator out, SerializationContext context);
  }

  private static <T> StdSerializer<T> serializer(Class<T> type, Spelling<T> spelling) {
    return new StdSerializer<T>(type) {
      @Override
      public void serialize(T value, JsonGenerator out, SerializationContext context) {
        spelling.write(value, out, context);
      }
    };
  }
}
