package io.coppice.driver.soap;

import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.util.Optional;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import javax.xml.validation.Validator;
import org.w3c.dom.Element;
import org.xml.sax.ErrorHandler;
import org.xml.sax.SAXException;
import org.xml.sax.SAXParseException;

/// The contract's schemas. Safe for several threads.
public final class SchemaCheck {
  private static final String SERVICE = "service.xsd";

  /// No import reaches it: its types come only through `xsi:type`.
  private static final String VALUE_TYPES = "capability-types.xsd";

  private final Schema schema;

  private SchemaCheck(URI service) {
    try {
      Source[] sources = {
        new StreamSource(service.toString()),
        new StreamSource(service.toString().replaceFirst(SERVICE + "$", VALUE_TYPES))
      };
      schema = SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources);
    } catch (SAXException e) {
      throw new IllegalArgumentException("expected schemas at " + service, e);
    }
  }

  /// The schemas of a folder that holds `service.xsd` and what it imports.
  public static SchemaCheck ofFolder(Path folder) {
    return new SchemaCheck(folder.resolve(SERVICE).toUri());
  }

  /// The schemas of the class path folder `wsdl`, if there are any.
  public static Optional<SchemaCheck> ofClassPath() {
    URL service = SchemaCheck.class.getClassLoader().getResource("wsdl/" + SERVICE);
    return Optional.ofNullable(service).map(url -> new SchemaCheck(URI.create(url.toString())));
  }

  /// Checks an element with a global declaration: what a SOAP body or a fault detail holds.
  ///
  /// @throws IllegalStateException with the first thing that is not valid
  public void require(String what, Element element) {
    Validator validator = schema.newValidator();
    validator.setErrorHandler(new Strict());
    try {
      validator.validate(new DOMSource(element));
    } catch (SAXException e) {
      throw new IllegalStateException(what + " is not valid: " + e.getMessage(), e);
    } catch (IOException e) {
      throw new IllegalStateException(what + " cannot be read", e);
    }
  }

  private static final class Strict implements ErrorHandler {
    @Override
    public void warning(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void error(SAXParseException e) throws SAXException {
      throw e;
    }

    @Override
    public void fatalError(SAXParseException e) throws SAXException {
      throw e;
    }
  }
}
