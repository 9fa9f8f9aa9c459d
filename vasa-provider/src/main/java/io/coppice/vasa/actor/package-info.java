/// The actor of a change: who asked for what the running code does.
///
/// A leaf: [io.coppice.vasa.actor.Actor] is bound around each request of REST and each VASA call.
@NullMarked
package io.coppice.vasa.actor;

import org.jspecify.annotations.NullMarked;
