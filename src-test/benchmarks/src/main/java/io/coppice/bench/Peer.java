package io.coppice.bench;

/// Something that reads and writes 4 KiB blocks at random places.
interface Peer extends AutoCloseable {

  /// The operation that is done to each block.
  enum Work {
    WRITE,
    READ
  }

  String name();

  /// Keeps `depth` operations outstanding for `nanos` and gives how many ended per second.
  double perSecond(Work work, int depth, long nanos);

  @Override
  void close();
}
