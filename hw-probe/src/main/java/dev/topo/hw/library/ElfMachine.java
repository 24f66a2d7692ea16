package dev.topo.hw.library;

/**
 * Processor architecture of an ELF file.
 *
 * @param littleEndian whether the lowest byte of a number comes first
 */
public record ElfMachine(int bits, boolean littleEndian, int number) {
  /** {@code EM_X86_64}. */
  public static final ElfMachine X86_64 = new ElfMachine(64, true, 62);

  /** {@code EM_AARCH64}. */
  public static final ElfMachine AARCH64 = new ElfMachine(64, true, 183);

  /** Architecture for a JVM's {@code os.arch}; x86-64 if unknown. */
  public static ElfMachine ofArchitecture(String osArch) {
    return osArch.equals("aarch64") ? AARCH64 : X86_64;
  }

  /** True if {@link ElfReader} reads more of such a file than its architecture. */
  boolean isReadable() {
    return bits == 64 && littleEndian;
  }

  @Override
  public String toString() {
    if (equals(X86_64)) {
      return "x86-64";
    }
    return equals(AARCH64) ? "AArch64" : bits + "-bit, machine " + number;
  }
}
