package io.coppice.conformance;

/// A logical unit as the suite sees it.
///
/// @param name for the report
/// @param url of libiscsi
/// @param initiator name of the first path's initiator; the second path's has `-2` after it
record Subject(String name, String url, String initiator) {

  static final String SECOND = "-2";
}
