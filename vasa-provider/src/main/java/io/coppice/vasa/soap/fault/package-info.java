/// Faults on the wire: [io.coppice.vasa.soap.fault.FaultBeans] is the one place where a fault gets
/// its form. May depend on `vasa.soap.value`.
@NullMarked
package io.coppice.vasa.soap.fault;

import org.jspecify.annotations.NullMarked;
