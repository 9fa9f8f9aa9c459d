/// The steps between database and pool behind which a crash may fall, so that tests can have one
/// fall there.
///
/// A leaf: [io.coppice.vasa.step.StepObserver] is told, nothing is decided here.
@NullMarked
package io.coppice.vasa.step;

import org.jspecify.annotations.NullMarked;
