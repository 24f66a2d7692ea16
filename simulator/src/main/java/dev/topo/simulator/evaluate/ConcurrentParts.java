package dev.topo.simulator.evaluate;

import dev.topo.model.io.SpecField;
import dev.topo.model.job.SpecException;
import dev.topo.search.connect.Connection;
import dev.topo.search.rules.NcclProfile;
import dev.topo.simulator.network.ConcurrentGroups;
import dev.topo.simulator.network.ConcurrentGroups.Group;
import java.util.ArrayList;
import java.util.List;

/** The communicators of a split whose calls run at the same time. */
public final class ConcurrentParts {
  private ConcurrentParts() {}

  /**
   * The groups of a job's parts, in their order.
   *
   * @throws SpecException if the nodes of a part are not its machines, as in an NVLink domain
   */
  public static ConcurrentGroups of(
      List<JobPart> parts, JobEvaluator evaluator, NcclProfile profile) {
    List<Group> groups = new ArrayList<>();
    for (JobPart part : parts) {
      Connection connection = evaluator.connect(part.job(), profile);
      if (connection.nNodes() != part.job().machines().size()) {
        throw new SpecException(
            SpecField.GROUPS_AT_ONCE,
            " split: %s is %d nodes, expected one for each machine",
            part.title(),
            connection.nNodes());
      }
      groups.add(new Group(connection, part.places()));
    }
    return new ConcurrentGroups(groups, 0);
  }
}
