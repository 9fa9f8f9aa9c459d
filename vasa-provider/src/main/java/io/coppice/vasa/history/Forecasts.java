package io.coppice.vasa.history;

import java.util.UUID;

/// Forecasts of when space runs out. They ask no database and cost some reads of small files.
public interface Forecasts {

  Forecast ofPool();

  /// A container that was never recorded has too little history.
  ///
  /// @param name as the sentence calls it
  Forecast ofContainer(UUID container, String name);
}
