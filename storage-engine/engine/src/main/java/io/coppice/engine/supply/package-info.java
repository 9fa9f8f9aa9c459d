/// The supply of zones: their place on the medium, and their first writing, before anything is
/// stored there.
///
/// Entry point: [io.coppice.engine.supply.ZoneSupply]. Depends on the packages `device`, `segment`,
/// `format` and `thread`.
@NullMarked
package io.coppice.engine.supply;

import org.jspecify.annotations.NullMarked;
