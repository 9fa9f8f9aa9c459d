/// For whom something is read: a registration, which sees what it is offered, or nobody in
/// particular, who sees all.
///
/// A leaf: [io.coppice.vasa.viewer.Viewer] is bound around each VASA call; the repositories of what
/// belongs to a storage container ask it for the condition on their rows.
@NullMarked
package io.coppice.vasa.viewer;

import org.jspecify.annotations.NullMarked;
