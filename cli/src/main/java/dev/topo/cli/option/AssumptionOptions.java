package dev.topo.cli.option;

import dev.topo.cli.terminal.Streams;
import dev.topo.hw.foreign.Assumption;
import dev.topo.hw.foreign.CompletedMachine;
import dev.topo.hw.foreign.MachineCompleter;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for the devices of a machine that its file does not contain. */
public final class AssumptionOptions {
  @Option(
      names = "--assume",
      paramLabel = "DEVICES",
      description =
          "Complete a file that contains only the PCI tree, as cloud providers ship it: gpu=h100,nvlink=nvswitch,net=400000"
              + " (topo help assume).")
  private @Nullable String text;

  private final Map<Path, String> assumed = new HashMap<>();
  private final List<String> unreported = new ArrayList<>();

  /** The requested completer. */
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

  /** Whether NVLinks are assumed to be those of the file. */
  boolean statesNoNvlink() {
    return completer().map(MachineCompleter::addsNoNvlink).orElse(false);
  }

  /** A file with the devices that are assumed; as it is where none are. */
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

  /** What was assumed, as text. */
  public static String summary(String file, CompletedMachine completed) {
    return completed.assumed().isEmpty()
        ? file + ": is complete, nothing was assumed"
        : file + ": assumed " + completed.assumed();
  }

  /** What was assumed of a file that was completed; empty if nothing. */
  String assumed(Path file) {
    return assumed.getOrDefault(file, "");
  }

  /** Reports on stderr what was assumed, once. */
  public void report(Streams streams) {
    unreported.forEach(streams::message);
    unreported.clear();
  }
}
