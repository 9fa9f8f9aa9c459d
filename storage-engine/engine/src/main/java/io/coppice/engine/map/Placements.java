package io.coppice.engine.map;

/// Told of every placement that a map gains or loses. Committer only.
public interface Placements {

  /// An entry born in `born` that held `address` is gone: the placement counts no more.
  void released(long address, int born);

  /// An entry of the map of `version`, born in `born`, was replaced by another one or a hole. Its
  /// placement may count on, in the map of a version above.
  void replaced(MapRoot version, int born);

  /// A node left every map.
  void freed(Node node);

  /// A node came into being.
  void created(Node node);
}
