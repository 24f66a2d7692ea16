package dev.topo;

import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.JobChange;
import java.util.List;

/**
 * A job before and after a change. Both answer every question; a comparison has the differences.
 *
 * @param before the job without the change
 * @param after the job with the change
 */
public record Comparison(Topo before, Topo after) {
  /**
   * Relative change of the busbw of a call: -0.05 is 5 % less.
   *
   * @throws dev.topo.model.job.SettingException as {@link Topo#predict}
   * @throws dev.topo.model.job.UnusableTopologyException as {@link Topo#connect}
   */
  public double busbwChange(Call call) {
    return after.predict(call).busbwGBps() / before.predict(call).busbwGBps() - 1;
  }

  /**
   * The differences of the graphs and their channels, of NCCL's choices for calls, and of their
   * busbw. If NCCL fails after the change, the result has a {@link JobChange#failure}.
   *
   * @param calls the calls to compare, for each operation in ascending order of sizes
   * @throws dev.topo.model.job.SettingException if a release has no rules for sends and receives
   */
  public JobChange changes(List<Call> calls) {
    return before.changes(after, calls);
  }
}
