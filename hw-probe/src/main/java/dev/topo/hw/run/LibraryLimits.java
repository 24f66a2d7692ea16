package dev.topo.hw.run;

import dev.topo.hw.run.RunFailure.Reason;
import dev.topo.model.operation.Call.CollectiveCall.DataType;
import java.util.List;

/**
 * Restricts a request to what a version of NCCL and a GPU support. A function missing from the
 * library must not be called: the missing symbol ends the process.
 *
 * @param sm lowest compute capability of the GPUs, {@code 90}
 */
public record LibraryLimits(int ncclVersion, int sm) {
  /** First version with {@code ncclCommInitRankConfig}. */
  private static final int CONFIG = 21400;

  /** First version with {@code ncclCommSplit}, which also connects the processes. */
  private static final int SPLIT = 21800;

  /** First version with {@code ncclCommRegister}. */
  private static final int REGISTER = 21900;

  /** First version with {@code ncclGroupSimulateEnd}. */
  private static final int SIMULATE = 22200;

  /** First version with element types of 8 bits. */
  private static final int FLOAT8 = 22400;

  /** First version with {@code ncclCommWindowRegister}. */
  private static final int WINDOW = 22700;

  private static final int FLOAT8_SM = 90;

  /**
   * Request without unsupported element types.
   *
   * @throws RunFailure if another part is not supported, or no type remains; the message names the
   *     version that adds it
   */
  public RunRequest limit(RunRequest request, ProcessPlacement placement) {
    require(CONFIG, "communicators with a configuration");
    if (placement.size() > 1) {
      require(SPLIT, "several processes");
    }
    if (request.comparison().hasVariants()) {
      require(SPLIT, "the comparison of algorithms and protocols");
    }
    if (placement.split().isPresent()) {
      require(SPLIT, "--split");
    }
    if (request.use().registration() == Registration.LOCAL) {
      require(REGISTER, "-R 1 (registered buffers)");
    } else if (request.use().registration() == Registration.SYMMETRIC) {
      require(WINDOW, "-R 2 (symmetric buffers)");
    }
    if (request.reporting().estimates()) {
      require(SIMULATE, "--estimate");
    }
    RunCalls calls = request.calls();
    List<DataType> types = calls.types().stream().filter(this::supports).toList();
    if (types.isEmpty()) {
      throw new RunFailure(
          Reason.NATIVE,
          "%s needs NCCL 2.24 and GPUs of sm 90; here are NCCL %s and sm %s"
              .formatted(calls.types().get(0).label(), text(ncclVersion), sm));
    }
    return request.withCalls(
        new RunCalls(calls.collectives(), calls.sweep(), types, calls.operators(), calls.root()));
  }

  private boolean supports(DataType type) {
    return !type.isFloat8() || ncclVersion >= FLOAT8 && sm >= FLOAT8_SM;
  }

  private void require(int version, String what) {
    if (ncclVersion < version) {
      throw new RunFailure(
          Reason.NATIVE, what + " needs NCCL " + text(version) + "; this is " + text(ncclVersion));
    }
  }

  /** Formats a version number: {@code 2.28.9} for {@code 22809}. */
  public static String text(int version) {
    return version / 10_000 + "." + version / 100 % 100 + "." + version % 100;
  }
}
