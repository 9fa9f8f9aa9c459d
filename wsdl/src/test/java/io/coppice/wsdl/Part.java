package io.coppice.wsdl;

import io.coppice.wsdl.replication.VasaReplicationPortType;
import io.coppice.wsdl.service.VasaServicePortType;
import jakarta.xml.bind.JAXBContext;
import jakarta.xml.bind.JAXBException;
import jakarta.xml.bind.annotation.XmlSeeAlso;
import java.nio.file.Path;
import java.util.List;
import javax.xml.validation.Schema;
import org.w3c.dom.Document;

/// The WSDLs of the contract, each with its table of operations and its golden messages.
enum Part {
  /// VASA 1.0.
  VERSION_1(
      "vasaService",
      "1.0/",
      "service.xsd",
      "1.0",
      "operations-1.0.table",
      "1.0",
      io.coppice.wsdl.v1.service.VasaServicePortType.class),

  /// VASA 2.0.
  SERVICE(
      "vasaService", "", "service.xsd", "2.0", "operations.table", ".", VasaServicePortType.class),

  /// The replication operations of 3.0.
  REPLICATION(
      "vasaReplication",
      "",
      "replication.xsd",
      "3.0",
      "replication.table",
      "3.0",
      VasaReplicationPortType.class);

  private static final Path WIRE = Path.of(System.getProperty("basedir", "."), "../docs/wire");

  /// What its names begin with.
  final String service;

  /// Where its files are.
  private final String path;

  /// The schema of its request and reply elements.
  final String schema;

  /// Namespace of these elements.
  final String namespace;

  private final String table;
  private final String folder;
  private final Class<?> portType;

  Part(
      String service,
      String path,
      String schema,
      String version,
      String table,
      String folder,
      Class<?> portType) {
    this.service = service;
    this.path = path;
    this.schema = path + schema;
    this.namespace = "http://com.vmware.vim.vasa/" + version + "/xsd";
    this.table = table;
    this.folder = folder;
    this.portType = portType;
  }

  List<Operation> operations() {
    return Operation.table(table);
  }

  Document wsdl() {
    return Contract.wsdl(path + service);
  }

  /// What its messages are valid against.
  Schema schemas() {
    return this == VERSION_1 ? Contract.schemaOfVersion1() : Contract.schema();
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
