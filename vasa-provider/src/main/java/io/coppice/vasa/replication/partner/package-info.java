/// Replication groups as VASA sees them: who may see a group, which end may do what in which state,
/// and what becomes of it.
@NullMarked
package io.coppice.vasa.replication.partner;

import org.jspecify.annotations.NullMarked;
