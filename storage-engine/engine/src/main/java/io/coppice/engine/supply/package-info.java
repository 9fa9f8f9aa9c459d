/// Where zones get their place on the medium, before anything is written there.
///
/// Entry point: [io.coppice.engine.supply.ZoneSupply]. Depends on the packages `device`, `segment`,
/// `format` and `thread`.
@NullMarked
package io.coppice.engine.supply;

import org.jspecify.annotations.NullMarked;
