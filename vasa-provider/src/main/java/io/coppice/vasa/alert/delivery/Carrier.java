package io.coppice.vasa.alert.delivery;

import java.io.IOException;
import java.util.List;

/// A carrier of messages to one target. Of one thread, which an interrupt frees from a server that
/// hangs.
interface Carrier extends AutoCloseable {

  /// Most messages that it takes at once.
  int most();

  /// @throws IOException if the target did not take them all, with the reason as a clause
  void carry(List<Message> messages) throws IOException;

  @Override
  void close();
}
