/// The reader on whose behalf rows are read: a registration, which sees what it is offered, or
/// nobody in particular, who sees everything.
///
/// A leaf: [io.coppice.vasa.viewer.Viewer] is bound around each VASA call. Repositories of objects
/// that belong to a storage container ask it for the condition on their rows.
@NullMarked
package io.coppice.vasa.viewer;

import org.jspecify.annotations.NullMarked;
