package dev.topo;

import dev.topo.model.operation.Call;
import dev.topo.simulator.variant.JobChange;
import java.util.List;

/**
 * A job before and after a change. Both answer every question; this has what differs.
 *
 * @param before the job as it is
 * @param after the job with the change
 */
public record Comparison(Topo before, Topo after) {
  /**
   * By how much the busbw of a call changes, as a part of what it was: -0.05 is 5 % less.
   *
   * @throws dev.topo.model.job.SettingException as {@link Topo#predict}
   * @throws dev.topo.model.job.UnusableTopologyException as {@link Topo#connect}
   */
  public double busbwChange(Call call) {
    return after.predict(call).busbwGBps() / before.predict(call).busbwGBps() - 1;
  }

  /**
   * The differences: the graphs and their channels, what NCCL runs for some calls, and their busbw.
   * A job on which NCCL fails afterwards is a {@link JobChange#failure}.
   *
   * @param calls calls in ascending sizes of each operation
   * @throws dev.topo.model.job.SettingException if a release has no rules for sends and receives
   */
  public JobChange changes(List<Call> calls) {
    return before.changes(after, calls);
  }
}
