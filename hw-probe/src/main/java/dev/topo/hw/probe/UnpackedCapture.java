package dev.topo.hw.probe;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TemporaryFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** Capture in a temporary folder; closing it deletes the folder. */
public record UnpackedCapture(Path folder) implements AutoCloseable {
  /**
   * Probe of the captured machine.
   *
   * @throws CaptureFormatException if the folder contains none
   */
  public MachineProbe probe(Inputs inputs) {
    return CaptureReader.probe(folder, inputs);
  }

  @Override
  public void close() {
    try {
      TemporaryFiles.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
