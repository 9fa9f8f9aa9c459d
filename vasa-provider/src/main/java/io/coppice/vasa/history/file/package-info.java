/// Files of the history: figures of many objects, one row for each step of time, and segments of
/// closed rows. Begin with [io.coppice.vasa.history.file.HistoryFiles].
///
/// Depends on nothing of the provider. It knows keys, words and times, not what they are about.
@NullMarked
package io.coppice.vasa.history.file;

import org.jspecify.annotations.NullMarked;
