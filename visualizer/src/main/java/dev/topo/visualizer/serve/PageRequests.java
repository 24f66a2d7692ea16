package dev.topo.visualizer.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.topo.model.io.Inputs.Invocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.SettingException;
import dev.topo.model.job.UnusableTopologyException;
import dev.topo.model.operation.Call.CallSizes;
import dev.topo.visualizer.serve.ReplySender.Reply;
import dev.topo.visualizer.view.Answer;
import dev.topo.visualizer.view.Fields;
import dev.topo.visualizer.view.Json;
import dev.topo.visualizer.view.OptionWords;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requests of pages: the page itself, what it offers, a machine that is dropped into it, and
 * questions. What it refuses has the message of the command line and the field that it is about.
 */
final class PageRequests implements HttpHandler {
  /** A dump of the largest rack has less than a megabyte. */
  static final int MOST_BYTES = 16 << 20;

  private static final String TAB = "X-Topo-Tab";

  /** End of the name of a tab for its question about memory, beside that of the answer. */
  private static final String MEMORY = " memory";

  private static final String TEXT = "text/plain; charset=utf-8";
  private static final String HTML = "text/html; charset=utf-8";
  private static final String SVG = "image/svg+xml";
  private static final String JSON = "application/json; charset=utf-8";

  private final RequestGuard guard;
  private final QuestionEvaluator evaluator;
  private final RunningQuestions questions;
  private final ReplySender sending;
  private final Consumer<Throwable> faults;

  /** Handler of the form of a question. */
  private interface Question {
    byte[] answer(FormFields form, QuestionStage stage) throws IOException;
  }

  /** Answer to a refused request. */
  private record Refusal(String message, Optional<String> field) {
    static final Fields<Refusal> FIELDS =
        Fields.of(Refusal.class).field("error", Refusal::message).field("field", Refusal::field);
  }

  /**
   * The requests of pages that know a token.
   *
   * @param faults takes what went wrong here, which no page is told
   */
  PageRequests(
      RequestGuard guard,
      QuestionEvaluator evaluator,
      RunningQuestions questions,
      ReplySender sending,
      Consumer<Throwable> faults) {
    this.guard = guard;
    this.evaluator = evaluator;
    this.questions = questions;
    this.sending = sending;
    this.faults = faults;
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
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError e) {
      // A page must not end the server for the others.
      faults.accept(e);
      reply =
          refused(
              500, "the question failed: the terminal of topo serve says why", Optional.empty());
    }
    sending.send(exchange, reply);
  }

  private static Reply refused(int status, String message, Optional<String> field)
      throws IOException {
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
    String tab = Optional.ofNullable(exchange.getRequestHeaders().getFirst(TAB)).orElse("");
    return switch (request) {
      case "GET /api/options" -> json(PageOptions.of(evaluator.shelf()));
      case "POST /api/machine" -> json(PageOptions.of(dropped(exchange)));
      case "POST /api/cancel" -> {
        questions.cancel(tab);
        questions.cancel(tab + MEMORY);
        yield new Reply(204, JSON, new byte[0], Map.of());
      }
      case "POST /api/answer" -> asked(exchange, tab, JSON, this::answer);
      case "GET /api/stage" -> new Reply(200, TEXT, questions.stage(tab).getBytes(UTF_8), Map.of());
      case "POST /api/memory" ->
          asked(exchange, tab.isEmpty() ? "" : tab + MEMORY, JSON, this::memory);
      case "POST /api/why" -> asked(exchange, "", JSON, this::why);
      case "POST /api/file/xml" ->
          asked(exchange, "", "application/xml", file(files -> files.xml().getBytes(UTF_8)));
      case "POST /api/file/json" -> asked(exchange, "", JSON, file(files -> bytes(files.json())));
      case "POST /api/file/svg" -> asked(exchange, "", SVG, file(files -> bytes(files.drawing())));
      case "POST /api/file/chart" ->
          asked(exchange, "", SVG, file(files -> files.chart().getBytes(UTF_8)));
      case "POST /api/file/report" ->
          asked(exchange, "", HTML, file(files -> files.report().getBytes(UTF_8)));
      default -> throw new RefusedRequest(404, request + ": there is no such request");
    };
  }

  private Reply asked(HttpExchange exchange, String tab, String type, Question question)
      throws IOException {
    FormFields form = form(exchange);
    return new Reply(
        200, type, questions.answer(tab, stage -> question.answer(form, stage)), Map.of());
  }

  private static Reply json(Answer answer) throws IOException {
    return new Reply(200, JSON, bytes(answer), Map.of());
  }

  private ServedMachine dropped(HttpExchange exchange) throws IOException {
    String query = Optional.ofNullable(exchange.getRequestURI().getRawQuery()).orElse("");
    String name = FormFields.parse(query).one("name").orElse("");
    return evaluator.shelf().drop(name, body(exchange));
  }

  private static FormFields form(HttpExchange exchange) throws IOException {
    return FormFields.parse(new String(body(exchange), UTF_8));
  }

  private static byte[] body(HttpExchange exchange) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(MOST_BYTES + 1);
    if (body.length > MOST_BYTES) {
      throw new RefusedRequest(
          413, "more than %d MiB: no topology file is as large".formatted(MOST_BYTES >> 20));
    }
    return body;
  }

  private byte[] answer(FormFields form, QuestionStage stage) throws IOException {
    return evaluator.evaluate(
        PageQuestion.of(form),
        stage,
        answered -> bytes(QuestionAnswer.of(answered, evaluator.evaluator(), command(answered))));
  }

  private byte[] why(FormFields form, QuestionStage stage) throws IOException {
    PageQuestion question = PageQuestion.of(form);
    String size =
        form.one("bytes").orElseThrow(() -> FieldException.of("bytes", "expected a size"));
    long bytes = FieldException.in("bytes", () -> CallSizes.parse(size)).get(0);
    return evaluator.evaluate(
        question,
        stage,
        answered -> bytes(WhyAnswer.of(answered, question.call(bytes), evaluator.evaluator())));
  }

  private byte[] memory(FormFields form, QuestionStage stage) throws IOException {
    return evaluator.evaluate(
        PageQuestion.of(form),
        stage,
        answered -> {
          stage.enter("adding up the memory");
          return bytes(
              MemoryTable.of(
                  answered,
                  QuestionCommand.memory(
                      answered.question(),
                      answered.machine().file(),
                      answered.layout().hosts(),
                      evaluator.inputs())));
        });
  }

  /** Handler of the files of a question. */
  private interface File {
    byte[] of(QuestionFiles files) throws IOException;
  }

  private Question file(File file) {
    return (form, stage) ->
        evaluator.evaluate(
            PageQuestion.of(form),
            stage,
            answered ->
                file.of(new QuestionFiles(answered, evaluator.evaluator(), command(answered))));
  }

  private Invocation command(EvaluatedQuestion answered) {
    return QuestionCommand.of(
        answered.question(),
        answered.machine().file(),
        answered.layout().hosts(),
        evaluator.inputs());
  }

  private static byte[] bytes(Answer answer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    answer.writeBytesTo(bytes);
    return bytes.toByteArray();
  }
}
