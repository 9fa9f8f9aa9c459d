/// What a VASA operation answers when it does not answer with its result.
///
/// Every part of the control plane throws a [io.coppice.vasa.fault.VasaException] with one of the
/// [io.coppice.vasa.fault.Fault] records; only `vasa.soap.FaultTranslation` turns it into the
/// wire's form. Depends on nothing else of the control plane.
@NullMarked
package io.coppice.vasa.fault;

import org.jspecify.annotations.NullMarked;
