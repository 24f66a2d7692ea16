package dev.topo.cli.output;

import java.io.Console;
import java.lang.reflect.InvocationTargetException;
import org.jspecify.annotations.Nullable;

/**
 * How far something long is, on stderr, if someone looks: with input and output at a terminal. Says
 * nothing in a pipe.
 */
public final class Progress {
  /** How often to speak up. */
  private static final long EVERY_NS = 200_000_000;

  private final Streams streams;
  private final String noun;
  private final int total;
  private final boolean isShown;
  private int done;
  private long lastNs = System.nanoTime();
  private boolean isOpen;

  private Progress(Streams streams, String noun, int total, boolean isShown) {
    this.streams = streams;
    this.noun = noun;
    this.total = total;
    this.isShown = isShown;
  }

  /** The progress of {@code total} steps, which are called {@code noun}. */
  public static Progress of(Streams streams, String noun, int total) {
    return new Progress(streams, noun, total, isTerminal(System.console()));
  }

  /** From Java 22 on there may be a console without a terminal. */
  private static boolean isTerminal(@Nullable Console console) {
    if (console == null) {
      return false;
    }
    try {
      return (boolean) Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (IllegalAccessException | InvocationTargetException e) {
      return false;
    }
  }

  /** One more is done. */
  public void step() {
    done++;
    long now = System.nanoTime();
    if (isShown && now - lastNs > EVERY_NS) {
      lastNs = now;
      isOpen = true;
      streams.err().print("\rtopo: " + done + " of " + total + " " + noun);
      streams.err().flush();
    }
  }

  /** All is done: wipes the line. */
  public void end() {
    if (isOpen) {
      streams
          .err()
          .print(
              "\r" + " ".repeat(("topo: " + total + " of " + total + " " + noun).length()) + "\r");
      streams.err().flush();
    }
  }
}
