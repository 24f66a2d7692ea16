package dev.topo.inspect.agreement;

/**
 * A difference between the run that an input comes from and what it is compared with: the likeliest
 * cause of all others.
 *
 * @param id a name that stays the same, because scripts depend on it: {@code nccl-version}
 * @param subject the file
 * @param message what differs
 * @param remedy what to do
 */
public record RunMismatch(String id, String subject, String message, String remedy) {
  /** In one line: {@code nccl-version: FILE: message; remedy}. */
  @Override
  public String toString() {
    return id + ": " + subject + ": " + message + "; " + remedy;
  }
}
