/// Parallel changes of one object: the tags of editions, and the headers `If-Match` and
/// `If-None-Match`. Begin with [io.coppice.admin.edition.Edition]. A controller states the edition
/// of its object, answers with an [io.coppice.admin.edition.Edited], and asks an
/// [io.coppice.admin.edition.IfMatch] before it changes anything.
@NullMarked
package io.coppice.admin.edition;

import org.jspecify.annotations.NullMarked;
