package io.coppice.wsdl;

import io.coppice.wsdl.replication.VasaReplicationPortType;
import io.coppice.wsdl.service.VasaServicePortType;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.annotation.XmlSeeAlso;
import java.nio.file.Path;
import java.util.List;

/// The WSDLs of the contract, each with its table of operations and its golden messages.
enum Part {
  /// VASA 2.0.
  SERVICE("vasaService", "service.xsd", "2.0", "operations.table", ".", VasaServicePortType.class),

  /// The replication operations of 3.0.
  REPLICATION(
      "vasaReplication",
      "replication.xsd",
      "3.0",
      "replication.table",
      "3.0",
      VasaReplicationPortType.class);

  private static final Path WIRE = Path.of(System.getProperty("basedir", "."), "../docs/wire");

  /// What its names begin with.
  final String service;

  /// The schema of its request and reply elements.
  final String schema;

  /// Namespace of these elements.
  final String namespace;

  private final String table;
  private final String folder;
  private final Class<?> portType;

  Part(
      String service,
      String schema,
      String version,
      String table,
      String folder,
      Class<?> portType) {
    this.service = service;
    this.schema = schema;
    this.namespace = "http://com.vmware.vim.vasa/" + version + "/xsd";
    this.table = table;
    this.folder = folder;
    this.portType = portType;
  }

  List<Operation> operations() {
    return Operation.table(table);
  }

  /// Where its golden messages are.
  Path messages() {
    return WIRE.resolve(folder).normalize();
  }

  /// The stubs that its port type names.
  JAXBContext stubs() {
    try {
      return JAXBContext.newInstance(portType.getAnnotation(XmlSeeAlso.class).value());
    } catch (JAXBException e) {
      throw new AssertionError("expected a JAXB context of the generated factories", e);
    }
  }
}
