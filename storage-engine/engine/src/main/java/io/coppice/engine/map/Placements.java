package io.coppice.engine.map;

/// Told of every placement that a map gains or loses. Committer only.
public interface Placements {

  /// An entry born in `born` that held `address` is gone: the placement counts no more.
  void released(long address, int born);

  /// A node left every map.
  void freed(Node node);

  /// A node came into being.
  void created(Node node);
}
