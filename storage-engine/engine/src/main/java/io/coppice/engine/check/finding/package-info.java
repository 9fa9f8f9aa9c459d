/// The findings of the check of a pool, and the report that they make. Begin with [CheckReport].
/// Depends on nothing of the engine.
@NullMarked
package io.coppice.engine.check.finding;

import org.jspecify.annotations.NullMarked;
