package dev.topo.visualizer.drawing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/**
 * What is where in an SVG that topo wrote, read back from its text, and what is wrong with it:
 * texts over each other, links behind boxes.
 */
public final class SvgPicture {
  private static final double ROUNDING = 0.15;
  private static final double ASCENT = 0.93;
  private static final double HEIGHT = 1.17;

  private record Box(String kind, Area area) {}

  private record Text(String text, Area area, boolean inBox) {}

  private record Stretch(String link, Point from, Point to, double width) {
    Area area() {
      return Area.ofSegment(from, to, width);
    }

    boolean isUpright() {
      return from.x() == to.x();
    }
  }

  private final List<Box> boxes = new ArrayList<>();
  private final List<Text> texts = new ArrayList<>();
  private final List<List<Stretch>> links = new ArrayList<>();
  private final List<String> faults = new ArrayList<>();
  private Area paper = new Area(0, 0, 0, 0);

  /** Reads a picture. */
  public SvgPicture(String svg) {
    try {
      Element root =
          DocumentBuilderFactory.newInstance()
              .newDocumentBuilder()
              .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)))
              .getDocumentElement();
      paper = new Area(0, 0, number(root, "width"), number(root, "height"));
      each(root, "rect", this::readBox);
      each(root, "text", this::readText);
      each(root, "path", this::readLink);
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new IllegalArgumentException(svg, e);
    }
  }

  private interface Reader {
    void read(Element element);
  }

  private static void each(Element root, String name, Reader reader) {
    NodeList list = root.getElementsByTagName(name);
    for (int i = 0; i < list.getLength(); i++) {
      reader.read((Element) list.item(i));
    }
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private void readBox(Element rect) {
    String kind = rect.getAttribute("class");
    if (!kind.equals("paper")) {
      boxes.add(
          new Box(
              kind,
              new Area(
                  number(rect, "x"),
                  number(rect, "y"),
                  number(rect, "width"),
                  number(rect, "height"))));
    }
  }

  private void readText(Element text) {
    double size = number(text, "font-size");
    String kind = text.getAttribute("class");
    double width = TextMetrics.width(text.getTextContent(), size, kind.endsWith("bold"));
    double top = number(text, "y") - ASCENT * size;
    texts.add(
        new Text(
            text.getTextContent(),
            new Area(number(text, "x"), top, width, HEIGHT * size),
            kind.startsWith("in")));
  }

  private void readLink(Element path) {
    if (!path.getAttribute("class").startsWith("link")) {
      return;
    }
    List<Point> points = new ArrayList<>();
    for (String point : path.getAttribute("d").substring(1).split(" L", -1)) {
      String[] parts = point.split(" ", -1);
      points.add(new Point(Double.parseDouble(parts[0]), Double.parseDouble(parts[1])));
    }
    Node title = path.getFirstChild();
    String name = title == null ? "legend" : title.getTextContent();
    List<Stretch> stretches = new ArrayList<>();
    for (int i = 0; i + 1 < points.size(); i++) {
      stretches.add(
          new Stretch(name, points.get(i), points.get(i + 1), number(path, "stroke-width")));
    }
    links.add(stretches);
  }

  /** Number of links and samples of them. */
  public int links() {
    return links.size();
  }

  /** Whether some text is in the picture. */
  public boolean says(String text) {
    return texts.stream().anyMatch(known -> known.text.equals(text));
  }

  /** What is wrong; empty if nothing is. Links may cross each other, but only at right angles. */
  public List<String> faults() {
    faults.clear();
    checkBoxes();
    checkTexts();
    links.forEach(this::checkLink);
    checkParallels();
    return List.copyOf(faults);
  }

  private void fault(String format, Object... arguments) {
    faults.add(String.format(Locale.ROOT, format, arguments));
  }

  private List<Box> solid() {
    return boxes.stream().filter(box -> !BoxKind.valueOf(box.kind).isBackground()).toList();
  }

  /** Whether a rectangle lies inside another one, borders included. */
  private static boolean contains(Area outer, Area inner) {
    return outer.x() <= inner.x()
        && outer.y() <= inner.y()
        && inner.right() <= outer.right()
        && inner.bottom() <= outer.bottom();
  }

  private void checkBoxes() {
    List<Box> solid = solid();
    for (int i = 0; i < solid.size(); i++) {
      for (int k = 0; k < i; k++) {
        if (solid.get(i).area.overlaps(solid.get(k).area)) {
          fault("boxes overlap: %s %s", solid.get(i), solid.get(k));
        }
      }
      if (!contains(paper, solid.get(i).area)) {
        fault("box outside: %s", solid.get(i));
      }
    }
  }

  private void checkTexts() {
    for (int i = 0; i < texts.size(); i++) {
      Text text = texts.get(i);
      Area area = text.area.grown(-ROUNDING);
      if (!contains(paper, area)) {
        fault("text outside: %s", text);
      }
      for (int k = 0; k < i; k++) {
        if (area.overlaps(texts.get(k).area.grown(-ROUNDING))) {
          fault("texts overlap: %s %s", text, texts.get(k));
        }
      }
      for (Box box : solid()) {
        if (area.overlaps(box.area) && !(text.inBox && contains(box.area, area))) {
          fault("text over the border of a box: %s %s", text, box);
        }
      }
      for (List<Stretch> link : links) {
        for (Stretch stretch : link) {
          if (!text.inBox && area.overlaps(stretch.area())) {
            fault("text over a link: %s %s", text, stretch);
          }
        }
      }
    }
  }

  private void checkLink(List<Stretch> link) {
    for (Stretch stretch : link) {
      if (!contains(paper, stretch.area())) {
        fault("link outside: %s", stretch);
      }
      for (Box box : solid()) {
        // A link ends at the border of its box, and its width may not reach into another.
        if (box.area.grown(-ROUNDING).overlaps(Area.ofSegment(stretch.from, stretch.to, 0))) {
          fault("link behind a box: %s %s", stretch, box);
        }
        boolean touches = touches(link, box);
        if (!touches && box.area.overlaps(stretch.area())) {
          fault("link too near to a box: %s %s", stretch, box);
        }
      }
    }
  }

  private static boolean touches(List<Stretch> link, Box box) {
    Area grown = box.area.grown(ROUNDING);
    Point first = link.get(0).from;
    Point last = link.get(link.size() - 1).to;
    return contains(grown, new Area(first.x(), first.y(), 0, 0))
        || contains(grown, new Area(last.x(), last.y(), 0, 0));
  }

  private void checkParallels() {
    List<Stretch> all = new ArrayList<>();
    links.forEach(all::addAll);
    for (int i = 0; i < all.size(); i++) {
      for (int k = 0; k < i; k++) {
        Stretch a = all.get(i);
        Stretch b = all.get(k);
        if (a.isUpright() == b.isUpright()
            && a.area().grown(-ROUNDING).overlaps(b.area().grown(-ROUNDING))) {
          fault("links over each other: %s %s", a, b);
        }
      }
    }
  }
}
