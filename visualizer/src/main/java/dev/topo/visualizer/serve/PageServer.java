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
 * The server of the page, for this host only. It is the JDK's own: it serves a few pages of one
 * user, and a library would add more to the packages than it is worth.
 */
public final class PageServer implements AutoCloseable {
  private static final long LONGEST_QUESTION_MS = 60_000;

  /**
   * Sending a page over a slow connection takes seconds; a client that does not read holds a thread
   * until this limit.
   */
  private static final long LONGEST_SENDING_MS = 30_000;

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
   * @param faults takes failures of this program, whose details no page gets
   * @throws IOException if it cannot listen, as on a port that is in use
   */
  public static PageServer start(int port, PageEvaluator evaluator, Consumer<Throwable> faults)
      throws IOException {
    return start(port, evaluator, faults, LONGEST_SENDING_MS);
  }

  /**
   * Starts a server with another limit for sending an answer.
   *
   * @param sendingMs longest time that a client may take to read an answer, in milliseconds
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
    RunningQuestions questions = new RunningQuestions(LONGEST_QUESTION_MS);
    ReplySender sending = new ReplySender(sendingMs, faults);
    RequestGuard guard = RequestGuard.random();
    server.setExecutor(threads);
    server.createContext("/", new PageRequests(guard, evaluator, questions, sending, faults));
    server.start();
    return new PageServer(server, threads, questions, sending, guard);
  }

  /** Makes threads of a name that do not keep the process alive. */
  static ThreadFactory daemons(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
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
