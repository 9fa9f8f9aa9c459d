/// The answers of a VASA operation that are not its result.
///
/// What the control plane refuses by itself is a [io.coppice.vasa.fault.VasaException] with one of
/// the [io.coppice.vasa.fault.Fault] records. What comes from below (the pool, the target, the
/// database) passes through the features as it is and becomes one in
/// [io.coppice.vasa.fault.FaultTranslation] and nowhere else: the edges call it, and a feature that
/// writes the fault down, for an item of a batch or for a task. `vasa.soap.fault.FaultBeans` writes
/// it in the wire's form. Depends on nothing else of the control plane.
@NullMarked
package io.coppice.vasa.fault;

import org.jspecify.annotations.NullMarked;
