/// Many hosts and machines against one provider, with kills, and what must be true after each.
///
/// Entry point: [io.coppice.load.VasaLoad].
@NullMarked
package io.coppice.load;

import org.jspecify.annotations.NullMarked;
