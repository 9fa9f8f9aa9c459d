/// Types of the history and the forecasts over REST.
@NullMarked
package io.coppice.api.history;

import org.jspecify.annotations.NullMarked;
