package dev.topo.hw.javacpp;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Loader;
import org.bytedeco.javacpp.Pointer;
import org.bytedeco.javacpp.PointerPointer;

/**
 * Environment of this process as native code reads it ({@code getenv}), which Java cannot change.
 * NCCL reads NCCL_ALGO and NCCL_PROTO each time it creates a communicator ({@code
 * nccl:src/graph/tuning.cc#ncclTopoTuneModel}, 2.28.9).
 */
final class NativeEnvironment {
  /** POSIX variable that points to the entries; a program may change it. */
  private static final String ENTRIES = "environ";

  /** Entries that native code may still read; they are never freed. */
  private static final List<Pointer> KEPT = new ArrayList<>();

  private NativeEnvironment() {}

  /** Runs an action with these variables set, then restores the environment. */
  static synchronized <T> T with(Map<String, String> variables, Supplier<T> action) {
    PointerPointer<BytePointer> variable = new PointerPointer<>(Loader.addressof(ENTRIES));
    Pointer before = variable.get(0);
    variable.put(0, entries(new PointerPointer<>(before), variables));
    try {
      return action.get();
    } finally {
      variable.put(0, before);
    }
  }

  /** Entries for these variables, followed by the existing entries of other variables. */
  private static Pointer entries(
      PointerPointer<BytePointer> existing, Map<String, String> variables) {
    List<Pointer> entries = new ArrayList<>();
    variables.forEach(
        (name, value) -> entries.add(new BytePointer(name + "=" + value, StandardCharsets.UTF_8)));
    for (int i = 0; existing.get(i) != null; i++) {
      String name = existing.getString(i, StandardCharsets.UTF_8).split("=", 2)[0];
      if (!variables.containsKey(name)) {
        entries.add(existing.get(i));
      }
    }
    PointerPointer<BytePointer> pointers = new PointerPointer<>(entries.size() + 1L);
    for (int i = 0; i < entries.size(); i++) {
      pointers.put(i, entries.get(i));
    }
    pointers.put(entries.size(), null);
    KEPT.addAll(entries);
    KEPT.add(pointers);
    return pointers;
  }
}
