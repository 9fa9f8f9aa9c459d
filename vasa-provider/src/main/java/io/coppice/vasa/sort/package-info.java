/// The orders of lists: by a field, and between equals by the id of an item.
///
/// A leaf. Begin with [io.coppice.vasa.sort.RowOrder], which a client asks for;
/// [io.coppice.vasa.sort.SortColumns] is the same in SQL.
@NullMarked
package io.coppice.vasa.sort;

import org.jspecify.annotations.NullMarked;
