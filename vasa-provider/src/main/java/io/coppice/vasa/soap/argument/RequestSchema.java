package io.coppice.vasa.soap.argument;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.SAXException;

/// The elements that requests may have, from the schemas of one version of the contract.
///
/// The contract's schemas are sequences of elements and extensions of them; nothing else of XML
/// Schema is read.
public final class RequestSchema {

  private static final String XSD = "http://www.w3.org/2001/XMLSchema";
  private static final String REPLY = "Response";

  private final Map<QName, Type> requests = new HashMap<>();
  private final Map<QName, Type> types = new HashMap<>();
  private final Set<String> namespaces = new HashSet<>();
  private final Set<String> arguments = new HashSet<>();

  /// @param resources the schemas, as files of the class path
  RequestSchema(List<String> resources) {
    resources.stream().map(RequestSchema::read).forEach(this::add);
    // 3.0 is known to add arguments of replication to operations of 2.0, so these count as new.
    requests.forEach(
        (name, request) -> {
          if (!name.getNamespaceURI().equals(ReplicationPart.NAMESPACE)) {
            arguments.addAll(request.children.keySet());
          }
        });
  }

  /// An element inside of another.
  ///
  /// @param type type of its content; of XML Schema or one of [#type]
  /// @param mandatory whether it must be there, with a value
  record Child(QName name, QName type, boolean mandatory, boolean repeated) {}

  /// The children that an element may have, by local name, in order.
  record Type(@Nullable QName base, Map<String, Child> children) {}

  /// The schema of the 2.0 contract with the replication of 3.0.
  public static RequestSchema version2() {
    return new RequestSchema(
        List.of(
            "/wsdl/service.xsd",
            "/wsdl/replication.xsd",
            "/wsdl/data.xsd",
            "/wsdl/vvol.xsd",
            "/wsdl/profile.xsd",
            "/wsdl/capability.xsd",
            "/wsdl/capability-provider.xsd",
            "/wsdl/capability-types.xsd",
            "/wsdl/policy.xsd",
            "/wsdl/compliance.xsd",
            "/wsdl/placement.xsd",
            "/wsdl/statistics.xsd",
            "/wsdl/vasa.xsd",
            "/wsdl/fault.xsd"));
  }

  /// The schema of the 1.0 contract.
  public static RequestSchema version1() {
    return new RequestSchema(
        List.of("/wsdl/1.0/service.xsd", "/wsdl/1.0/data.xsd", "/wsdl/1.0/fault.xsd"));
  }

  /// The possible content of an operation's request; empty if this version has no such request.
  Optional<Type> request(QName element) {
    return Optional.ofNullable(requests.get(element));
  }

  /// A named type with children; empty for a simple one, for anyType, and for an unknown one.
  Optional<Type> type(QName name) {
    return Optional.ofNullable(types.get(name));
  }

  /// A type's child of a local name, its own or inherited.
  Optional<Child> child(Type type, String localName) {
    for (Type each = type; each != null; each = each.base == null ? null : types.get(each.base)) {
      Child found = each.children.get(localName);
      if (found != null) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  /// A type's child whose name differs from `localName` at most in upper and lower case.
  Optional<Child> likeChild(Type type, String localName) {
    for (Type each = type; each != null; each = each.base == null ? null : types.get(each.base)) {
      for (Child child : each.children.values()) {
        if (child.name.getLocalPart().equalsIgnoreCase(localName)) {
          return Optional.of(child);
        }
      }
    }
    return Optional.empty();
  }

  /// Whether a namespace is one of the contract's.
  boolean has(String namespace) {
    return namespaces.contains(namespace);
  }

  /// Whether any operation has an argument of that name, except those of replication.
  boolean hasArgument(String localName) {
    return arguments.contains(localName);
  }

  private void add(Document schema) {
    Element root = schema.getDocumentElement();
    String target = root.getAttribute("targetNamespace");
    namespaces.add(target);
    for (Element each : elements(root)) {
      QName name = new QName(target, each.getAttribute("name"));
      switch (each.getLocalName()) {
        case "complexType" -> types.put(name, type(each, target));
        case "element" -> {
          List<Element> inside = elements(each);
          if (!name.getLocalPart().endsWith(REPLY) && !inside.isEmpty()) {
            requests.put(name, type(inside.getFirst(), target));
          }
        }
        default -> {
          // Skips enumerations, which no element refers to, imports and annotations.
        }
      }
    }
  }

  private static Type type(Element complex, String target) {
    Map<String, Child> children = new LinkedHashMap<>();
    QName base = null;
    for (Element each : descendants(complex)) {
      if (each.getLocalName().equals("extension")) {
        base = qualified(each, "base");
      } else if (each.getLocalName().equals("element")) {
        String name = each.getAttribute("name");
        boolean optional =
            each.getAttribute("minOccurs").equals("0")
                || each.getAttribute("nillable").equals("true");
        boolean repeated = each.getAttribute("maxOccurs").equals("unbounded");
        var child =
            new Child(new QName(target, name), qualified(each, "type"), !optional, repeated);
        children.put(name, child);
      }
    }
    return new Type(base, children);
  }

  private static QName qualified(Element element, String attribute) {
    String text = element.getAttribute(attribute);
    int colon = text.indexOf(':');
    return new QName(
        element.lookupNamespaceURI(text.substring(0, colon)), text.substring(colon + 1));
  }

  private static List<Element> elements(Node parent) {
    List<Element> found = new ArrayList<>();
    for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element element && XSD.equals(element.getNamespaceURI())) {
        found.add(element);
      }
    }
    return found;
  }

  private static List<Element> descendants(Element parent) {
    List<Element> found = new ArrayList<>();
    for (Element each : elements(parent)) {
      found.add(each);
      found.addAll(descendants(each));
    }
    return found;
  }

  private static Document read(String resource) {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    try (InputStream in = RequestSchema.class.getResourceAsStream(resource)) {
      if (in == null) {
        throw new IllegalStateException("our own schema is missing: " + resource);
      }
      return factory.newDocumentBuilder().parse(in);
    } catch (IOException | ParserConfigurationException | SAXException e) {
      throw new IllegalStateException("our own schema cannot be read: " + resource, e);
    }
  }
}
