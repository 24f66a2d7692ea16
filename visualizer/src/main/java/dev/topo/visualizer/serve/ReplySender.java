package dev.topo.visualizer.serve;

import com.sun.net.httpserver.HttpExchange;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Sends replies, and closes the connection of a client that does not read one in time. */
final class ReplySender implements AutoCloseable {
  private final long limitMs;
  private final Consumer<Throwable> faults;
  private final ScheduledExecutorService clock =
      Executors.newSingleThreadScheduledExecutor(PageServer.daemons("slow readers"));

  /** The reply to a request. */
  record Reply(int status, String type, byte[] content, Map<String, String> headers) {}

  /**
   * Creates a sender.
   *
   * @param limitMs the maximum time that a client may take to read a reply, in milliseconds
   * @param faults receives an error for each reply that was not read in time
   */
  ReplySender(long limitMs, Consumer<Throwable> faults) {
    this.limitMs = limitMs;
    this.faults = faults;
  }

  void send(HttpExchange exchange, Reply reply) throws IOException {
    AtomicBoolean isLate = new AtomicBoolean();
    Future<?> end =
        clock.schedule(
            () -> {
              isLate.set(true);
              exchange.close();
            },
            limitMs,
            TimeUnit.MILLISECONDS);
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", reply.type());
      exchange.getResponseHeaders().set("Cache-Control", "no-store");
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      exchange.getResponseHeaders().set("Referrer-Policy", "no-referrer");
      exchange.getResponseHeaders().set("Cross-Origin-Resource-Policy", "same-origin");
      reply.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.sendResponseHeaders(
          reply.status(), reply.content().length == 0 ? -1 : reply.content().length);
      exchange.getResponseBody().write(reply.content());
    } catch (IOException e) {
      if (!isLate.get()) {
        throw e;
      }
      faults.accept(
          new RefusedRequest(
              408, "an answer was not read within %s ms: closed".formatted(limitMs)));
    } finally {
      end.cancel(false);
    }
  }

  @Override
  public void close() {
    clock.shutdownNow();
  }
}
