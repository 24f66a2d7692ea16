package dev.topo.visualizer.serve;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * The server of the page, for this host only. It is the JDK's own: it serves a few pages of one
 * user, and a library would add more to the packages than it is worth.
 */
public final class PageServer implements AutoCloseable {
  private static final long LONGEST_QUESTION_MS = 60_000;

  /** A page over a slow line takes seconds; who reads no answer holds a thread as long. */
  private static final long LONGEST_SENDING_MS = 30_000;

  /**
   * Requests that are read, wait for an answer or are written, a thread for each connection: who
   * reads slowly keeps no other waiting.
   */
  private static final int MOST_REQUESTS = 200;

  /** Connections that wait to be accepted. */
  private static final int BACKLOG = 64;

  private final HttpServer server;
  private final ExecutorService threads;
  private final RunningQuestions questions;
  private final ReplySender sending;
  private final RequestGuard guard;

  private PageServer(
      HttpServer server,
      ExecutorService threads,
      RunningQuestions questions,
      ReplySender sending,
      RequestGuard guard) {
    this.server = server;
    this.threads = threads;
    this.questions = questions;
    this.sending = sending;
    this.guard = guard;
  }

  /**
   * Starts a server.
   *
   * @param port to listen on; 0 for a free one
   * @param evaluator answers the questions
   * @param faults takes what went wrong here, which no page is told
   * @throws IOException if it cannot listen, as on a port that is in use
   */
  public static PageServer start(int port, QuestionEvaluator evaluator, Consumer<Throwable> faults)
      throws IOException {
    return start(port, evaluator, faults, LONGEST_SENDING_MS);
  }

  /**
   * Starts a server with another limit for sending an answer.
   *
   * @param sendingMs longest time that a client may take to read an answer, in milliseconds
   */
  static PageServer start(
      int port, QuestionEvaluator evaluator, Consumer<Throwable> faults, long sendingMs)
      throws IOException {
    limit("sun.net.httpserver.maxReqTime", 30);
    limit("sun.net.httpserver.maxRspTime", 120);
    limit("jdk.httpserver.maxConnections", MOST_REQUESTS);
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
            BACKLOG);
    ExecutorService threads =
        Executors.newFixedThreadPool(
            MOST_REQUESTS,
            work -> {
              Thread thread = new Thread(work, "request");
              thread.setDaemon(true);
              return thread;
            });
    RunningQuestions questions = new RunningQuestions(LONGEST_QUESTION_MS);
    ReplySender sending = new ReplySender(sendingMs, faults);
    RequestGuard guard = RequestGuard.random();
    server.setExecutor(threads);
    server.createContext("/", new PageRequests(guard, evaluator, questions, sending, faults));
    server.start();
    return new PageServer(server, threads, questions, sending, guard);
  }

  /** Bounds of the JDK's server, in seconds or numbers, which it takes from the system only. */
  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, String.valueOf(value));
    }
  }

  /** The address of the page; its fragment has the token, which browsers do not send. */
  public URI address() {
    return guard.address(server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
    questions.close();
    sending.close();
    threads.shutdownNow();
  }
}
