package io.coppice.app;

import io.coppice.wsdl.service.VasaServicePortType;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.SAXException;

/// The arguments of the operations of 2.0, as their schema has them.
final class WireArguments {

  private static final String XSD = "http://www.w3.org/2001/XMLSchema";
  private static final Document SCHEMA = schema();

  private WireArguments() {}

  /// One argument.
  ///
  /// @param kind its type, without prefix
  /// @param mandatory whether the contract wants it always
  record Argument(String name, String kind, boolean repeated, boolean mandatory) {}

  /// The children of an operation's request, in order.
  static Map<String, Argument> of(String operation) {
    Map<String, Argument> arguments = new LinkedHashMap<>();
    var elements = SCHEMA.getElementsByTagNameNS(XSD, "element");
    for (int i = 0; i < elements.getLength(); i++) {
      Element request = (Element) elements.item(i);
      if (request.getAttribute("name").equals(operation)) {
        var children = request.getElementsByTagNameNS(XSD, "element");
        for (int n = 0; n < children.getLength(); n++) {
          Argument argument = argument((Element) children.item(n));
          arguments.put(argument.name(), argument);
        }
      }
    }
    return arguments;
  }

  private static Argument argument(Element child) {
    String type = child.getAttribute("type");
    return new Argument(
        child.getAttribute("name"),
        type.substring(type.indexOf(':') + 1),
        child.getAttribute("maxOccurs").equals("unbounded"),
        !child.getAttribute("minOccurs").equals("0"));
  }

  /// All of them as elements of the service's namespace.
  static String elements(Map<String, String> values) {
    return values.entrySet().stream()
        .map(each -> element(each.getKey(), each.getValue()))
        .collect(Collectors.joining());
  }

  static String element(String name, String value) {
    return "<ns:%s>%s</ns:%s>".formatted(name, value, name);
  }

  private static Document schema() {
    var factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    try (var in = VasaServicePortType.class.getResourceAsStream("/wsdl/service.xsd")) {
      return factory.newDocumentBuilder().parse(in);
    } catch (IOException | ParserConfigurationException | SAXException e) {
      throw new AssertionError(e);
    }
  }
}
