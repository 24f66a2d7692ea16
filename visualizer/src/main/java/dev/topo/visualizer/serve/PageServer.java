package dev.topo.visualizer.serve;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;

/**
 * The web server for the page, reachable only from this host. It uses the server of the JDK: for a
 * few pages of one user, a library would cost more in package size than it is worth.
 */
public final class PageServer implements AutoCloseable {
  private static final long MAX_QUESTION_MS = 60_000;

  /**
   * Sending a page over a slow connection takes seconds; a client that does not read occupies a
   * thread up to this limit.
   */
  private static final long MAX_SENDING_MS = 30_000;

  /** Maximum number of connections waiting to be accepted. */
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
   * @param port the port to listen on; 0 for a free one
   * @param evaluator answers the questions
   * @param faults receives internal errors, whose details no page gets
   * @throws IOException if it cannot listen, for example because the port is in use
   */
  public static PageServer start(int port, PageEvaluator evaluator, Consumer<Throwable> faults)
      throws IOException {
    return start(port, evaluator, faults, MAX_SENDING_MS);
  }

  /**
   * Starts a server with another limit for sending an answer.
   *
   * @param sendingMs the maximum time that a client may take to read an answer, in milliseconds
   */
  static PageServer start(
      int port, PageEvaluator evaluator, Consumer<Throwable> faults, long sendingMs)
      throws IOException {
    limit("sun.net.httpserver.maxReqTime", 30);
    limit("sun.net.httpserver.maxRspTime", 120);
    HttpServer server =
        HttpServer.create(
            new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port),
            BACKLOG);
    ExecutorService threads =
        // A thread for each request, without a limit: with a limit, clients that send or read
        // slowly would block others. A limit on connections would have the same effect.
        Executors.newCachedThreadPool(daemons("request"));
    RunningQuestions questions = new RunningQuestions(MAX_QUESTION_MS);
    ReplySender sending = new ReplySender(sendingMs, faults);
    RequestGuard guard = RequestGuard.random();
    server.setExecutor(threads);
    server.createContext("/", new PageRequests(guard, evaluator, questions, sending, faults));
    server.start();
    return new PageServer(server, threads, questions, sending, guard);
  }

  /** Returns a factory for daemon threads with a name. */
  static ThreadFactory daemons(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  /**
   * Sets a limit of the JDK server, in seconds, unless the user has set it. The server reads its
   * limits only from system properties.
   */
  private static void limit(String property, int value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, String.valueOf(value));
    }
  }

  /**
   * Returns the address of the page. Its fragment, which browsers do not send, contains the token.
   */
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
