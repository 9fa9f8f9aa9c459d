/// The history and the forecasts over REST. Begin with
/// [io.coppice.admin.history.HistoryController].
@NullMarked
package io.coppice.admin.history;

import org.jspecify.annotations.NullMarked;
