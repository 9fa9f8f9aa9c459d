package io.coppice.vasa.soap;

import io.coppice.wsdl.service.VasaServicePortType;
import jakarta.xml.bind.ValidationEventHandler;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.logging.FaultListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Publishes the endpoint on a CXF bus: both versions of SOAP, with and without MTOM, on one path.
public final class VasaService {

  private static final Logger log = LoggerFactory.getLogger(VasaService.class);
  private static final String WSDL = "classpath:wsdl/vasaService.wsdl";
  private static final String NAMESPACE = "http://com.vmware.vim.vasa/2.0/";

  private VasaService() {}

  /// What a request may be at most.
  ///
  /// @param depth levels of elements
  /// @param elements children of one element
  /// @param bytes of the body, and so of any text in it
  public record RequestLimits(int depth, int elements, long bytes) {}

  /// The second version of VASA that the service speaks.
  ///
  /// @param namespace of its requests and replies, and of the replication operations
  public record Version3(boolean offered, String namespace) {}

  /// @param path below the path of CXF's servlet
  public static Server publish(
      Bus bus, String path, Version3 version3, OperationInvoker invoker, RequestLimits limits) {
    limit(bus, limits);
    if (version3.offered()) {
      ReplicationPart.addTo(bus, WSDL);
    }
    var factory = new JaxWsServerFactoryBean();
    factory.setBus(bus);
    factory.setServiceClass(
        version3.offered() ? ReplicationPart.PortType.class : VasaServicePortType.class);
    factory.setWsdlLocation(WSDL);
    factory.setServiceName(new QName(NAMESPACE, "vasaService"));
    // The port of SOAP 1.2 takes 1.1 too; that of 1.1 would refuse 1.2 (contract §3.1).
    factory.setEndpointName(new QName(NAMESPACE, "vasaServiceHttpSoap12Endpoint"));
    factory.setAddress(path);
    factory.setInvoker(invoker);
    factory.setProperties(
        Map.of(
            JAXBDataBinding.READER_VALIDATION_EVENT_HANDLER,
            (ValidationEventHandler) UnreadableRequest::passes,
            FaultListener.class.getName(),
            (FaultListener)
                (exception, description, _) -> {
                  log.debug("{}: {}", description, exception.getMessage());
                  return false;
                }));
    Set<String> namespaces =
        version3.offered()
            ? Set.of(VersionNamespace.V2, version3.namespace())
            : Set.of(VersionNamespace.V2);
    factory.getInInterceptors().add(new SoapVersionOfRequest());
    factory.getInInterceptors().add(new VersionNamespace.In(namespaces));
    factory.getInInterceptors().add(new EmptyBodyGuard());
    factory.getOutInterceptors().add(new VersionNamespace.Out());
    factory.getOutFaultInterceptors().add(new UnreadableRequest());
    factory.getOutFaultInterceptors().add(new VersionNamespace.Out());
    return factory.create();
  }

  private static void limit(Bus bus, RequestLimits limits) {
    bus.setProperty("org.apache.cxf.stax.maxElementDepth", limits.depth());
    bus.setProperty("org.apache.cxf.stax.maxChildElements", limits.elements());
    bus.setProperty("org.apache.cxf.stax.maxTextLength", limits.bytes());
    bus.setProperty("org.apache.cxf.stax.maxXMLCharacters", limits.bytes());
    bus.setProperty("org.apache.cxf.stax.maxAttributeCount", 100);
    bus.setProperty("org.apache.cxf.stax.maxAttributeSize", 4096);
  }
}
