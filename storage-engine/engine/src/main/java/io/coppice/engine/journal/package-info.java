/// Values of the journals of volumes, which bring a volume back to any recent moment.
@NullMarked
package io.coppice.engine.journal;

import org.jspecify.annotations.NullMarked;
