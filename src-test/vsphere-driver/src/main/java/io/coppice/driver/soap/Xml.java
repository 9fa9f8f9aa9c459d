package io.coppice.driver.soap;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import javax.xml.xpath.XPath;
import javax.xml.xpath.XPathConstants;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;
import org.xml.sax.SAXException;

/// An element of a reply, read by namespace-aware XPath. Used by one thread.
public final class Xml {
  private final Element element;
  private final XPath path;

  private Xml(Element element, XPath path) {
    this.element = element;
    this.path = path;
  }

  static Xml of(Element element) {
    XPath path = XPathFactory.newInstance().newXPath();
    path.setNamespaceContext(new Namespaces());
    return new Xml(element, path);
  }

  /// Parses a document; a document type declaration is refused.
  static Document parse(byte[] bytes) throws SAXException, IOException {
    try {
      DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
      factory.setNamespaceAware(true);
      factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
      factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
      var builder = factory.newDocumentBuilder();
      builder.setErrorHandler(null);
      return builder.parse(new ByteArrayInputStream(bytes));
    } catch (ParserConfigurationException e) {
      throw new IllegalStateException("the JDK has no XML parser", e);
    }
  }

  Element element() {
    return element;
  }

  /// The elements that `expression` selects, from this element on, without nil ones.
  public List<Xml> all(String expression) {
    try {
      NodeList nodes = (NodeList) path.evaluate(expression, element, XPathConstants.NODESET);
      List<Xml> found = new ArrayList<>();
      for (int i = 0; i < nodes.getLength(); i++) {
        Node node = nodes.item(i);
        if (node instanceof Element each && !isNil(each)) {
          found.add(new Xml(each, path));
        }
      }
      return found;
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException("expected an XPath, got " + expression, e);
    }
  }

  /// The one element that `expression` selects, null if there is none.
  ///
  /// @throws IllegalStateException if there are several
  public @Nullable Xml find(String expression) {
    List<Xml> found = all(expression);
    if (found.size() > 1) {
      throw new IllegalStateException(
          "expected at most one %s in %s, got %d".formatted(expression, this, found.size()));
    }
    return found.isEmpty() ? null : found.getFirst();
  }

  /// As [#find], for what must be there.
  public Xml one(String expression) {
    Xml found = find(expression);
    if (found == null) {
      throw new IllegalStateException("expected %s in %s, got none".formatted(expression, this));
    }
    return found;
  }

  /// The text of an optional element, null where it is absent or nil.
  public @Nullable String text(String expression) {
    Xml found = find(expression);
    return found == null ? null : found.text();
  }

  /// The text of an element that must be there.
  public String required(String expression) {
    return one(expression).text();
  }

  public long number(String expression) {
    return Long.parseLong(required(expression));
  }

  /// The number in an optional element, or `otherwise`.
  public long number(String expression, long otherwise) {
    String value = text(expression);
    return value == null ? otherwise : Long.parseLong(value);
  }

  /// Whether an optional element holds true.
  public boolean flag(String expression) {
    String value = text(expression);
    return "true".equals(value) || "1".equals(value);
  }

  public List<String> texts(String expression) {
    return all(expression).stream().map(Xml::text).toList();
  }

  /// This element's text.
  public String text() {
    return element.getTextContent().strip();
  }

  public String localName() {
    return element.getLocalName();
  }

  /// The local part of `xsi:type`, an empty text without one.
  public String type() {
    String type = element.getAttributeNS(Namespaces.XSI, "type");
    return type.substring(type.indexOf(':') + 1);
  }

  private static boolean isNil(Element element) {
    String nil = element.getAttributeNS(Namespaces.XSI, "nil");
    return nil.equals("true") || nil.equals("1");
  }

  @Override
  public String toString() {
    return "<" + element.getNodeName() + ">";
  }
}
