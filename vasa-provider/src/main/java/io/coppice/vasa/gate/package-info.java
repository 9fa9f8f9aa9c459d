/// The entrance to all work of the control plane, so that recovery can be alone.
///
/// A leaf: [io.coppice.vasa.gate.WorkGate] is opened and closed by whoever brings the control plane
/// up; calls, housekeeping and background copies pass it. May depend on `fault`.
@NullMarked
package io.coppice.vasa.gate;

import org.jspecify.annotations.NullMarked;
