package io.coppice.engine.map;

/// The receiver of every placement that a map gains or loses. Committer only.
public interface Placements {

  /// Notes that an entry born in `born` that held `address` is gone: the placement counts no more.
  void released(long address, int born);

  /// Notes that an entry of the map of `version`, born in `born`, was replaced by another or a
  /// hole. Its placement may count on, in the map of a version above.
  void replaced(MapRoot version, int born);

  /// Notes that a node left every map.
  void freed(Node node);

  /// Notes a new node.
  void created(Node node);
}
