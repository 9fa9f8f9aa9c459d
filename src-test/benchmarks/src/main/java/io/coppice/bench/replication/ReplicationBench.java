package io.coppice.bench.replication;

import io.coppice.bench.engine.EngineBench;
import io.coppice.kit.Tool;
import java.io.IOException;

/// `coppice bench replication`: `rto`, the time until volumes run at the other site and back;
/// `rpo`, how far the other site is behind and what that costs; `change`, the bytes over the link
/// for those that changed, which is the group `replication` of `coppice bench engine`.
public final class ReplicationBench {

  private ReplicationBench() {}

  public static void main(String[] arguments) throws IOException {
    Tool.main(
        "coppice bench replication", new ReplicationOptions(), arguments, ReplicationBench::run);
  }

  private static int run(ReplicationOptions options) throws IOException {
    boolean isKnown = false;
    if (options.wants("rto")) {
      isKnown = true;
      options.inFolder(folder -> RtoBench.run(options, folder));
    }
    if (options.wants("rpo")) {
      isKnown = true;
      options.inFolder(folder -> RpoBench.run(options, folder));
    }
    if (options.wants("change")) {
      return EngineBench.run("replication", options.isQuick());
    }
    if (!isKnown) {
      throw new IllegalArgumentException(
          "expected --only with a part of one of [rto, rpo, change]");
    }
    return 0;
  }
}
