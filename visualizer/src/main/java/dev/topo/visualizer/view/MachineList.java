package dev.topo.visualizer.view;

import dev.topo.model.io.TextTable;
import dev.topo.model.io.TextWriter;
import dev.topo.model.xml.NamedMachine;
import java.util.List;

/** The machines and instance types that have a name. */
public final class MachineList {
  private static final Columns<NamedMachine> MACHINES =
      Columns.of(NamedMachine.class)
          .column("machine", "name", NamedMachine::name)
          .column("", NamedMachine::description)
          .fields(
              fields ->
                  fields
                      .field("otherNames", machine -> others(machine))
                      .components("gpus")
                      .field("file", machine -> machine.shipped() + ".xml")
                      .components("domainHosts", "description")
                      .text("source", NamedMachine::source)
                      .column("other_names", machine -> String.join(" ", others(machine))))
          .header("name,other_names,gpus,file,domain_hosts,description,source");

  private MachineList() {}

  private static List<String> others(NamedMachine machine) {
    return machine.names().subList(1, machine.names().size());
  }

  /** Returns the list as JSON. */
  public static Answer json() {
    return Json.document("machines", "machines", MACHINES.fields(), NamedMachine.all());
  }

  /** Returns the list as CSV. */
  public static Answer csv() {
    return MACHINES.csv(NamedMachine.all().stream());
  }

  /** Returns the list as a table. */
  public static Answer text() {
    List<NamedMachine> all = NamedMachine.all();
    TextWriter out = new TextWriter().table(MACHINES.shown(TextTable.atMargin(), all));
    out.line("\na name stands wherever a FILE does; a file of that name takes precedence");
    return Answer.of(out).saying(all.size() + " machines and instance types have a name");
  }
}
