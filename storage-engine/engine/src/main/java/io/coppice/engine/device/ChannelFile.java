package io.coppice.engine.device;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.util.List;

/// A file by the means of Java alone. A thread that is interrupted in a call here closes the file
/// for all threads.
final class ChannelFile implements RawFile {

  private final FileChannel channel;

  ChannelFile(FileChannel channel) {
    this.channel = channel;
  }

  @Override
  public int read(ByteBuffer into, long at) throws IOException {
    return channel.read(into, at);
  }

  @Override
  public long write(List<ByteBuffer> from, long at) throws IOException {
    for (ByteBuffer buffer : from) {
      if (buffer.hasRemaining()) {
        return channel.write(buffer, at);
      }
    }
    return 0;
  }

  @Override
  public void force() throws IOException {
    channel.force(false);
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
