package io.coppice.wsdl;

import java.io.IOException;
import java.io.StringReader;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.xml.sax.InputSource;
import org.xml.sax.SAXException;

/// The contract's files on the class path, and the little XML handling that the tests share.
final class Contract {

  static final String VASA = "http://com.vmware.vim.vasa/2.0/xsd";
  static final String XSD = XMLConstants.W3C_XML_SCHEMA_NS_URI;

  /// The schema of what 3.0 adds.
  static final String REPLICATION = "replication.xsd";

  /// The schema files of 2.0, one per namespace.
  static final List<String> SCHEMAS =
      List.of(
          "service.xsd",
          "data.xsd",
          "vvol.xsd",
          "policy.xsd",
          "profile.xsd",
          "capability.xsd",
          "capability-provider.xsd",
          "capability-types.xsd",
          "compliance.xsd",
          "placement.xsd",
          "statistics.xsd",
          "vasa.xsd",
          "fault.xsd");

  /// Namespaces and their prefixes in `operations.table`.
  private static final Map<String, String> TABLE_PREFIXES =
      Map.ofEntries(
          Map.entry(XSD, "xs"),
          Map.entry(VASA, "ns"),
          Map.entry("http://data.vasa.vim.vmware.com/xsd", "data"),
          Map.entry("http://vvol.data.vasa.vim.vmware.com/xsd", "vvol"),
          Map.entry("http://policy.data.vasa.vim.vmware.com/xsd", "policy"),
          Map.entry("http://profile.policy.data.vasa.vim.vmware.com/xsd", "prof"),
          Map.entry("http://provider.capability.policy.data.vasa.vim.vmware.com/xsd", "capprov"),
          Map.entry("http://compliance.policy.data.vasa.vim.vmware.com/xsd", "compl"),
          Map.entry("http://statistics.data.vasa.vim.vmware.com/xsd", "stats"),
          Map.entry("http://com.vmware.vim.vasa/3.0/xsd", "rep"),
          Map.entry("http://fault.vasa.vim.vmware.com/xsd", "fault"));

  private Contract() {}

  static Document wsdl(String name) {
    return parse(new InputSource(file(name + ".wsdl").toString()));
  }

  static Document schemaDocument(String name) {
    return parse(new InputSource(file(name).toString()));
  }

  /// The schemas of VASA 1.0 compiled together.
  static Schema schemaOfVersion1() {
    return compiled(Stream.of("1.0/service.xsd", "1.0/data.xsd", "1.0/fault.xsd"));
  }

  /// All others compiled together.
  static Schema schema() {
    return compiled(Stream.concat(SCHEMAS.stream(), Stream.of(REPLICATION)));
  }

  private static Schema compiled(Stream<String> files) {
    Source[] sources = files.map(s -> new StreamSource(file(s).toString())).toArray(Source[]::new);
    try {
      return SchemaFactory.newInstance(XSD).newSchema(sources);
    } catch (SAXException e) {
      throw new AssertionError("expected schemas that compile", e);
    }
  }

  static Document parse(Path file) {
    return parse(new InputSource(file.toUri().toString()));
  }

  static Document parse(String text) {
    return parse(new InputSource(new StringReader(text)));
  }

  static Stream<Element> children(Node parent) {
    List<Element> elements = new ArrayList<>();
    for (Node n = parent.getFirstChild(); n != null; n = n.getNextSibling()) {
      if (n instanceof Element e) {
        elements.add(e);
      }
    }
    return elements.stream();
  }

  static Stream<Element> children(Node parent, String localName) {
    return children(parent).filter(e -> e.getLocalName().equals(localName));
  }

  static Stream<Element> descendants(Node root) {
    return children(root).flatMap(e -> Stream.concat(Stream.of(e), descendants(e)));
  }

  /// The text of `value`, whose prefix is in scope at `scope`, with the prefix that the tables use.
  static String withTablePrefix(Element scope, String value) {
    String[] parts = value.split(":");
    return TABLE_PREFIXES.get(scope.lookupNamespaceURI(parts[0])) + ":" + parts[1];
  }

  private static URL file(String name) {
    URL url = Contract.class.getResource("/wsdl/" + name);
    if (url == null) {
      throw new AssertionError("expected /wsdl/" + name + " on the class path, found nothing");
    }
    return url;
  }

  private static Document parse(InputSource source) {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    try {
      return factory.newDocumentBuilder().parse(source);
    } catch (ParserConfigurationException | SAXException | IOException e) {
      throw new AssertionError("expected well-formed XML in " + source.getSystemId(), e);
    }
  }
}
