package dev.topo.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * The modules' declarations of libraries. Scope {@code test} in a module also narrows what comes
 * through the modules below it: the library would be missing in what is shipped, while tests, whose
 * class path has it, pass.
 */
class ShippedLibrariesTest {
  private static final Path ROOT = Path.of(System.getProperty("topo.root"));

  private static final List<String> MODULES =
      List.of("model", "search", "inspect", "simulator", "hw-probe", "visualizer", "cli");

  @Test
  void noModuleTakesALibraryFromTheModulesBelowIt() throws Exception {
    Map<String, String> shipped = new HashMap<>();
    Set<String> taken = new TreeSet<>();
    for (String module : MODULES) {
      for (Element dependency : dependencies(ROOT.resolve(module).resolve("pom.xml"))) {
        String library = library(dependency);
        String scope = text(dependency, "scope");
        if (!scope.equals("test")) {
          shipped.putIfAbsent(library, module);
        } else if (shipped.containsKey(library)) {
          taken.add(module + " takes " + library + " from " + shipped.get(library));
        }
      }
    }
    assertTrue(shipped.size() > MODULES.size(), shipped::toString);
    assertEquals(Set.of(), taken);
  }

  private static List<Element> dependencies(Path pom) throws Exception {
    File file = pom.toFile();
    Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(file);
    List<Element> dependencies = new ArrayList<>();
    for (Element all : children(document.getDocumentElement(), "dependencies")) {
      dependencies.addAll(children(all, "dependency"));
    }
    return dependencies;
  }

  private static String library(Element dependency) {
    return String.join(
        ":",
        text(dependency, "groupId"),
        text(dependency, "artifactId"),
        text(dependency, "classifier"),
        text(dependency, "type"));
  }

  private static String text(Element parent, String name) {
    List<Element> found = children(parent, name);
    return found.isEmpty() ? "" : found.get(0).getTextContent().strip();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element && node.getNodeName().equals(name)) {
        found.add((Element) node);
      }
    }
    return found;
  }
}
