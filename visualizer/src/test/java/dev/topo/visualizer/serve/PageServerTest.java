package dev.topo.visualizer.serve;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.xml.NamedMachine;
import dev.topo.search.fixture.SharedGraphs;
import dev.topo.simulator.evaluate.JobEvaluator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The server against who should not ask, and against what is too much. */
class PageServerTest {
  private static final String DGX = "machine=shipped-dgx-h100";
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final List<Throwable> FAULTS = new ArrayList<>();

  private static PageServer server;

  @BeforeAll
  static void start() throws IOException {
    Inputs inputs = new Inputs();
    PageEvaluator evaluator =
        new PageEvaluator(
            new MachineShelf(), new JobEvaluator(SharedGraphs.GRAPHS, inputs), inputs);
    server = PageServer.start(0, evaluator, FAULTS::add);
  }

  @AfterAll
  static void stop() {
    server.close();
    assertEquals(List.of(), FAULTS);
  }

  private static String token() {
    return server.address().getFragment().replace("token=", "");
  }

  private static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.address().resolve(path)).header("X-Topo-Token", token());
  }

  private static HttpResponse<String> sent(HttpRequest request) {
    try {
      return CLIENT.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static HttpResponse<String> posted(String path, String form) {
    return sent(request(path).POST(BodyPublishers.ofString(form)).build());
  }

  private static String encoded(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** What the server sends to a request as it is written here. */
  private static String raw(String request) throws IOException {
    URI address = server.address();
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), address.getPort())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static String get(String path, String... headers) throws IOException {
    String lines = String.join("\r\n", headers);
    return raw("GET " + path + " HTTP/1.1\r\n" + lines + "\r\nConnection: close\r\n\r\n");
  }

  @Test
  void thePageRunsNothingButItsOwnScriptAndHoldsNoToken() {
    HttpResponse<String> page = sent(HttpRequest.newBuilder(server.address().resolve("/")).build());

    assertEquals(200, page.statusCode());
    assertFalse(page.body().contains(token()));
    String policy = page.headers().firstValue("Content-Security-Policy").orElseThrow();
    assertTrue(policy.startsWith("default-src 'none'; script-src 'nonce-"), policy);
    assertEquals("no-store", page.headers().firstValue("Cache-Control").orElseThrow());
    assertFalse(page.body().contains("NONCE"), "a number is missing");
    assertFalse(page.body().contains("https://"), "the page names another site");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "200 | Host: 127.0.0.1",
        "200 | Host: localhost:8080",
        "421 | Host: evil.example",
        "421 | Host: 127.0.0.1.evil.example",
        "421 | Host: 10.0.0.1:80",
        "421 | X: no host",
      })
  void onlyThisHostIsAnswered(int status, String header) throws IOException {
    String answer = get("/", header);

    assertTrue(
        answer.startsWith("HTTP/1.1 " + status + " "), answer.lines().findFirst().orElse(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1"})
  void aPageOfAnotherSiteIsRefused(String origin) {
    HttpResponse<String> answer = sent(request("/api/options").header("Origin", origin).build());

    assertEquals(403, answer.statusCode());
    assertTrue(answer.body().contains("another site"), answer.body());
  }

  @Test
  void nothingIsAnsweredWithoutTheToken() throws IOException {
    URI options = server.address().resolve("/api/options");
    assertEquals(403, sent(HttpRequest.newBuilder(options).build()).statusCode());
    assertEquals(
        403,
        sent(HttpRequest.newBuilder(options).header("X-Topo-Token", token() + "0").build())
            .statusCode());
    String twice = "X-Topo-Token: " + token();
    assertTrue(get("/api/options", "Host: localhost", twice, twice).startsWith("HTTP/1.1 403 "));
    assertEquals(200, sent(request("/api/options").build()).statusCode());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/etc/passwd",
        "/api/../../etc/passwd",
        "/api/%2e%2e/%2e%2e/etc/passwd",
        "/dev/topo/visualizer/serve/page.js",
        "/api/answer/"
      })
  void noPathLeadsToAFile(String path) throws IOException {
    String answer = get(path, "Host: localhost", "X-Topo-Token: " + token());

    assertTrue(answer.startsWith("HTTP/1.1 404 "), answer);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "machine | machine=/etc/passwd",
        "machine | machine=../topologies/dgx-h100.xml",
        "edit | machine=shipped-dgx-h100&edit=machine /etc/passwd",
        "env | machine=shipped-dgx-h100&env=NCCL_TOPO_FILE=/etc/passwd",
        "env | machine=shipped-dgx-h100&env=NCCL_GRAPH_FILE=/etc/passwd",
        "edit | machine=shipped-dgx-h100&edit=env NCCL_TOPO_FILE=/etc/passwd",
        "network | machine=shipped-dgx-h100&network=/etc/passwd",
        "nodes | machine=shipped-dgx-h100&nodes=999999999",
        "domain | machine=shipped-dgx-h100&domain=-1",
        "sizes | machine=shipped-dgx-h100&sizes=1:1G:1.0001",
        "collective | machine=shipped-dgx-h100&collective=all",
        "graph | machine=shipped-dgx-h100&graph=star",
        "release | machine=shipped-dgx-h100&release=1.0",
        "env | machine=shipped-dgx-h100&env=NCCL_ALGOO=Ring",
        "edit | machine=shipped-dgx-h100&edit=remove net:none",
      })
  void whatIsRefusedNamesItsField(String field, String form) {
    HttpResponse<String> answer = posted("/api/answer", form);

    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"field\" : \"" + field + "\""), answer.body());
  }

  @Test
  void anUploadAboveTheLimitIsRefused() throws IOException {
    String head =
        "POST /api/machine?name=big.xml HTTP/1.1\r\nHost: localhost\r\nX-Topo-Token: "
            + token()
            + "\r\nContent-Length: 1073741824\r\n\r\n";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
      OutputStream out = socket.getOutputStream();
      out.write(head.getBytes(StandardCharsets.ISO_8859_1));
      byte[] part = new byte[1 << 20];
      for (int i = 0; i <= PageRequests.MOST_BYTES >> 20; i++) {
        out.write(part);
      }
      out.flush();
      String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.UTF_8);
      assertEquals("HTTP/1.1 413", line);
    }
  }

  @Test
  void aSmallFileThatUnpacksToAHugeOneIsRefused() throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      byte[] part = new byte[1 << 20];
      for (int i = 0; i < 1024; i++) {
        gzip.write(part);
      }
    }
    HttpResponse<String> answer = dropped("bomb.xml.gz", packed.toByteArray());

    assertEquals(400, answer.statusCode(), answer.body());
  }

  @Test
  void deepXmlAndXmlWithEntitiesAreRefused() {
    String deep = "<system version=\"1\">" + "<pci>".repeat(100_000);
    assertEquals(400, dropped("deep.xml", deep.getBytes(StandardCharsets.UTF_8)).statusCode());
    String entity =
        "<!DOCTYPE system [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><system>&e;</system>";
    HttpResponse<String> answer = dropped("entity.xml", entity.getBytes(StandardCharsets.UTF_8));
    assertEquals(400, answer.statusCode(), answer.body());
    assertFalse(answer.body().contains("root:"), answer.body());
  }

  private static HttpResponse<String> dropped(String name, byte[] content) {
    return sent(
        request("/api/machine?name=" + encoded(name))
            .POST(BodyPublishers.ofByteArray(content))
            .build());
  }

  private static byte[] content(String machine) {
    return NamedMachine.of(Path.of(machine)).orElseThrow().content();
  }

  @Test
  void namesOfAFileAreTextInTheDrawing() throws IOException {
    String script = "<script>alert(1)</script>";
    byte[] shipped = content("dgx-h100");
    String xml =
        new String(shipped, StandardCharsets.UTF_8)
            .replace("\"mlx5_0\"", "\"" + script.replace("<", "&lt;").replace(">", "&gt;") + "\"");
    HttpResponse<String> machine = dropped(script + ".xml", xml.getBytes(StandardCharsets.UTF_8));
    assertEquals(200, machine.statusCode(), machine.body());
    String id = machine.body().replaceAll("(?s).*\"id\" : \"([^\"]*)\".*", "$1");

    String answer = posted("/api/answer", "machine=" + id).body();

    assertTrue(answer.contains("&lt;script&gt;alert"), "the name is not in the drawing");
    String drawing = answer.substring(answer.indexOf("\"drawing\""), answer.indexOf("\"parts\""));
    assertFalse(drawing.contains("<script"), drawing);
  }

  @Test
  void ofManyQuestionsAtOnceEachIsAnsweredOrToldToWait() {
    List<CompletableFuture<Integer>> all =
        IntStream.range(0, 100)
            .mapToObj(
                i ->
                    CLIENT
                        .sendAsync(
                            request("/api/answer")
                                .POST(BodyPublishers.ofString(DGX + "&nodes=" + (1 + i % 7)))
                                .build(),
                            BodyHandlers.ofString())
                        .thenApply(HttpResponse::statusCode))
            .toList();
    List<Integer> statuses = all.stream().map(CompletableFuture::join).toList();

    assertTrue(statuses.contains(200), statuses.toString());
    assertTrue(statuses.stream().allMatch(one -> one == 200 || one == 503), statuses.toString());
    assertEquals(200, posted("/api/answer", DGX).statusCode());
  }

  /** More than one bound of threads or connections that the server had. */
  @Test
  void connectionsThatAskNothingKeepNoOtherWaiting() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 300; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        idle.add(socket);
        socket
            .getOutputStream()
            .write("GET /".substring(0, i % 6).getBytes(StandardCharsets.UTF_8));
      }
      assertTrue(get("/", "Host: localhost").startsWith("HTTP/1.1 200 "));
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void aNameOfTwoMachinesIsNone() throws IOException {
    byte[] shipped = content("dgx-h100");
    byte[] other = content("l40s-4");
    String form = DGX + "&edit=machine twice.xml";
    dropped("twice.xml", shipped);
    dropped("twice.xml", shipped);
    assertEquals(200, posted("/api/answer", form).statusCode(), "the same machine");
    dropped("twice.xml", other);
    dropped("dgx-h100.xml", other);

    HttpResponse<String> answer = posted("/api/answer", form);

    assertEquals(400, answer.statusCode(), answer.body());
    assertTrue(answer.body().contains("\"field\" : \"edit\""), answer.body());
    assertTrue(
        answer.body().matches("(?s).*is the name of several machines .*: (dropped-\\d+(, )?){3}.*"),
        answer.body());
    assertEquals(200, posted("/api/answer", DGX + "&edit=machine shipped-l40s-4").statusCode());
  }

  @Test
  void readersThatAreSlowDoNotKeepOthersWaiting() throws IOException {
    List<Socket> slow = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket
            .getOutputStream()
            .write(
                "POST /api/answer HTTP/1.1\r\nHost: localhost\r\n"
                    .getBytes(StandardCharsets.UTF_8));
        slow.add(socket);
      }
      assertEquals(200, posted("/api/answer", DGX).statusCode());
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  /** The pages that they ask for are more than the buffers of a connection hold. */
  @Test
  void whoDoesNotReadAnAnswerIsCutOffAndKeepsNobodyWaiting() throws Exception {
    Inputs inputs = new Inputs();
    BlockingQueue<Throwable> cutOff = new LinkedBlockingQueue<>();
    PageEvaluator evaluator =
        new PageEvaluator(
            new MachineShelf(), new JobEvaluator(SharedGraphs.GRAPHS, inputs), inputs);
    String request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    List<Socket> slow = new ArrayList<>();
    try (PageServer limited = PageServer.start(0, evaluator, cutOff::add, 500)) {
      for (int i = 0; i < 20; i++) {
        Socket socket = new Socket();
        slow.add(socket);
        socket.setReceiveBufferSize(1024);
        socket.connect(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), limited.address().getPort()));
        socket.getOutputStream().write(request.repeat(400).getBytes(StandardCharsets.US_ASCII));
        // One byte of the answer is read, and then no more.
        assertEquals('H', socket.getInputStream().read());
      }
      HttpResponse<String> page = sent(HttpRequest.newBuilder(limited.address()).build());
      assertEquals(200, page.statusCode());
      for (int i = 0; i < slow.size(); i++) {
        assertTrue(cutOff.take().getMessage().contains("not read within 500 ms"));
      }
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
  }

  @Test
  void theSameQuestionHasTheSameAnswer() {
    String form = DGX + "&nodes=4&graph=ring&edit=" + encoded("remove net:mlx5_3");
    String first = posted("/api/answer", form).body();

    assertEquals(first, posted("/api/answer", form).body());
    assertTrue(first.contains("\"edits\" : [ \"remove net:mlx5_3\" ]"), first);
    assertTrue(posted("/api/why", form + "&bytes=1048576").body().contains("NCCL runs"));
    assertTrue(posted("/api/file/xml", form).body().contains("mlx5_4"));
    assertFalse(posted("/api/file/xml", form).body().contains("mlx5_3"));
    assertTrue(posted("/api/file/svg", form).body().startsWith("<svg"));
  }
}
