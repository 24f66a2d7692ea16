package dev.topo.inspect.edit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.topo.model.io.Inputs;
import dev.topo.model.io.TopologyFormatException;
import dev.topo.model.job.NcclSettings;
import dev.topo.model.job.SettingException;
import dev.topo.model.xml.XmlDocument;
import dev.topo.model.xml.XmlReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NicPlacementsTest {
  private static final int STEPS_PER_PLACEMENT = 12;

  private static final int MANY = 100_000;
  private static final String NVSWITCH =
      "<nvlink target=\"ffffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/>";

  /** CPUs with switches, each with a GPU, and cards of one kind at the first of them. */
  private static XmlDocument machine(int cpus, int switches, int cards, String nvlink) {
    StringBuilder xml = new StringBuilder("<system version=\"1\">");
    int bus = 0x10;
    int dev = 0;
    int card = 0;
    for (int cpu = 0; cpu < cpus; cpu++) {
      xml.append("<cpu numaid=\"" + cpu + "\" affinity=\"" + cpu + "\" arch=\"arm64\">");
      for (int s = 0; s < switches; s++) {
        xml.append(pci(bus++, "0x060400"));
        xml.append(pci(bus++, "0x030200"));
        xml.append("<gpu dev=\"" + dev + "\" sm=\"90\" rank=\"" + dev + "\">");
        xml.append(nvlink).append("</gpu></pci>");
        dev++;
        if (card < cards) {
          xml.append(pci(bus++, "0x020700"));
          xml.append(
              "<nic><net name=\"mlx5_" + card + "\" dev=\"" + card + "\" speed=\"400000\"/>");
          xml.append("</nic></pci>");
          card++;
        }
        xml.append("</pci>");
      }
      xml.append("</cpu>");
    }
    return read(xml.append("</system>").toString());
  }

  private static String pci(int bus, String pciClass) {
    return String.format(
        "<pci busid=\"0000:%02x:00.0\" class=\"%s\" link_speed=\"\" link_width=\"16\">",
        bus, pciClass);
  }

  private static XmlDocument read(String xml) {
    return new XmlReader().read(xml.getBytes(StandardCharsets.UTF_8), "machine.xml");
  }

  private static List<NicPlacement> placements(XmlDocument machine) {
    return new NicPlacements(machine, OptionalInt.empty()).nearest(MANY).placements();
  }

  private static long total(List<NicPlacement> placements) {
    return placements.stream().mapToLong(NicPlacement::equalPlacements).sum();
  }

  /**
   * Coefficient of x^8 in (1 + x + x²)^8: eight equal cards, at most two at each of eight places.
   */
  @Test
  void eightCardsOnEightSwitchesAre1107WaysAnd16Classes() {
    List<NicPlacement> placements = placements(machine(2, 4, 8, NVSWITCH));
    assertEquals(16, placements.size());
    assertEquals(1107, total(placements));
    assertTrue(placements.get(0).isPresent());
    assertEquals(1, placements.stream().filter(NicPlacement::isPresent).count());
  }

  @Test
  void classesAreThoseOfBruteForce() {
    for (int cards = 1; cards <= 4; cards++) {
      List<NicPlacement> placements = placements(machine(2, 2, cards, NVSWITCH));
      Set<String> classes = new HashSet<>();
      long ways = 0;
      for (int code = 0; code < 81; code++) {
        int[] load = {code % 3, code / 3 % 3, code / 9 % 3, code / 27};
        if (load[0] + load[1] + load[2] + load[3] == cards) {
          ways++;
          String left = Math.min(load[0], load[1]) + "," + Math.max(load[0], load[1]);
          String right = Math.min(load[2], load[3]) + "," + Math.max(load[2], load[3]);
          classes.add(left.compareTo(right) < 0 ? left + right : right + left);
        }
      }
      assertEquals(classes.size(), placements.size(), cards + " cards");
      assertEquals(ways, total(placements), cards + " cards");
    }
  }

  @Test
  void movesLeadToThePlacement() {
    XmlDocument machine = machine(2, 2, 4, NVSWITCH);
    for (NicPlacement placement : placements(machine)) {
      EditedMachine edited =
          new EditApplier(file -> machine, any -> {})
              .apply(EditedMachine.of(machine, NcclSettings.DEFAULTS), placement.moves());
      List<NicPlacement> after = placements(edited.machine());
      TreeMap<String, Integer> wanted = new TreeMap<>();
      placement.loads().forEach(load -> wanted.put(load.place(), load.cards()));
      TreeMap<String, Integer> found = new TreeMap<>();
      after.get(0).loads().forEach(load -> found.put(load.place(), load.cards()));
      assertEquals(wanted, found);
    }
  }

  @Test
  void cardsThatDifferAreToldApart() {
    XmlDocument machine = machine(1, 2, 2, NVSWITCH);
    XmlDocument mixed = edited(machine, "net:mlx5_1.speed=100000");
    assertEquals(2, placements(machine).size());
    assertEquals(2, placements(mixed).size());
    assertEquals(3, total(placements(machine)));
    assertEquals(4, total(placements(mixed)));
  }

  @Test
  void nvlinksBetweenGpusBreakTheSymmetry() {
    String toPeer = "<nvlink target=\"0000:10:00.0\" count=\"1\" tclass=\"0x030200\"/>";
    assertEquals(4, placements(machine(2, 2, 1, toPeer)).size());
    assertEquals(1, placements(machine(2, 2, 1, NVSWITCH)).size());
  }

  @Test
  void limitsAreNamed() {
    assertThrows(TopologyFormatException.class, () -> placements(machine(1, 1, 0, NVSWITCH)));
    XmlDocument machine = machine(1, 2, 2, NVSWITCH);
    assertEquals(1, new NicPlacements(machine, OptionalInt.of(1)).nearest(MANY).different());
    XmlDocument four = machine(1, 4, 4, NVSWITCH);
    XmlDocument crowded =
        edited(four, "remove switch:0000:10:00.0; add net:x to switch:0000:13:00.0");
    assertThrows(
        SettingException.class, () -> new NicPlacements(crowded, OptionalInt.of(1)).nearest(MANY));
  }

  private static String loads(NicPlacement placement) {
    return placement.loads().toString();
  }

  private static List<Integer> moved(List<NicPlacement> placements) {
    return placements.stream().map(NicPlacement::movedCards).toList();
  }

  @Test
  void theFirstAreThoseThatMoveTheFewestCards() {
    XmlDocument machine = machine(2, 4, 8, NVSWITCH);
    List<NicPlacement> all = placements(machine);
    assertEquals(moved(all).stream().sorted().toList(), moved(all));
    PlacementSelection first = new NicPlacements(machine, OptionalInt.empty()).nearest(3);
    assertEquals(all.subList(0, 3), first.placements());
    assertEquals(16, first.different());
    assertEquals(1107, first.total());
    assertFalse(first.isAll());
    assertTrue(new NicPlacements(machine, OptionalInt.empty()).nearest(16).isAll());
  }

  /** Of equal placements the one that leaves most cards where they are is told. */
  @Test
  void noCardIsMovedThatCouldStay() {
    // Two cards at the last switches of a CPU: its first switches are equal to them.
    XmlDocument full = machine(1, 4, 4, NVSWITCH);
    XmlDocument last = edited(full, "remove net:mlx5_0 net:mlx5_1");
    List<NicPlacement> placements = placements(last);
    assertEquals(List.of(0, 1), moved(placements));
    assertEquals(
        List.of(List.of(), List.of(), List.of("mlx5_2", "mlx5_3"), List.of()),
        placements.get(1).loads().stream().map(NicPlacement.Load::nics).toList());
  }

  /** A machine with too many placements to count is searched move by move, with the same result. */
  @Test
  void placementsThatAreNotCountedAreTheSame() {
    XmlDocument uniform = machine(2, 3, 4, NVSWITCH);
    XmlDocument mixed = edited(uniform, "net:mlx5_1.speed=100000");
    for (XmlDocument machine : List.of(uniform, mixed)) {
      List<NicPlacement> counted = placements(machine);
      assertWalkFindsTheSame(machine, OptionalInt.empty());
    }
  }

  /** Two cards at full places that change places are two moved cards. */
  @Test
  void exchangesAtFullPlacesComeByTheirMovedCards() {
    XmlDocument four = mixed(machine(1, 4, 4, NVSWITCH), 2);
    assertWalkFindsTheSame(four, OptionalInt.of(1));
    XmlDocument six = mixed(machine(2, 3, 6, NVSWITCH), 2);
    assertWalkFindsTheSame(six, OptionalInt.of(1));
    assertWalkFindsTheSame(six, OptionalInt.of(2));
    String toPeer = "<nvlink target=\"0000:10:00.0\" count=\"1\" tclass=\"0x030200\"/>";
    assertWalkFindsTheSame(mixed(machine(1, 4, 4, toPeer), 3), OptionalInt.of(2));
  }

  /** The moved cards count from the machine as it is, which is none of the placements. */
  @Test
  void placementsOfACrowdedMachineComeByTheirMovedCards() {
    String toPeer = "<nvlink target=\"0000:10:00.0\" count=\"1\" tclass=\"0x030200\"/>";
    for (String nvlink : List.of(NVSWITCH, toPeer)) {
      for (int kinds = 1; kinds <= 3; kinds++) {
        XmlDocument crowded =
            edited(
                mixed(machine(1, 5, 5, nvlink), kinds),
                "move nic:mlx5_0 nic:mlx5_1 to switch:0000:16:00.0; "
                    + "move nic:mlx5_3 to switch:0000:1c:00.0");
        assertWalkFindsTheSame(crowded, OptionalInt.of(1));
        assertWalkFindsTheSame(crowded, OptionalInt.of(2));
      }
    }
  }

  /** Cards of some kinds in turn. */
  private static XmlDocument mixed(XmlDocument machine, int kinds) {
    StringBuilder edits = new StringBuilder();
    for (int card = 0; card < machineCards(machine); card++) {
      edits.append("net:mlx5_" + card + ".speed=" + (100_000 * (1 + card % kinds)) + "\n");
    }
    return edited(machine, edits.toString());
  }

  private static int machineCards(XmlDocument machine) {
    return new NicPlacements(machine, OptionalInt.empty()).nCards();
  }

  private static XmlDocument edited(XmlDocument machine, String edits) {
    return new EditApplier(file -> machine, any -> {})
        .apply(EditedMachine.of(machine, NcclSettings.DEFAULTS), EditParser.parse(edits, "edits"))
        .machine();
  }

  private static NicPlacements uncounted(XmlDocument machine, OptionalInt perPlace) {
    return new NicPlacements(machine, perPlace, 0, MANY);
  }

  private static void assertWalkFindsTheSame(XmlDocument machine, OptionalInt perPlace) {
    PlacementSelection all = new NicPlacements(machine, perPlace).nearest(MANY);
    assertTrue(all.isAll());
    List<NicPlacement> counted = all.placements();
    PlacementSelection walked = uncounted(machine, perPlace).nearest(MANY);
    assertTrue(walked.isAll(), "a walk to its end counts");
    assertEquals(all.different(), walked.different());
    assertEquals(all.total(), walked.total());
    assertEquals(moved(counted), moved(walked.placements()));
    int step = 1 + counted.size() / 20;
    for (int limit = 1; limit < counted.size(); limit += step) {
      PlacementSelection first = uncounted(machine, perPlace).nearest(limit);
      assertFalse(first.isCounted());
      assertEquals(limit, first.different());
      assertEquals(moved(counted).subList(0, limit), moved(first.placements()), "first " + limit);
    }
  }

  @Test
  void moreThanAreCountedIsSaidOnlyWhereThereAre() {
    XmlDocument machine = machine(2, 4, 8, NVSWITCH);
    PlacementSelection over = new NicPlacements(machine, OptionalInt.empty(), 15, MANY).nearest(3);
    assertFalse(over.isCounted());
    assertEquals(15, over.different());
    assertTrue(new NicPlacements(machine, OptionalInt.empty(), 16, MANY).nearest(3).isCounted());
    PlacementSelection tooMuchWork =
        new NicPlacements(machine, OptionalInt.empty(), MANY, 5).nearest(3);
    assertFalse(tooMuchWork.isCounted());
    assertEquals(3, tooMuchWork.different());
    assertEquals(List.of(0, 1, 1), moved(tooMuchWork.placements()));
  }

  /** Parts of a machine have far more ways than the whole where that has no place to spare. */
  @Test
  void placementsOfAMachineWithoutRoomAreCounted() {
    Path file = Path.of(System.getProperty("topo.root")).resolve("topologies/hgx-h100-32nic.xml");
    Map<Integer, Integer> different = new TreeMap<>(Map.of(4, 11, 6, 28, 8, 59, 16, 199));
    different.forEach(
        (slow, wanted) -> {
          StringBuilder edits = new StringBuilder();
          for (int card = 0; card < slow; card++) {
            edits.append("net:mlx5_" + card + ".speed=50000\n");
          }
          XmlDocument machine = edited(new XmlReader().read(file, new Inputs()), edits.toString());
          assertEquals(wanted, placements(machine).size(), slow + " slow cards");
        });
    // Every place is full: nothing can move, but cards can change places.
    XmlDocument six =
        edited(new XmlReader().read(file, new Inputs()), "net:mlx5_0.speed=1\nnet:mlx5_9.speed=1");
    assertWalkFindsTheSame(six, OptionalInt.empty());
  }

  /** Four fast cards and four slow ones at the switches of a DGX-2. */
  private static XmlDocument twoKindsAtManyPlaces() {
    Path file = Path.of(System.getProperty("topo.root")).resolve("topologies/dgx-2.xml");
    return edited(
        new XmlReader().read(file, new Inputs()),
        "net:0.speed=50000\nnet:1.speed=50000\nnet:2.speed=50000\nnet:3.speed=50000");
  }

  @Test
  void twoKindsAtManyPlacesAreCountedAsFarAsAll() {
    XmlDocument machine = twoKindsAtManyPlaces();
    PlacementSelection selection = new NicPlacements(machine, OptionalInt.empty()).nearest(5);
    assertEquals(20_000, selection.different());
    assertEquals(List.of(0, 1, 1, 1, 1), moved(selection.placements()));
  }

  /** Of all equal slots a step looks at one only: a few steps find another placement. */
  @Test
  void theStepsGrowWithThePlacementsThatAreFound() {
    XmlDocument machine = twoKindsAtManyPlaces();
    for (int counted : new int[] {1_000, 2_000}) {
      PlacementSelection within =
          new NicPlacements(machine, OptionalInt.empty(), counted, STEPS_PER_PLACEMENT * counted)
              .nearest(5);
      assertEquals(counted, within.different(), "placements found within the steps");
    }
  }

  @Test
  void aMachineThatHasTooManyCardsAtASwitchIsLeftBehind() {
    XmlDocument machine = machine(1, 4, 4, NVSWITCH);
    XmlDocument crowded = edited(machine, "move nic:mlx5_0 nic:mlx5_1 to switch:0000:16:00.0");
    for (int maxCounted : new int[] {0, MANY}) {
      List<NicPlacement> one =
          new NicPlacements(crowded, OptionalInt.of(1), maxCounted, MANY)
              .nearest(MANY)
              .placements();
      assertEquals(List.of(2), moved(one));
    }
  }

  /** Equal CPUs may have their switches in another order: the other way is at a slow one. */
  @Test
  void equalPartsInAnotherOrderAreEqual() {
    String fast =
        "<pci busid=\"0000:%s:00.0\" class=\"0x060400\" link_speed=\"\" link_width=\"16\"/>";
    String slow =
        "<pci busid=\"0000:%s:00.0\" class=\"0x060400\" link_speed=\"\" link_width=\"8\"/>";
    String card =
        pci(0x30, "0x020700")
            + "<nic><net name=\"x\" dev=\"0\" speed=\"400000\"/></nic></pci></pci>";
    XmlDocument machine =
        read(
            "<system version=\"1\"><cpu numaid=\"0\" affinity=\"1\" arch=\"arm64\">"
                + String.format(slow, "10")
                + String.format(fast, "11")
                + "</cpu><cpu numaid=\"1\" affinity=\"2\" arch=\"arm64\">"
                + String.format(fast, "20").replace("/>", ">")
                + card
                + String.format(slow, "21")
                + "</cpu></system>");
    List<NicPlacement> placements = placements(machine);
    assertEquals(2, placements.size());
    assertTrue(placements.get(0).isPresent());
    assertEquals(
        List.of("switch:0000:10:00.0"),
        placements.get(1).loads().stream()
            .filter(load -> load.cards() > 0)
            .map(NicPlacement.Load::place)
            .toList());
  }

  @Test
  void cardsAreNamedByKind() {
    XmlDocument machine = machine(1, 3, 3, NVSWITCH);
    XmlDocument mixed = edited(machine, "net:mlx5_1.speed=100000");
    assertEquals(
        List.of(List.of("mlx5_0", "mlx5_2"), List.of("mlx5_1")),
        new NicPlacements(mixed, OptionalInt.empty()).kinds());
    List<NicPlacement> placements = placements(mixed);
    assertEquals(placements.size(), placements.stream().map(one -> loads(one)).distinct().count());
  }
}
