/// The duties that come back while the control plane runs, and what they leave to people. Entry
/// points: [io.coppice.vasa.housekeeping.HousekeepingRounds] and
/// [io.coppice.vasa.housekeeping.Orphans]. May depend on the features whose duties it does.
@NullMarked
package io.coppice.vasa.housekeeping;

import org.jspecify.annotations.NullMarked;
