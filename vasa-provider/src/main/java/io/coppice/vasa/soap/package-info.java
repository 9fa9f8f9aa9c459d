/// The wire of VASA: the only code that sees the generated stubs, CXF or XML.
///
/// A call passes [io.coppice.vasa.soap.OperationInvoker] (session, limits, faults),
/// [io.coppice.vasa.soap.VasaEndpoint] (one line per operation) and the operations class of its
/// section, which maps to values and back.
@NullMarked
package io.coppice.vasa.soap;

import org.jspecify.annotations.NullMarked;
