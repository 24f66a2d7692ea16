package dev.topo;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed on first use, and only once. Thread-safe. If the computation fails, the
 * next caller tries again.
 */
final class Lazy<T> {
  private final Supplier<T> supplier;
  private @Nullable T cached;

  Lazy(Supplier<T> supplier) {
    this.supplier = supplier;
  }

  synchronized T get() {
    T value = cached;
    if (value == null) {
      value = supplier.get();
      cached = value;
    }
    return value;
  }
}
