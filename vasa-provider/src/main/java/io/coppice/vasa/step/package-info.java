/// The steps between database and pool at which a crash may fall. Tests can have one fall there.
///
/// A leaf: [io.coppice.vasa.step.StepObserver] is notified of steps, and nothing is decided here.
@NullMarked
package io.coppice.vasa.step;

import org.jspecify.annotations.NullMarked;
