/// The wire of VASA: the only code that sees the generated stubs, CXF or XML.
///
/// A call is read and checked by `argument`, passes [io.coppice.vasa.soap.OperationInvoker]
/// (session, limits, faults), [io.coppice.vasa.soap.VasaEndpoint] (one line per operation) and the
/// class of its section in `operation`, which maps to values and back with `translate`, `value` and
/// `fault`. None of these packages knows this one.
@NullMarked
package io.coppice.vasa.soap;

import org.jspecify.annotations.NullMarked;
