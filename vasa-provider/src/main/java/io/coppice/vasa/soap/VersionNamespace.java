package io.coppice.vasa.soap;

import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import javax.xml.stream.XMLStreamWriter;
import javax.xml.stream.util.StreamReaderDelegate;
import org.apache.cxf.interceptor.StaxInInterceptor;
import org.apache.cxf.interceptor.StaxOutInterceptor;
import org.apache.cxf.message.Exchange;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.staxutils.DelegatingXMLStreamWriter;
import org.jspecify.annotations.Nullable;

/// Lets requests in the namespace of VASA 3.0 reach the service of 2.0, and answers them in theirs.
///
/// The namespace of 3.0 is not public; this is the one that follows the pattern.
final class VersionNamespace {

  private static final String V2 = "http://com.vmware.vim.vasa/2.0/xsd";
  private static final String V3 = "http://com.vmware.vim.vasa/3.0/xsd";
  private static final String USED = VersionNamespace.class.getName() + ".3.0";

  private VersionNamespace() {}

  /// Reads 3.0 as 2.0 and remembers that it was 3.0.
  static final class In extends AbstractPhaseInterceptor<Message> {

    In() {
      super(Phase.POST_STREAM);
      addAfter(StaxInInterceptor.class.getName());
    }

    @Override
    public void handleMessage(Message message) {
      XMLStreamReader reader = message.getContent(XMLStreamReader.class);
      if (reader != null) {
        message.setContent(XMLStreamReader.class, new Reader(reader, message.getExchange()));
      }
    }
  }

  /// Writes 2.0 as 3.0 if the request was 3.0.
  static final class Out extends AbstractPhaseInterceptor<Message> {

    Out() {
      super(Phase.PRE_STREAM);
      addAfter(StaxOutInterceptor.class.getName());
    }

    @Override
    public void handleMessage(Message message) {
      XMLStreamWriter writer = message.getContent(XMLStreamWriter.class);
      if (writer != null && message.getExchange().containsKey(USED)) {
        message.setContent(XMLStreamWriter.class, new Writer(writer));
      }
    }
  }

  private static final class Reader extends StreamReaderDelegate {

    private final Exchange exchange;

    Reader(XMLStreamReader reader, Exchange exchange) {
      super(reader);
      this.exchange = exchange;
    }

    /// A SOAP message has no document type declaration (SOAP 1.1 §3, 1.2 part 1 §5), and so no
    /// entities.
    @Override
    public int next() throws XMLStreamException {
      int event = super.next();
      if (event == DTD) {
        throw new XMLStreamException(
            "expected a SOAP message without a document type declaration, got one");
      }
      return event;
    }

    @Override
    public int nextTag() throws XMLStreamException {
      int event = next();
      while (event == COMMENT || event == PROCESSING_INSTRUCTION || isBlank(event)) {
        event = next();
      }
      if (event != START_ELEMENT && event != END_ELEMENT) {
        throw new XMLStreamException("expected an element", getLocation());
      }
      return event;
    }

    private boolean isBlank(int event) {
      return event == SPACE || ((event == CHARACTERS || event == CDATA) && isWhiteSpace());
    }

    @Override
    public @Nullable String getNamespaceURI() {
      return map(super.getNamespaceURI());
    }

    @Override
    public QName getName() {
      QName name = super.getName();
      String namespace = map(name.getNamespaceURI());
      return new QName(namespace == null ? "" : namespace, name.getLocalPart(), name.getPrefix());
    }

    private @Nullable String map(@Nullable String namespace) {
      if (V3.equals(namespace)) {
        exchange.put(USED, Boolean.TRUE);
        return V2;
      }
      return namespace;
    }
  }

  private static final class Writer extends DelegatingXMLStreamWriter {

    Writer(XMLStreamWriter writer) {
      super(writer);
    }

    private static @Nullable String map(@Nullable String namespace) {
      return V2.equals(namespace) ? V3 : namespace;
    }

    @Override
    public void writeStartElement(String namespace, String name) throws XMLStreamException {
      super.writeStartElement(map(namespace), name);
    }

    @Override
    public void writeStartElement(String prefix, String name, String namespace)
        throws XMLStreamException {
      super.writeStartElement(prefix, name, map(namespace));
    }

    @Override
    public void writeEmptyElement(String namespace, String name) throws XMLStreamException {
      super.writeEmptyElement(map(namespace), name);
    }

    @Override
    public void writeEmptyElement(String prefix, String name, String namespace)
        throws XMLStreamException {
      super.writeEmptyElement(prefix, name, map(namespace));
    }

    @Override
    public void writeNamespace(String prefix, String namespace) throws XMLStreamException {
      super.writeNamespace(prefix, map(namespace));
    }

    @Override
    public void writeDefaultNamespace(String namespace) throws XMLStreamException {
      super.writeDefaultNamespace(map(namespace));
    }

    @Override
    public void setPrefix(String prefix, String namespace) throws XMLStreamException {
      super.setPrefix(prefix, map(namespace));
    }

    @Override
    public void setDefaultNamespace(String namespace) throws XMLStreamException {
      super.setDefaultNamespace(map(namespace));
    }

    @Override
    public @Nullable String getPrefix(String namespace) throws XMLStreamException {
      return super.getPrefix(map(namespace));
    }
  }
}
