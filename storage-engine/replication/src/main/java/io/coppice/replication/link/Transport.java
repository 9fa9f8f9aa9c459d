package io.coppice.replication.link;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/// A connection that carries bytes in both directions, in order.
///
/// One thread reads while another one writes. [#close] may come from any thread, never waits for
/// the other end, and makes both of them fail.
public interface Transport extends Closeable {

  InputStream in() throws IOException;

  OutputStream out() throws IOException;

  @Override
  void close();
}
