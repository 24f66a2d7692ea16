package dev.topo.fault;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Counts the operations on files below a folder, and makes one of them fail.
 *
 * @see FaultFileSystem
 */
final class Fault {
  /** What an operation does. */
  enum Step {
    READ,
    WRITE,
    DELETE
  }

  /** How operations fail. */
  enum Kind {
    /** One operation fails. */
    ONCE {
      @Override
      boolean hits(int step, int at) {
        return step == at;
      }

      @Override
      void fail(Path path) throws IOException {
        throw new FileSystemException(path.toString(), null, BROKEN);
      }
    },

    /** No operation succeeds from one on. */
    FROM {
      @Override
      void fail(Path path) throws IOException {
        throw new FileSystemException(path.toString(), null, BROKEN);
      }
    },

    /** From one operation that writes on, none of these succeeds. */
    FULL {
      @Override
      boolean counts(Step step) {
        return step == Step.WRITE;
      }

      @Override
      void fail(Path path) throws IOException {
        throw new FileSystemException(path.toString(), null, "No space left on device");
      }
    },

    /** One operation is not permitted. */
    DENIED {
      @Override
      boolean hits(int step, int at) {
        return step == at;
      }

      @Override
      void fail(Path path) throws IOException {
        throw new AccessDeniedException(path.toString());
      }
    },

    /** The thread is interrupted before an operation. */
    INTERRUPT {
      @Override
      boolean hits(int step, int at) {
        return step == at;
      }

      @Override
      void fail(Path path) {
        Thread.currentThread().interrupt();
      }
    },

    /** The heap has no room in an operation. */
    MEMORY {
      @Override
      boolean hits(int step, int at) {
        return step == at;
      }

      @Override
      void fail(Path path) {
        throw new OutOfMemoryError("Java heap space");
      }
    };

    private static final String BROKEN = "Input/output error";

    /** Whether an operation can fail so. */
    boolean counts(Step step) {
      return true;
    }

    /** Whether an operation fails if the failing ones begin at another. */
    boolean hits(int step, int at) {
      return step >= at;
    }

    /** Fails. */
    abstract void fail(Path path) throws IOException;
  }

  private static final Fault NONE = new Fault(Path.of("/nowhere"), Kind.ONCE, Integer.MAX_VALUE);
  private static final AtomicReference<Fault> ARMED = new AtomicReference<>(NONE);

  private final Path folder;
  private final Kind kind;
  private final int at;
  private final AtomicInteger steps = new AtomicInteger();
  private final AtomicReference<Optional<Hit>> hit = new AtomicReference<>(Optional.empty());

  /** An operation that failed. */
  record Hit(Step step, Path file) {}

  /** Operations on files below the folder fail from the given number on, counted from one. */
  Fault(Path folder, Kind kind, int at) {
    this.folder = FaultPath.real(folder);
    this.kind = kind;
    this.at = at;
  }

  /** From now on operations are counted by this one. */
  void arm() {
    ARMED.set(this);
  }

  /** From now on no operation fails. */
  static void disarm() {
    ARMED.set(NONE);
  }

  /** The number of operations. */
  int steps() {
    return steps.get();
  }

  /** The first operation that failed. */
  Optional<Hit> hit() {
    return hit.get();
  }

  /** To be called before each operation. */
  static void step(Step step, Path path) throws IOException {
    ARMED.get().count(step, path);
  }

  private void count(Step step, Path path) throws IOException {
    if (!kind.counts(step) || !path.toAbsolutePath().startsWith(folder)) {
      return;
    }
    if (kind.hits(steps.incrementAndGet(), at)) {
      hit.compareAndSet(Optional.empty(), Optional.of(new Hit(step, path)));
      kind.fail(path);
    }
  }
}
