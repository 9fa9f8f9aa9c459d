/// The reader on whose behalf rows are read: a registration, which sees what it is offered, a token
/// that is bound to storage containers, which sees those, or nobody in particular, who sees
/// everything.
///
/// A leaf: [io.coppice.vasa.viewer.Viewer] is bound around each VASA call, and around each request
/// of REST with such a token. Repositories of objects that belong to a storage container ask it for
/// the condition on their rows.
@NullMarked
package io.coppice.vasa.viewer;

import org.jspecify.annotations.NullMarked;
