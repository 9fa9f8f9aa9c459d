package io.coppice.vasa.soap.argument;

import io.coppice.vasa.soap.value.Xml;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.binding.soap.interceptor.SoapActionInInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.wsdl.interceptors.DocLiteralInInterceptor;

/// The guard against empty bodies. It refuses one whose action does not name an operation without
/// arguments.
///
/// Four operations share that request (contract §3, Empty-body note). Without the guard CXF would
/// run one of them for any empty body.
public final class EmptyBodyGuard extends AbstractSoapInterceptor {

  private static final String PREFIX = "urn:";
  private static final QName CLIENT =
      new QName("http://schemas.xmlsoap.org/soap/envelope/", "Client");

  private final Set<String> withoutArguments;

  /// @param withoutArguments the operations whose request is an empty body
  public EmptyBodyGuard(Set<String> withoutArguments) {
    super(Phase.UNMARSHAL);
    this.withoutArguments = Set.copyOf(withoutArguments);
    addBefore(DocLiteralInInterceptor.class.getName());
  }

  @Override
  public void handleMessage(SoapMessage message) {
    XMLStreamReader reader = message.getContent(XMLStreamReader.class);
    if (reader == null || StaxUtils.toNextElement(asDepth(reader, message))) {
      return;
    }
    String action =
        Objects.requireNonNullElse(SoapActionInInterceptor.getSoapAction(message), "").strip();
    String operation =
        action.startsWith(PREFIX) ? action.substring(PREFIX.length()) : "(no such action)";
    if (!withoutArguments.contains(operation)) {
      throw new SoapFault(
          "expected a request element in the body, or an empty body with the SOAPAction of one of "
              + withoutArguments.stream()
                  .sorted()
                  .map(PREFIX::concat)
                  .collect(Collectors.joining(", "))
              + "; got an empty body with "
              + (action.isEmpty() ? "no SOAPAction" : "SOAPAction " + Xml.shortened(action)),
          CLIENT);
    }
  }

  /// The reader in CXF's wrapper. CXF's own steps need it too, so it is put where they look.
  private static org.apache.cxf.staxutils.DepthXMLStreamReader asDepth(
      XMLStreamReader reader, SoapMessage message) {
    if (reader instanceof org.apache.cxf.staxutils.DepthXMLStreamReader depth) {
      return depth;
    }
    var depth = new org.apache.cxf.staxutils.DepthXMLStreamReader(reader);
    message.setContent(XMLStreamReader.class, depth);
    return depth;
  }
}
