package io.coppice.vasa.diagnosis;

/// The work of the array beside that of hosts, in bytes, 0 and more.
///
/// @param written to the devices, for whatever reason
/// @param moved by the cleaner
/// @param scrubbed read by the scrubber
record ArrayWork(long written, long moved, long scrubbed) {

  static final ArrayWork NONE = new ArrayWork(0, 0, 0);

  /// What came between two counts; 0 of what began anew.
  static ArrayWork between(ArrayWork before, ArrayWork after) {
    return new ArrayWork(
        Math.max(0, after.written - before.written),
        Math.max(0, after.moved - before.moved),
        Math.max(0, after.scrubbed - before.scrubbed));
  }

  ArrayWork plus(ArrayWork other) {
    return new ArrayWork(written + other.written, moved + other.moved, scrubbed + other.scrubbed);
  }
}
