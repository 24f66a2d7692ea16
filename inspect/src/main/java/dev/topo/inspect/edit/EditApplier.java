package dev.topo.inspect.edit;

import dev.topo.model.io.Diagnostic.SourceLocation;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.Vocabulary;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlDocument.XmlElement;
import dev.topo.model.xml.XmlTreeNode;
import dev.topo.search.rules.ReleaseRules;
import dev.topo.search.topology.NvlinkDomain;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Applies edits to a machine, in order, and returns it as a new document; the given one does not
 * change. Removing a GPU also removes the NVLinks to it, because NCCL ignores a link to a missing
 * device but lint does not; references to changed bus ids are updated. Changed elements carry the
 * location of the edit, so that error messages point to it.
 *
 * @param reader reads the topology files that edits name
 * @param check validates a machine after all edits by reading it as the job does; throws {@link
 *     TopologyFormatException} if it cannot
 */
public record EditApplier(Function<Path, XmlDocument> reader, Consumer<XmlDocument> check) {
  /** The setting that makes NCCL use the file of another machine than the actual one. */
  public static final String TOPO_FILE = "NCCL_TOPO_FILE";

  /**
   * Returns a machine after some edits.
   *
   * @throws TopologyFormatException if an edit does not fit the machine, or makes the machine
   *     unreadable
   * @throws SettingException if an edit sets a variable that is not a setting of NCCL
   */
  public EditedMachine apply(EditedMachine before, List<Edit> edits) {
    EditedMachine after = applied(before, edits);
    try {
      check.accept(after.machine());
    } catch (TopologyFormatException e) {
      throw locatedAtEdit(before, edits, e);
    }
    return after;
  }

  /**
   * Returns the error with the location of the edit that introduced it: the first one after which
   * no state of the machine is valid. Earlier states may be invalid as well, as when two devices
   * swap places.
   */
  private TopologyFormatException locatedAtEdit(
      EditedMachine before, List<Edit> edits, TopologyFormatException wrong) {
    int at = edits.size() - 1;
    while (at >= 0 && !isReadable(applied(before, edits.subList(0, at)))) {
      at--;
    }
    return at < 0 ? wrong : wrong.madeAt(edits.get(at).location());
  }

  private boolean isReadable(EditedMachine machine) {
    try {
      check.accept(machine.machine());
      return true;
    } catch (TopologyFormatException e) {
      return false;
    }
  }

  private EditedMachine applied(EditedMachine before, List<Edit> edits) {
    XmlDocument machine = before.machine();
    Optional<XmlDocument> declared = before.declared();
    NcclSettings settings = before.settings();
    Optional<ReleaseRules> nccl = before.nccl();
    for (Edit edit : edits) {
      if (edit instanceof Edit.UseMachine use) {
        machine = reader.apply(Path.of(use.file()));
      } else if (edit instanceof Edit.UseNccl use) {
        nccl = Optional.of(use.rules());
      } else if (edit instanceof Edit.SetEnv env) {
        settings = settings.with(setting(env));
        if (env.name().equals(TOPO_FILE)) {
          declared = Optional.of(reader.apply(Path.of(env.value())));
        }
      } else {
        machine = edited(machine, edit);
      }
    }
    return new EditedMachine(machine, declared, settings, nccl);
  }

  private static NcclSettings setting(Edit.SetEnv env) {
    try {
      return NcclSettings.parse(List.of(env.name() + "=" + env.value()));
    } catch (SettingException e) {
      throw new SettingException(env.location() + ": " + e.getMessage(), e);
    }
  }

  private static XmlDocument edited(XmlDocument document, Edit edit) {
    List<XmlElement> hosts = NvlinkDomain.hosts(document.root());
    XmlElement after =
        hosts.size() == 1
            ? edited(document.root(), edit)
            : new HostEdits(hosts).apply(edit, EditApplier::edited);
    return new XmlDocument(document.before(), after, document.after());
  }

  private static XmlElement edited(XmlElement host, Edit edit) {
    XmlTreeNode system = XmlTreeNode.of(host);
    PartFinder finder = new PartFinder(system);
    if (edit instanceof Edit.Remove remove) {
      List<XmlTreeNode> parts = new ArrayList<>();
      remove.what().forEach(selector -> parts.addAll(finder.find(selector)));
      parts.forEach(part -> remove(system, part));
    } else if (edit instanceof Edit.Move move) {
      XmlTreeNode place = place(finder, move.to());
      for (Selector selector : move.what()) {
        finder.find(selector).forEach(part -> move(part, place, selector));
      }
    } else if (edit instanceof Edit.Add add) {
      new PartAdder(system).add(add);
    } else if (edit instanceof Edit.UseCpu use) {
      useCpu(finder, use);
    } else if (edit instanceof Edit.SetAttribute set) {
      setAttribute(system, finder, set);
    }
    return system.toElement();
  }

  private static void remove(XmlTreeNode system, XmlTreeNode part) {
    XmlTreeNode removed = part;
    if (part.is("net")) {
      XmlTreeNode card = part.parent().orElseThrow();
      if (card.children("net").size() == 1) {
        removed = TopologyElements.device(card);
      }
    } else if (!part.is("nvlink")) {
      removed = TopologyElements.device(part);
    }
    removed.detach();
    Set<String> busIds = new TreeSet<>();
    removed.all("pci").forEach(pci -> busIds.add(pci.value("busid")));
    linksTo(system, busIds).forEach(XmlTreeNode::detach);
  }

  /** NVLinks and PCI links whose target is one of some bus ids. */
  private static List<XmlTreeNode> linksTo(XmlTreeNode system, Set<String> busIds) {
    List<XmlTreeNode> links = new ArrayList<>();
    system.walk(
        part -> {
          boolean isLink = part.is("nvlink") || part.is("pcilink");
          String target = part.value("target");
          if (isLink && busIds.stream().anyMatch(target::equalsIgnoreCase)) {
            links.add(part);
          }
        });
    return links;
  }

  /** Finds the switch or CPU that a selector names. */
  static XmlTreeNode place(PartFinder finder, Selector selector) {
    XmlTreeNode place = finder.findOne(selector);
    if (!place.is("cpu") && !TopologyElements.isSwitch(place)) {
      throw selector.error(": expected a switch or a CPU");
    }
    return place;
  }

  private static void move(XmlTreeNode part, XmlTreeNode place, Selector selector) {
    XmlTreeNode device = TopologyElements.device(part);
    if (part.is("net") && part.parent().map(card -> card.children("net").size()).orElse(0) > 1) {
      throw selector.error(" is one of several ports of a card, expected nic:" + selector.value());
    }
    if (!device.is("pci")) {
      throw selector.error(" is no PCI device, expected one that can be moved");
    }
    if (place.isWithin(device)) {
      throw selector.error(" holds the place to which it should go");
    }
    device.detach();
    place.append(device);
  }

  private static void useCpu(PartFinder finder, Edit.UseCpu use) {
    if (use.what().kind() != Selector.Kind.CPU) {
      throw use.what().error(" is no CPU, expected one as in cpu:0");
    }
    for (XmlTreeNode cpu : finder.find(use.what())) {
      List.of("vendor", "familyid", "modelid").forEach(cpu::remove);
      use.preset().attributes().forEach((name, value) -> cpu.set(name, value, use.location()));
    }
  }

  private static void setAttribute(XmlTreeNode system, PartFinder finder, Edit.SetAttribute edit) {
    for (XmlTreeNode part : finder.find(edit.what())) {
      List<XmlTreeNode> candidates = new ArrayList<>(List.of(part));
      candidates.addAll(part.children("net"));
      if (part.is("gpu") || part.is("net") || part.is("nic")) {
        candidates.add(TopologyElements.device(part));
      }
      for (XmlTreeNode owner : owners(candidates, edit.attribute(), edit.location())) {
        if (owner.is("pci") && edit.attribute().equals("busid")) {
          String old = owner.value("busid");
          linksTo(system, Set.of(old))
              .forEach(link -> link.set("target", edit.value(), edit.location()));
        }
        owner.set(edit.attribute(), edit.value(), edit.location());
      }
    }
  }

  /**
   * Returns the candidates for which NCCL reads an attribute; at least one.
   *
   * @throws TopologyFormatException if NCCL reads the attribute at none of them
   */
  static List<XmlTreeNode> owners(
      List<XmlTreeNode> candidates, String attribute, SourceLocation location) {
    List<XmlTreeNode> owners =
        candidates.stream()
            .filter(owner -> Vocabulary.TOPOLOGY.isAttribute(owner.name(), attribute))
            .toList();
    if (owners.isEmpty()) {
      Set<String> known = new TreeSet<>();
      candidates.forEach(owner -> known.addAll(Vocabulary.TOPOLOGY.attributesOf(owner.name())));
      throw new TopologyFormatException(
          location, "attribute " + attribute + ": NCCL reads " + String.join(", ", known));
    }
    return owners;
  }
}
