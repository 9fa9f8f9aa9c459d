package io.coppice.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/// Packages as rooms: small enough to be known, without knots inside, and with one name for one
/// thing.
class RoomsTest {

  private static final int MOST_TYPES = 25;
  private static final int MOST_IN_A_KNOT = 5;

  /// Packages that may be larger: the test driver has one type for each kind of call, request and
  /// answer of VASA, as the contract lists them. (The generated stubs in `io.coppice.wsdl..` are no
  /// source of ours and are not counted either.)
  private static final Set<String> LARGE = Set.of("io.coppice.driver.soap");

  private static final List<String> PRODUCT = List.of("storage-engine", "vasa-provider");

  @Test
  void noPackageHasMoreTypesThanAReaderKeepsInMind() {
    Map<String, Integer> sizes = new TreeMap<>();
    mainTypes().forEach(file -> sizes.merge(packageOf(file), 1, Integer::sum));
    assertThat(sizes).containsKeys("io.coppice.engine", "io.coppice.app");
    sizes.values().removeIf(size -> size <= MOST_TYPES);
    sizes.keySet().removeAll(LARGE);

    assertThat(sizes)
        .as(
            "packages of more than %d top-level types: find the concerns in it and give each a"
                + " package of its own (docs/architecture.md shows how others are cut)",
            MOST_TYPES)
        .isEmpty();
  }

  @Test
  void noKnotInsideAPackageHasMoreClassesThanTheLimit() {
    List<Set<String>> knots = new ArrayList<>(Knots.of(edgesInsidePackages()));
    knots.removeIf(knot -> knot.size() <= MOST_IN_A_KNOT);

    assertThat(knots)
        .as(
            "knots of more than %d classes of one package, each of which needs each other: turn one"
                + " dependency around (pass a value or a narrow interface instead of the owner), or"
                + " move what two of them share into a class that knows neither",
            MOST_IN_A_KNOT)
        .isEmpty();
  }

  @Test
  void aNameStandsForOneTypeInTheWholeProduct() {
    Map<String, Set<String>> places = new TreeMap<>();
    for (Path file : mainTypes()) {
      if (PRODUCT.contains(Repository.root().relativize(file).getName(0).toString())) {
        String name = file.getFileName().toString().replace(".java", "");
        places.computeIfAbsent(name, _ -> new TreeSet<>()).add(packageOf(file));
      }
    }
    assertThat(places).hasSizeGreaterThan(100);
    places.values().removeIf(packages -> packages.size() == 1);

    assertThat(places)
        .as("names that several types have: give each the name of what it is, for one meaning")
        .isEmpty();
  }

  /// Dependencies between top-level classes of one package; nested ones count as their top-level
  /// class.
  private static Map<String, Set<String>> edgesInsidePackages() {
    Map<String, Set<String>> edges = new TreeMap<>();
    for (JavaClass from :
        new ClassFileImporter().withImportOption(new WithoutTests()).importPackages("io.coppice")) {
      if (from.getPackageName().startsWith("io.coppice.wsdl")) {
        continue;
      }
      for (Dependency dependency : from.getDirectDependenciesFromSelf()) {
        JavaClass to = dependency.getTargetClass().getBaseComponentType();
        if (to.getPackageName().equals(from.getPackageName())
            && !topLevel(to).equals(topLevel(from))) {
          edges.computeIfAbsent(topLevel(from), _ -> new TreeSet<>()).add(topLevel(to));
        }
      }
    }
    return edges;
  }

  private static String topLevel(JavaClass type) {
    return type.getName().split("\\$", 2)[0];
  }

  /// Files of main code that declare a type, the tools of `src-test` included.
  private static List<Path> mainTypes() {
    return Repository.javaFiles().stream()
        .filter(file -> file.toString().contains("src/main/java"))
        .filter(file -> !file.endsWith("package-info.java"))
        .toList();
  }

  private static String packageOf(Path file) {
    String path = file.getParent().toString();
    return path.substring(path.indexOf("src/main/java/") + "src/main/java/".length())
        .replace('/', '.');
  }
}
