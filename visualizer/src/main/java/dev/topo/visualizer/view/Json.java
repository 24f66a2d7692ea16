package dev.topo.visualizer.view;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.topo.inspect.caveat.Caveat;
import dev.topo.inspect.difference.Difference;
import dev.topo.inspect.lint.LintRule;
import dev.topo.inspect.lint.NcclOutcome;
import dev.topo.inspect.log.Fact;
import dev.topo.model.graph.GraphKind;
import dev.topo.model.io.Inputs;
import dev.topo.model.io.Invocation;
import dev.topo.model.io.PlainNumber;
import dev.topo.model.io.PlainText;
import dev.topo.model.io.Severity;
import dev.topo.model.operation.Algorithm;
import dev.topo.model.operation.Operation;
import dev.topo.model.operation.Protocol;
import dev.topo.simulator.evaluate.Prediction;
import java.io.IOException;
import java.io.Writer;
import java.nio.CharBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
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
 * Writes results as JSON: one document, indented, with the fields of records in their order. What a
 * field is called and how values are spelled is fixed in {@code docs/schema}.
 */
public final class Json {
  /** The version of topo. */
  public static final String TOPO_VERSION = "0.1.0";

  private static final JsonMapper FOREIGN = builder().build();
  private static final JsonMapper OWN = builder().addModule(spelling()).build();

  /** The envelope. */
  private record Document(
      String schema,
      String topo,
      String nccl,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) String command,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Inputs.Input> inputs,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> caveats,
      @JsonUnwrapped Object result) {}

  /** A result with caveats of its own, before which those of the answer are. */
  public interface Caveated {
    /** The same result with these caveats before its own. */
    Caveated with(List<String> caveats);
  }

  /**
   * A document, which takes an envelope.
   *
   * @param own caveats that it has from the start
   */
  private record Enveloped(String name, List<String> own, Object result) implements Answer {
    @Override
    public Answer render(Envelope envelope, String format, Consumer<String> messages) {
      return out -> answer(OWN, in(envelope)).writeTo(out);
    }

    private Document in(Envelope envelope) {
      List<String> texts =
          Stream.concat(envelope.caveats().stream().map(Caveat::toString), own.stream()).toList();
      return result instanceof Caveated caveated
          ? enveloped(name, envelope, List.of(), caveated.with(texts))
          : enveloped(name, envelope, texts, result);
    }

    @Override
    public void writeTo(Appendable out) throws IOException {
      answer(OWN, enveloped(name, Envelope.NONE, own, result)).writeTo(out);
    }
  }

  /** The communicators of a split, each with the document of a job. */
  private record Split(List<Communicator> communicators) {
    static Split of(List<SplitAnswer.Part> parts, Envelope envelope) {
      Envelope inner = new Envelope(envelope.rules(), List.of(), Invocation.NONE);
      return new Split(
          parts.stream()
              .map(part -> new Communicator(part.label(), ((Enveloped) part.answer()).in(inner)))
              .toList());
    }
  }

  private record Communicator(String communicator, Document answer) {}

  /** A document of several; the envelope is around all of them. */
  private record SplitDocument(List<SplitAnswer.Part> parts) implements Answer {
    @Override
    public Answer render(Envelope envelope, String format, Consumer<String> messages) {
      return out ->
          new Enveloped("split", List.of(), Split.of(parts, envelope))
              .render(envelope, format, messages)
              .writeTo(out);
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
    module.setSerializerModifier(new FormerNames());
    for (Class<Double> type : List.of(Double.class, Double.TYPE)) {
      module.addSerializer(spelled(type, (value, out) -> out.writeNumber(PlainNumber.of(value))));
    }
    for (Class<Float> type : List.of(Float.class, Float.TYPE)) {
      module.addSerializer(spelled(type, (value, out) -> out.writeNumber(PlainNumber.of(value))));
    }
    module.addSerializer(spelled(OptionalDouble.class, Json::writeNumberOrNull));
    text(module, Operation.class, Operation::ncclTestsName);
    text(module, Algorithm.class, Algorithm::label);
    text(module, Protocol.class, Protocol::label);
    text(module, GraphKind.class, GraphKind::label);
    text(module, Severity.class, Severity::label);
    text(module, Prediction.Source.class, Prediction.Source::label);
    text(module, Difference.Kind.class, Difference.Kind::label);
    text(module, Fact.Topic.class, Fact.Topic::label);
    text(module, LintRule.class, LintRule::id);
    text(module, NcclOutcome.class, NcclOutcome::label);
    text(module, Path.class, Path::toString);
    module.addKeySerializer(
        GraphKind.class, spelled(GraphKind.class, (kind, out) -> out.writeName(kind.label())));
    return module;
  }

  /**
   * A result in the envelope of all commands.
   *
   * @param name of its schema
   * @param result a record, whose fields follow those of the envelope
   */
  public static Answer document(String name, Object result) {
    return document(name, List.of(), result);
  }

  /**
   * The same with caveats of its own.
   *
   * @param caveats sentences, which follow the caveats of the job
   */
  public static Answer document(String name, List<String> caveats, Object result) {
    return new Enveloped(name, caveats, result);
  }

  /** Documents of {@link #document}, which belong to the communicators of a split, as one. */
  static Answer split(List<SplitAnswer.Part> parts) {
    return new SplitDocument(List.copyOf(parts));
  }

  private static Document enveloped(
      String name, Envelope envelope, List<String> caveats, Object result) {
    Invocation made = envelope.invocation();
    return new Document(
        "topo/" + name + "/1",
        TOPO_VERSION,
        envelope.rules().named(),
        made.commandLine(),
        made.isCommand() ? made.inputs().get() : null,
        caveats,
        result);
  }

  /** A document in the format of somebody else: without envelope, numbers as they are. */
  public static Answer foreign(Object document) {
    return answer(FOREIGN, document);
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

  /** Characters that are no {@link PlainText} are only in strings: they are escaped. */
  private static Writer writer(Appendable out) {
    return new Writer() {
      @Override
      public void write(char[] text, int offset, int length) throws IOException {
        int end = offset + length;
        int from = offset;
        for (int i = offset; i < end; i++) {
          boolean isPlain = Character.isSurrogate(text[i]) || !PlainText.isUnsafe(text[i]);
          if (!isPlain && text[i] != '\n') {
            out.append(CharBuffer.wrap(text, from, i - from));
            out.append(String.format(Locale.ROOT, "\\u%04x", (int) text[i]));
            from = i + 1;
          }
        }
        out.append(CharBuffer.wrap(text, from, end - from));
      }

      @Override
      public void flush() {
        // Whoever gave the target flushes it, and closes it.
      }

      @Override
      public void close() {
        // See flush.
      }
    };
  }

  private static void writeNumberOrNull(OptionalDouble value, JsonGenerator out) {
    if (value.isPresent()) {
      out.writeNumber(PlainNumber.of(value.getAsDouble()));
    } else {
      out.writeNull();
    }
  }

  private static <T> void text(SimpleModule module, Class<T> type, Function<T, String> text) {
    module.addSerializer(spelled(type, (value, out) -> out.writeString(text.apply(value))));
  }

  private static <T> StdSerializer<T> spelled(
      Class<T> type, BiConsumer<T, JsonGenerator> spelling) {
    return new StdSerializer<T>(type) {
      @Override
      public void serialize(T value, JsonGenerator out, SerializationContext context) {
        spelling.accept(value, out);
      }
    };
  }
}
