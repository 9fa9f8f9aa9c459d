package io.coppice.vasa.soap.argument;

import java.io.OutputStream;
import java.util.Iterator;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.xml.namespace.NamespaceContext;
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

/// The translation of namespaces. Requests in any namespace of a service are read as those of our
/// own schemas, and answered in the namespace of the request.
///
/// The schemas of 2.0 and 3.0 have the operations of 2.0 in its namespace and those of replication
/// in that of 3.0. On the wire all are in one namespace: that of the version that the client
/// speaks.
public final class VersionNamespace {

  public static final String V2 = "http://com.vmware.vim.vasa/2.0/xsd";
  public static final String V1 = "http://com.vmware.vim.vasa/1.0/xsd";
  private static final Set<String> OURS = Set.of(V1, V2, ReplicationPart.NAMESPACE);
  private static final String USED = VersionNamespace.class.getName() + ".used";
  private static final String MODEL = VersionNamespace.class.getName() + ".model";

  private VersionNamespace() {}

  /// The reading half. It reads the namespaces of the wire and remembers the request's one.
  public static final class In extends AbstractPhaseInterceptor<Message> {

    private final Set<String> wire;
    private final UnaryOperator<String> ours;
    private final ArgumentChecks checks;

    /// @param wire namespaces that requests come in
    /// @param ours our schema's namespace of an operation
    /// @param checks look at what is read, in our schema's namespaces
    public In(Set<String> wire, UnaryOperator<String> ours, ArgumentChecks checks) {
      super(Phase.POST_STREAM);
      addAfter(StaxInInterceptor.class.getName());
      this.wire = Set.copyOf(wire);
      this.ours = ours;
      this.checks = checks;
    }

    @Override
    public void handleMessage(Message message) {
      XMLStreamReader reader = message.getContent(XMLStreamReader.class);
      if (reader != null) {
        message.setContent(
            XMLStreamReader.class,
            new Reader(reader, message.getExchange(), wire, ours, checks.of(message)));
      }
    }
  }

  /// The writing half. It writes our namespaces as that of the request.
  public static final class Out extends AbstractPhaseInterceptor<Message> {

    private final String unnamed;

    /// @param unnamed namespace for a request that has none because its body is empty
    public Out(String unnamed) {
      super(Phase.PRE_STREAM);
      this.unnamed = unnamed;
      addAfter(StaxOutInterceptor.class.getName());
    }

    @Override
    public void handleMessage(Message message) {
      XMLStreamWriter writer = message.getContent(XMLStreamWriter.class);
      Exchange exchange = message.getExchange();
      if (writer == null
          || (V2.equals(exchange.getOrDefault(USED, unnamed))
              && V2.equals(exchange.getOrDefault(MODEL, V2)))) {
        return;
      }
      String used = exchange.getOrDefault(USED, unnamed).toString();
      message.setContent(XMLStreamWriter.class, new Writer(writer, used));
      // If there is a stream, CXF lets JAXB write to it, past the writer.
      OutputStream stream = message.getContent(OutputStream.class);
      if (stream != null) {
        message.removeContent(OutputStream.class);
        message.put(StaxOutInterceptor.OUTPUT_STREAM_HOLDER, stream);
      }
    }
  }

  private static final class Reader extends StreamReaderDelegate {

    private final Exchange exchange;
    private final Set<String> wire;
    private final UnaryOperator<String> namespaceOf;
    private final ArgumentCheck check;
    private @Nullable String ours;

    Reader(
        XMLStreamReader reader,
        Exchange exchange,
        Set<String> wire,
        UnaryOperator<String> namespaceOf,
        ArgumentCheck check) {
      super(reader);
      this.exchange = exchange;
      this.wire = wire;
      this.namespaceOf = namespaceOf;
      this.check = check;
    }

    /// Refuses a document type declaration, and with it entities: a SOAP message has none (SOAP 1.1
    /// §3, 1.2 part 1 §5).
    @Override
    public int next() throws XMLStreamException {
      int event = super.next();
      if (event == DTD) {
        throw new XMLStreamException(
            "expected a SOAP message without a document type declaration, got one");
      }
      check.saw(event, this);
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

    // Names in values, such as those of xsi:type, are read with the namespaces of prefixes.

    @Override
    public @Nullable String getNamespaceURI(int index) {
      return known(super.getNamespaceURI(index));
    }

    @Override
    public @Nullable String getNamespaceURI(String prefix) {
      return known(super.getNamespaceURI(prefix));
    }

    @Override
    public NamespaceContext getNamespaceContext() {
      NamespaceContext context = super.getNamespaceContext();
      return new NamespaceContext() {
        @Override
        public @Nullable String getNamespaceURI(String prefix) {
          return known(context.getNamespaceURI(prefix));
        }

        @Override
        public @Nullable String getPrefix(String namespace) {
          return context.getPrefix(namespace);
        }

        @Override
        public Iterator<String> getPrefixes(String namespace) {
          return context.getPrefixes(namespace);
        }
      };
    }

    /// As [#map], before the first element of the wire's too.
    private @Nullable String known(@Nullable String namespace) {
      return namespace != null && wire.contains(namespace) && ours != null ? ours : namespace;
    }

    /// Maps a namespace. The first element of the wire's is the operation's; all others follow it.
    private @Nullable String map(@Nullable String namespace) {
      if (namespace == null || !wire.contains(namespace)) {
        return namespace;
      }
      if (ours == null) {
        ours = namespaceOf.apply(getLocalName());
        exchange.put(USED, namespace);
        exchange.put(MODEL, ours);
      }
      return ours;
    }
  }

  private static final class Writer extends DelegatingXMLStreamWriter {

    private final String used;

    Writer(XMLStreamWriter writer, String used) {
      super(writer);
      this.used = used;
    }

    private @Nullable String map(@Nullable String namespace) {
      return namespace != null && OURS.contains(namespace) ? used : namespace;
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
