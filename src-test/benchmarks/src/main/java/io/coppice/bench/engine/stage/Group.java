package io.coppice.bench.engine.stage;

import java.io.IOException;

/// Rows that belong together and share what they are measured on.
public interface Group {

  /// What `--only` looks into.
  String name();

  void run(Stage stage) throws IOException;
}
