/// The duties that come back while the control plane runs. Entry point:
/// [io.coppice.vasa.housekeeping.HousekeepingRounds]. May depend on the features whose duties it
/// does.
@NullMarked
package io.coppice.vasa.housekeeping;

import org.jspecify.annotations.NullMarked;
