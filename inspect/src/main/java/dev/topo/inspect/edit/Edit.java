package dev.topo.inspect.edit;

import dev.topo.model.CpuPreset;
import dev.topo.model.QuantityFormat;
import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.search.rules.ReleaseRules;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Single change of a machine or of the settings. {@link EditParser} reads {@link #text}. */
public sealed interface Edit {
  /** Location of the edit in its source. */
  SourceLocation location();

  String text();

  /** Edit of existing parts, which may be on several hosts of an NVLink domain. */
  sealed interface OfParts extends Edit {
    /** Selectors of the parts. */
    List<Selector> parts();

    /**
     * This edit on one host.
     *
     * @param some selectors of its parts there
     * @param onHost converts a selector of another part to one on this host
     */
    OfParts onHost(List<Selector> some, UnaryOperator<Selector> onHost);
  }

  /** Removes parts, with everything below them and the NVLinks to them. */
  record Remove(List<Selector> what, SourceLocation location) implements OfParts {
    public Remove {
      what = List.copyOf(what);
    }

    @Override
    public List<Selector> parts() {
      return what;
    }

    @Override
    public Remove onHost(List<Selector> some, UnaryOperator<Selector> onHost) {
      return new Remove(some, location);
    }

    @Override
    public String text() {
      return "remove " + joined(what);
    }
  }

  /** Moves PCI devices below another switch or CPU, with everything below them. */
  record Move(List<Selector> what, Selector to, SourceLocation location) implements OfParts {
    public Move {
      what = List.copyOf(what);
    }

    @Override
    public List<Selector> parts() {
      return what;
    }

    @Override
    public Move onHost(List<Selector> some, UnaryOperator<Selector> onHost) {
      return new Move(some, onHost.apply(to), location);
    }

    @Override
    public String text() {
      return "move " + joined(what) + " to " + to;
    }
  }

  /**
   * Adds a part.
   *
   * @param what kind and name
   * @param to switch or CPU below which it is added; empty for NVLinks
   * @param like part that supplies the attributes not stated
   * @param attributes stated attributes
   */
  record Add(
      Selector what,
      Optional<Selector> to,
      Optional<Selector> like,
      Map<String, String> attributes,
      SourceLocation location)
      implements Edit {
    public Add {
      attributes = Collections.unmodifiableMap(new LinkedHashMap<>(attributes));
    }

    @Override
    public String text() {
      StringBuilder text = new StringBuilder("add ").append(what);
      to.ifPresent(place -> text.append(" to ").append(place));
      like.ifPresent(pattern -> text.append(" like ").append(pattern));
      attributes.forEach(
          (name, value) -> text.append(' ').append(name).append('=').append(quoted(value)));
      return text.toString();
    }
  }

  /** Sets an attribute of parts; its name is that of the topology file. */
  record SetAttribute(Selector what, String attribute, String value, SourceLocation location)
      implements OfParts {
    @Override
    public List<Selector> parts() {
      return List.of(what);
    }

    @Override
    public SetAttribute onHost(List<Selector> some, UnaryOperator<Selector> onHost) {
      return new SetAttribute(some.get(0), attribute, value, location);
    }

    @Override
    public String text() {
      return what + "." + attribute + "=" + value;
    }
  }

  /** Changes CPUs to another generation. */
  record UseCpu(Selector what, CpuPreset preset, SourceLocation location) implements OfParts {
    @Override
    public List<Selector> parts() {
      return List.of(what);
    }

    @Override
    public UseCpu onHost(List<Selector> some, UnaryOperator<Selector> onHost) {
      return new UseCpu(some.get(0), preset, location);
    }

    @Override
    public String text() {
      return what + " as " + preset.word();
    }
  }

  /**
   * Sets an NCCL setting. {@code NCCL_TOPO_FILE} declares another machine to NCCL than the actual
   * one.
   */
  record SetEnv(String name, String value, SourceLocation location) implements Edit {
    @Override
    public String text() {
      return "env " + name + "=" + quoted(value);
    }
  }

  /** Switches to another release of NCCL. */
  record UseNccl(ReleaseRules rules, SourceLocation location) implements Edit {
    @Override
    public String text() {
      return "nccl " + rules.release();
    }
  }

  /** Replaces the machine by that of a topology file. */
  record UseMachine(String file, SourceLocation location) implements Edit {
    @Override
    public String text() {
      return "machine " + quoted(file);
    }
  }

  private static String joined(List<Selector> selectors) {
    return QuantityFormat.joined(" ", selectors, Selector::toString);
  }

  private static String quoted(String value) {
    return value.isEmpty() || value.contains(" ") || value.contains(";") || value.contains("#")
        ? "\"" + value + "\""
        : value;
  }
}
