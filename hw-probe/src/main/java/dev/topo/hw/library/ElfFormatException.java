package dev.topo.hw.library;

/** A file is not an ELF file, or is damaged. The message is one line and names the file. */
public final class ElfFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ElfFormatException(String message) {
    super(message);
  }
}
