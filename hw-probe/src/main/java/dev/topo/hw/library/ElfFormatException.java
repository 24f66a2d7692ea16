package dev.topo.hw.library;

/** A file that is no ELF file or a damaged one. The message is one line and names the file. */
public final class ElfFormatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ElfFormatException(String message) {
    super(message);
  }
}
