package io.coppice.driver.soap;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.xml.sax.SAXException;

/// The versions that a provider announces in its version.xml.
///
/// Its exact form is not public. Read here: any elements named `version` with an id and a service
/// location, each as an attribute or a child element; a location may be relative to the document.
public record VersionDocument(List<Entry> versions) {
  /// One version of the interface and where it is served.
  public record Entry(String id, URI service) {}

  public VersionDocument {
    versions = List.copyOf(versions);
  }

  /// Reads the text that came from `base`.
  ///
  /// @throws IllegalArgumentException if it is not XML or announces no version
  public static VersionDocument parse(URI base, String text) {
    Xml root;
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      root = Xml.of(Xml.parse(bytes).getDocumentElement());
    } catch (SAXException | IOException e) {
      throw new IllegalArgumentException("expected an XML document at " + base, e);
    }
    List<Entry> entries =
        root.all(".//*[local-name()='version']").stream()
            .filter(each -> value(each, "serviceLocation") != null)
            .map(each -> entry(base, each))
            .toList();
    if (entries.isEmpty()) {
      throw new IllegalArgumentException("expected a version at " + base + ", got none");
    }
    return new VersionDocument(entries);
  }

  /// The service of the version whose id starts with `prefix`.
  public URI service(String prefix) {
    return versions.stream()
        .filter(entry -> entry.id.startsWith(prefix))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("expected version " + prefix + ", got " + versions))
        .service();
  }

  private static Entry entry(URI base, Xml version) {
    String id = value(version, "id");
    String location = value(version, "serviceLocation");
    return new Entry(id == null ? "" : id, base.resolve(location == null ? "" : location));
  }

  private static @Nullable String value(Xml version, String name) {
    String attribute = version.element().getAttribute(name);
    return attribute.isEmpty() ? version.text("*[local-name()='" + name + "']") : attribute.strip();
  }
}
