/// Stand-ins that tests of every module share: an engine in memory that is the model of the real
/// one, a device that crashes and lies on request, and a pool on it.
@NullMarked
package io.coppice.engine.testing;

import org.jspecify.annotations.NullMarked;
