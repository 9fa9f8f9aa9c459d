package io.coppice.vasa.alert;

import java.util.List;

/// A source of alerts. It is asked each [AlertSettings#period] by one thread. Everything that is a
/// bean of this type is asked.
public interface AlertSource {

  /// A name that no other source has. Alerts belong to the source that found them.
  String name();

  /// Whether it asks the database. Such a source is not asked while the database is away, and its
  /// alerts stay as they are; it may take long without holding up the others.
  boolean needsDatabase();

  /// All that is wrong now. If it throws, nothing is known, and its alerts stay as they are.
  List<AlertFinding> look();
}
