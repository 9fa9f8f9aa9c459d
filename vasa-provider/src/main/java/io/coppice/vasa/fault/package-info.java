/// The answers of a VASA operation that are not its result.
///
/// Every part of the control plane throws a [io.coppice.vasa.fault.VasaException] with one of the
/// [io.coppice.vasa.fault.Fault] records. What comes from below (the pool, the target, the
/// database) becomes one in [io.coppice.vasa.fault.FaultTranslation] and nowhere else;
/// `vasa.soap.FaultBeans` writes it in the wire's form. Depends on nothing else of the control
/// plane.
@NullMarked
package io.coppice.vasa.fault;

import org.jspecify.annotations.NullMarked;
