package dev.topo.visualizer.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.visualizer.chart.NoFontException;
import dev.topo.visualizer.serve.ReplySender.Reply;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Handles the requests of pages: the page itself, its options, machines dropped into it, and
 * questions. A refusal has the message of the command line and the field that caused it.
 *
 * @param guard checks the token and the origin of requests
 * @param faults receives internal errors, whose details no page gets
 */
record PageRequests(
    RequestGuard guard,
    PageEvaluator evaluator,
    RunningQuestions questions,
    ReplySender sending,
    Consumer<Throwable> faults)
    implements HttpHandler {
  /** Maximum size of a request body; a dump of the largest rack is smaller than 1 MB. */
  static final int MOST_BYTES = 16 << 20;

  private static final String TAB_HEADER = "X-Topo-Tab";

  /**
   * Appended to the name of a tab for its question about memory, which runs beside the main
   * question.
   */
  private static final String MEMORY_SUFFIX = " memory";

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String SVG = "image/svg+xml";
  private static final String JSON = "application/json; charset=utf-8";

  /** The answer to a refused request. */
  private record Refusal(String message, Optional<String> field) {
    static final Fields<Refusal> FIELDS =
        Fields.of(Refusal.class).field("error", Refusal::message).components("field");
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    Reply reply;
    try {
      reply = reply(exchange);
    } catch (RefusedRequest e) {
      reply = refused(e.status(), String.valueOf(e.getMessage()), Optional.empty());
    } catch (FieldException e) {
      reply = refused(400, String.valueOf(e.getMessage()), Optional.of(e.field()));
    } catch (SettingException | TopologyFormatException | UnusableTopologyException e) {
      reply = refused(400, OptionWords.messageOf(e), Optional.empty());
    } catch (NoFontException e) {
      reply =
          refused(501, "the host of topo serve has no fonts: there is no chart", Optional.empty());
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // One page must not bring down the server for the others.
      faults.accept(e);
      reply =
          refused(
              500, "the question failed: the terminal of topo serve says why", Optional.empty());
    }
    sending.send(exchange, reply);
  }

  private static Reply refused(int status, String message, Optional<String> field) {
    return new Reply(
        status, JSON, bytes(Json.foreign(Refusal.FIELDS, new Refusal(message, field))), Map.of());
  }

  private Reply reply(HttpExchange exchange) throws IOException {
    guard.checkSite(exchange);
    String path = exchange.getRequestURI().getPath();
    String request = exchange.getRequestMethod() + " " + path;
    if (request.equals("GET /")) {
      PageDocument page = PageDocument.create();
      return new Reply(
          200, HTML, page.html().getBytes(UTF_8), Map.of("Content-Security-Policy", page.policy()));
    }
    guard.checkToken(exchange);
    String tab = Optional.ofNullable(exchange.getRequestHeaders().getFirst(TAB_HEADER)).orElse("");
    return switch (request) {
      case "GET /api/options" -> json(PageOptions.of(evaluator.shelf()));
      case "POST /api/machine" -> json(PageOptions.of(dropped(exchange)));
      case "POST /api/cancel" -> {
        questions.cancel(tab);
        questions.cancel(tab + MEMORY_SUFFIX);
        yield new Reply(204, JSON, new byte[0], Map.of());
      }
      case "POST /api/answer" ->
          asked(
              exchange,
              tab,
              JSON,
              document(
                  (answered, made) -> QuestionAnswer.of(answered, evaluator.evaluator(), made)));
      case "GET /api/stage" -> new Reply(200, TEXT, questions.stage(tab).getBytes(UTF_8), Map.of());
      case "POST /api/memory" ->
          asked(exchange, tab.isEmpty() ? "" : tab + MEMORY_SUFFIX, JSON, this::memory);
      case "POST /api/why" -> asked(exchange, "", JSON, this::why);
      case "POST /api/file/xml" -> asked(exchange, "", "application/xml", file(QuestionFiles::xml));
      case "POST /api/file/json" -> asked(exchange, "", JSON, document(QuestionAnswer::whatIf));
      case "POST /api/file/svg" -> asked(exchange, "", SVG, file(QuestionFiles::drawing));
      case "POST /api/file/chart" -> asked(exchange, "", SVG, file(QuestionFiles::chart));
      case "POST /api/file/report" -> asked(exchange, "", HTML, file(QuestionFiles::report));
      default -> throw new RefusedRequest(404, request + ": there is no such request");
    };
  }

  /**
   * Answers the question of a form.
   *
   * @param tab the tab of the page; empty if no later question replaces this one
   */
  private Reply asked(
      HttpExchange exchange,
      String tab,
      String type,
      BiFunction<FormFields, QuestionStage, byte[]> answer)
      throws IOException {
    FormFields form = FormFields.parse(new String(body(exchange), UTF_8));
    return new Reply(
        200, type, questions.answer(tab, stage -> answer.apply(form, stage)), Map.of());
  }

  private static Reply json(Answer answer) {
    return new Reply(200, JSON, bytes(answer), Map.of());
  }

  private ServedMachine dropped(HttpExchange exchange) throws IOException {
    String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
    String name = FormFields.parse(query).one("name").orElse("");
    return evaluator.shelf().drop(name, body(exchange));
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      throw new RefusedRequest(
          413, "more than %s MiB: no topology file is as large".formatted(MOST_BYTES >> 20));
    }
    return body;
  }

  /** A document about a question, made with the command line that gives the same answer. */
  private BiFunction<FormFields, QuestionStage, byte[]> document(
      BiFunction<EvaluatedQuestion, Invocation, Answer> document) {
    return (form, stage) ->
        evaluator.evaluate(
            PageQuestion.of(form),
            stage,
            answered ->
                bytes(document.apply(answered, QuestionCommand.of(answered, evaluator.inputs()))));
  }

  private byte[] why(FormFields form, QuestionStage stage) {
    PageQuestion question = PageQuestion.of(form);
    String size =
        form.one("bytes").orElseThrow(() -> FieldException.of("bytes", "expected a size"));
    long bytes = FieldException.in("bytes", () -> CallSizes.parse(size)).get(0);
    return evaluator.evaluate(
        question,
        stage,
        answered ->
            bytes(QuestionAnswer.why(answered, question.call(bytes), evaluator.evaluator())));
  }

  private byte[] memory(FormFields form, QuestionStage stage) {
    return evaluator.evaluate(
        PageQuestion.of(form),
        stage,
        answered -> {
          stage.enter("adding up the memory");
          return bytes(
              EditedMemory.of(answered, QuestionCommand.memory(answered, evaluator.inputs())));
        });
  }

  private BiFunction<FormFields, QuestionStage, byte[]> file(Function<QuestionFiles, String> file) {
    return (form, stage) ->
        evaluator.evaluate(
            PageQuestion.of(form),
            stage,
            answered ->
                file.apply(
                        new QuestionFiles(
                            answered,
                            evaluator.evaluator(),
                            QuestionCommand.of(answered, evaluator.inputs())))
                    .getBytes(UTF_8));
  }

  private static byte[] bytes(Answer answer) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      answer.writeBytesTo(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
