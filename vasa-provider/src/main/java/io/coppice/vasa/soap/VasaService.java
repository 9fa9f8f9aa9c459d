package io.coppice.vasa.soap;

import io.coppice.vasa.soap.argument.ArgumentChecks;
import io.coppice.vasa.soap.argument.EmptyBodyGuard;
import io.coppice.vasa.soap.argument.ReplicationPart;
import io.coppice.vasa.soap.argument.RequestSchema;
import io.coppice.vasa.soap.argument.SoapVersionOfRequest;
import io.coppice.vasa.soap.argument.UnreadableRequest;
import io.coppice.vasa.soap.argument.VersionNamespace;
import io.coppice.wsdl.service.VasaServicePortType;
import jakarta.xml.bind.ValidationEventHandler;
import java.util.Map;
import java.util.Set;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Server;
import org.apache.cxf.frontend.WSDLGetUtils;
import org.apache.cxf.jaxb.JAXBDataBinding;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.logging.FaultListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// The publisher of the endpoints on a CXF bus: both versions of SOAP, with and without MTOM, on
/// one path for each version of VASA.
public final class VasaService {

  private static final Logger log = LoggerFactory.getLogger(VasaService.class);
  private static final String WSDL = "classpath:wsdl/vasaService.wsdl";
  private static final String WSDL_1 = "classpath:wsdl/1.0/vasaService.wsdl";
  private static final String NAMESPACE_1 = "http://com.vmware.vim.vasa/1.0/";
  private static final String NAMESPACE = "http://com.vmware.vim.vasa/2.0/";

  private static final Set<String> WITHOUT_ARGUMENTS =
      Set.of(
          "queryCatalog", "queryCACertificates", "queryCACertificateRevocationLists", "requestCSR");

  private static final Set<String> WITHOUT_ARGUMENTS_1 = Set.of("queryCatalog");

  private VasaService() {}

  /// Limits to the size of a request.
  ///
  /// @param depth levels of elements
  /// @param elements children of one element
  /// @param bytes of the body, and so of any text in it
  public record RequestLimits(int depth, int elements, long bytes) {}

  /// The second version of VASA that the service speaks.
  ///
  /// @param namespace of its requests and replies, and of the replication operations
  public record Version3(boolean offered, String namespace) {}

  /// Publishes 2.0, and 3.0 beside it.
  ///
  /// @param path below the path of CXF's servlet
  public static Server publish(
      Bus bus, String path, Version3 version3, OperationInvoker invoker, RequestLimits limits) {
    limit(bus, limits);
    if (version3.offered()) {
      ReplicationPart.addTo(bus, WSDL);
    }
    Set<String> wire =
        version3.offered()
            ? Set.of(VersionNamespace.V2, version3.namespace())
            : Set.of(VersionNamespace.V2);
    JaxWsServerFactoryBean factory = factory(bus, path, invoker);
    factory.setServiceClass(
        version3.offered() ? ReplicationPart.PortType.class : VasaServicePortType.class);
    describe(factory, WSDL, NAMESPACE);
    intercept(
        factory,
        new VersionNamespace.In(
            wire,
            ReplicationPart::namespaceOf,
            new ArgumentChecks(RequestSchema.version2(), null, WITHOUT_ARGUMENTS)),
        new EmptyBodyGuard(WITHOUT_ARGUMENTS),
        VersionNamespace.V2);
    return factory.create();
  }

  /// Publishes 1.0.
  ///
  /// @param path below the path of CXF's servlet
  public static Server publishVersion1(
      Bus bus, String path, OperationInvoker invoker, RequestLimits limits) {
    limit(bus, limits);
    JaxWsServerFactoryBean factory = factory(bus, path, invoker);
    factory.setServiceClass(io.coppice.wsdl.v1.service.VasaServicePortType.class);
    describe(factory, WSDL_1, NAMESPACE_1);
    intercept(
        factory,
        new VersionNamespace.In(
            Set.of(VersionNamespace.V1),
            _ -> VersionNamespace.V1,
            new ArgumentChecks(
                RequestSchema.version1(), RequestSchema.version2(), WITHOUT_ARGUMENTS_1)),
        new EmptyBodyGuard(WITHOUT_ARGUMENTS_1),
        VersionNamespace.V1);
    return factory.create();
  }

  private static JaxWsServerFactoryBean factory(Bus bus, String path, OperationInvoker invoker) {
    var factory = new JaxWsServerFactoryBean();
    factory.setBus(bus);
    factory.setAddress(path);
    factory.setInvoker(invoker);
    factory.setProperties(
        Map.of(
            JAXBDataBinding.READER_VALIDATION_EVENT_HANDLER,
            (ValidationEventHandler) UnreadableRequest::passes,
            // The WSDL gives the address of the query, for each of its ports.
            WSDLGetUtils.AUTO_REWRITE_ADDRESS_ALL,
            true,
            FaultListener.class.getName(),
            (FaultListener)
                (exception, description, _) -> {
                  log.debug("{}: {}", description, exception.getMessage());
                  return false;
                }));
    return factory;
  }

  private static void describe(JaxWsServerFactoryBean factory, String wsdl, String namespace) {
    factory.setWsdlLocation(wsdl);
    factory.setServiceName(new QName(namespace, "vasaService"));
    // The port of SOAP 1.2 takes 1.1 too; that of 1.1 would refuse 1.2 (contract §3.1).
    factory.setEndpointName(new QName(namespace, "vasaServiceHttpSoap12Endpoint"));
  }

  /// @param unnamed namespace of the answer to an empty body
  private static void intercept(
      JaxWsServerFactoryBean factory,
      VersionNamespace.In namespace,
      EmptyBodyGuard guard,
      String unnamed) {
    factory.getInInterceptors().add(new SoapVersionOfRequest());
    factory.getInInterceptors().add(namespace);
    factory.getInInterceptors().add(guard);
    factory.getOutInterceptors().add(new VersionNamespace.Out(unnamed));
    factory.getOutFaultInterceptors().add(new UnreadableRequest());
    factory.getOutFaultInterceptors().add(new VersionNamespace.Out(unnamed));
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
