package io.coppice.vasa.soap.argument;

import io.coppice.wsdl.replication.VasaReplicationPortType;
import io.coppice.wsdl.service.VasaServicePortType;
import jakarta.jws.WebService;
import jakarta.xml.bind.annotation.XmlSchema;
import jakarta.xml.bind.annotation.XmlSeeAlso;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import javax.wsdl.Binding;
import javax.wsdl.BindingOperation;
import javax.wsdl.Definition;
import javax.wsdl.Import;
import javax.wsdl.Operation;
import javax.wsdl.WSDLException;
import javax.xml.namespace.QName;
import org.apache.cxf.Bus;
import org.apache.cxf.wsdl.WSDLManager;

/// The replication operations, added to those of 2.0 at one URL: a client of 3.0 calls both there.
///
/// Their WSDL is a part of its own, and a port type cannot extend another one. So the part's
/// operations are added to the service's before it is published.
public final class ReplicationPart {

  /// Namespace of the part's elements in our own schema.
  static final String NAMESPACE =
      VasaReplicationPortType.class
          .getPackage()
          .getAnnotation(XmlSchema.class)
          .namespace()
          .intern(); // as readers of XML give namespaces, and JAXB compares them

  private static final String PART = "classpath:wsdl/vasaReplication.wsdl";

  /// Beginnings of the names of the WSDL's bindings, and of those of the part.
  private static final String SERVICE_NAME = "vasaService";

  private static final String PART_NAME = "vasaReplication";

  private static final Set<String> OPERATIONS =
      Arrays.stream(VasaReplicationPortType.class.getMethods())
          .map(Method::getName)
          .collect(Collectors.toUnmodifiableSet());

  private ReplicationPart() {}

  /// All operations of 3.0.
  @WebService(name = "vasaServicePortType", targetNamespace = "http://com.vmware.vim.vasa/2.0/")
  @XmlSeeAlso({
    io.coppice.wsdl.capability.ObjectFactory.class,
    io.coppice.wsdl.capability.provider.ObjectFactory.class,
    io.coppice.wsdl.capability.types.ObjectFactory.class,
    io.coppice.wsdl.compliance.ObjectFactory.class,
    io.coppice.wsdl.data.ObjectFactory.class,
    io.coppice.wsdl.fault.ObjectFactory.class,
    io.coppice.wsdl.placement.ObjectFactory.class,
    io.coppice.wsdl.policy.ObjectFactory.class,
    io.coppice.wsdl.profile.ObjectFactory.class,
    io.coppice.wsdl.replication.ObjectFactory.class,
    io.coppice.wsdl.service.ObjectFactory.class,
    io.coppice.wsdl.statistics.ObjectFactory.class,
    io.coppice.wsdl.vasa.ObjectFactory.class,
    io.coppice.wsdl.vvol.ObjectFactory.class
  })
  public interface PortType extends VasaServicePortType, VasaReplicationPortType {}

  /// Namespace of an operation's elements in our own schemas.
  public static String namespaceOf(String operation) {
    return OPERATIONS.contains(operation) ? NAMESPACE : VersionNamespace.V2;
  }

  /// Adds the part to the service's definition, as the bus keeps it.
  ///
  /// @param service location of the WSDL of 2.0
  public static void addTo(Bus bus, String service) {
    WSDLManager definitions = bus.getExtension(WSDLManager.class);
    try {
      add(definitions.getDefinition(service), definitions.getDefinition(PART));
    } catch (WSDLException e) {
      throw new IllegalStateException("our own WSDL cannot be read", e);
    }
  }

  private static void add(Definition service, Definition part) {
    Import inclusion = service.createImport();
    inclusion.setNamespaceURI(part.getTargetNamespace());
    inclusion.setLocationURI(PART.substring(PART.lastIndexOf('/') + 1));
    inclusion.setDefinition(part);
    service.addImport(inclusion);
    service.addNamespace("replication", part.getTargetNamespace());
    javax.wsdl.PortType all = portType(service);
    for (Object operation : portType(part).getOperations()) {
      all.addOperation((Operation) operation);
    }
    for (Object one : service.getBindings().values()) {
      Binding binding = (Binding) one;
      String name = binding.getQName().getLocalPart().replace(SERVICE_NAME, PART_NAME);
      for (Object operation :
          part.getBinding(new QName(part.getTargetNamespace(), name)).getBindingOperations()) {
        binding.addBindingOperation((BindingOperation) operation);
      }
    }
  }

  private static javax.wsdl.PortType portType(Definition definition) {
    return (javax.wsdl.PortType) definition.getPortTypes().values().iterator().next();
  }
}
