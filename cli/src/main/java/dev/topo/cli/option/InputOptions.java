package dev.topo.cli.option;

import dev.topo.cli.terminal.CommandContext;
import dev.topo.cli.terminal.Streams;
import dev.topo.hw.foreign.Assumption;
import dev.topo.hw.foreign.CompletedMachine;
import dev.topo.hw.foreign.MachineCompleter;
import dev.topo.model.io.Diagnostic;
import dev.topo.model.io.Diagnostic.Severity;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.Machine.GpuSelection;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.search.topology.TopologySource.UnknownElements;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that control how topology files are read. */
public final class InputOptions {
  @Option(
      names = "--gpus",
      paramLabel = "DEV",
      split = ",",
      converter = DeviceNumbers.class,
      description = "Run the job on these GPUs only, by device number: 0,1,4,5 or 0-3,6.")
  private List<Integer> gpus = new ArrayList<>();

  @Mixin private DiagnosticOptions diagnosticOptions = new DiagnosticOptions();

  @Option(
      names = "--ignore-unknown-elements",
      description =
          "Ignore elements that NCCL does not know, as NCCL does, instead of rejecting them.")
  private boolean ignoreUnknownElements;

  @Mixin private AssumptionOptions assumptionOptions = new AssumptionOptions();

  private @Nullable InputMachines machines;

  /** True if notes are shown as well. */
  public boolean isVerbose() {
    return diagnosticOptions.isVerbose();
  }

  /** True if the user selects GPUs. */
  public boolean hasSelection() {
    return !gpus.isEmpty();
  }

  /** The selected GPUs; all if the user selects none. */
  public GpuSelection selection() {
    return gpus.isEmpty() ? GpuSelection.ALL : GpuSelection.of(Set.copyOf(gpus));
  }

  /** The machines of the command's files; always the same object. */
  public InputMachines machines(CommandContext context) {
    if (machines == null) {
      machines =
          new InputMachines(
              selection(),
              ignoreUnknownElements ? UnknownElements.IGNORED : UnknownElements.REJECTED,
              assumptionOptions,
              diagnosticOptions,
              context);
    }
    return machines;
  }

  /**
   * Parses a device number or a range of them: {@code 3} or {@code 0-3}. picocli adds all elements
   * of the returned list to the list of the option.
   */
  static final class DeviceNumbers implements ITypeConverter<List<Integer>> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,4})(?:-(\\d{1,4}))?");

    @Override
    public List<Integer> convert(String text) {
      Matcher matcher = FORM.matcher(text.strip());
      if (!matcher.matches()) {
        throw new TypeConversionException(
            "'" + text + "': expected a device number or a range of them, as in 0-3,6");
      }
      int first = Integer.parseInt(matcher.group(1));
      int last = matcher.group(2) == null ? first : Integer.parseInt(matcher.group(2));
      if (last < first) {
        throw new TypeConversionException("'" + text + "': expected the smaller number first");
      }
      return IntStream.rangeClosed(first, last).boxed().toList();
    }
  }

  /** The options that select which diagnostics are printed, and whether warnings are errors. */
  public static final class DiagnosticOptions {
    @Option(names = "--strict", description = "Warnings about the input are errors.")
    private boolean strict;

    @Option(
        names = {"-v", "--verbose"},
        description = "Show details, and notes about the input.")
    private boolean verbose;

    private final Set<Diagnostic> shown = new HashSet<>();

    /** True if notes are shown as well. */
    public boolean isVerbose() {
      return verbose;
    }

    /**
     * Prints a diagnostic about an input on stderr, once.
     *
     * @throws TopologyFormatException if it is a warning and {@code --strict} is given
     */
    public void show(Diagnostic diagnostic, Streams streams) {
      boolean warning = diagnostic.severity() == Severity.WARNING;
      if (warning && strict) {
        throw new TopologyFormatException(
            diagnostic.location(), diagnostic.message() + " (--strict)");
      }
      if ((warning || verbose) && shown.add(diagnostic)) {
        streams.message((warning ? "warning: " : "note: ") + diagnostic);
      }
    }
  }

  /** Option for assumed devices that a topology file does not contain. */
  public static final class AssumptionOptions {
    @Option(
        names = "--assume",
        paramLabel = "DEVICES",
        description =
            "Complete a file that contains only the PCI tree, as cloud providers ship it: gpu=h100,nvlink=nvswitch,net=400000"
                + " (topo help assume).")
    private @Nullable String text;

    private final Map<Path, String> assumed = new HashMap<>();
    private final List<String> unreported = new ArrayList<>();

    /** The completer that the user requests, if any. */
    public Optional<MachineCompleter> completer() {
      if (text == null) {
        return Optional.empty();
      }
      try {
        return Optional.of(new MachineCompleter(Assumption.parse(text)));
      } catch (SettingException e) {
        throw new SettingException("--assume " + e.getMessage(), e);
      }
    }

    /** True if the assumptions add no NVLinks to those of the file. */
    boolean statesNoNvlink() {
      return completer().map(MachineCompleter::addsNoNvlink).orElse(false);
    }

    /** Adds the assumed devices to a document; returns it unchanged if nothing is assumed. */
    public XmlDocument complete(Path file, XmlDocument document) {
      Optional<MachineCompleter> completer = completer();
      if (completer.isEmpty()) {
        return document;
      }
      CompletedMachine completion = completer.get().complete(document);
      assumed.put(file, completion.assumed());
      unreported.add(summary(file.toString(), completion));
      return completion.document();
    }

    /** The assumptions about a file as a line of text. */
    public static String summary(String file, CompletedMachine completed) {
      return completed.assumed().isEmpty()
          ? file + ": is complete, nothing was assumed"
          : file + ": assumed " + completed.assumed();
    }

    /** The assumptions about a completed file, as text; empty if there are none. */
    String assumed(Path file) {
      return assumed.getOrDefault(file, "");
    }

    /** Reports on stderr, once for each file, what was assumed. */
    public void report(Streams streams) {
      unreported.forEach(streams::message);
      unreported.clear();
    }
  }
}
