package io.coppice.bench.subject;

/// One kind of I/O against one disk.
///
/// | Component | Meaning |
/// |---|---|
/// | `name` | what the table calls it |
/// | `readPercent` | share of reads, 0 to 100 |
/// | `blockBytes` | bytes of each I/O |
/// | `sequential` | one after the other, or at random places |
/// | `depth` | I/Os outstanding at any time; at 1 the submitter waits for each |
public record Load(String name, int readPercent, int blockBytes, boolean sequential, int depth) {

  public static Load randomWrite(int depth) {
    return new Load("4 KiB random write, depth " + depth, 0, 4096, false, depth);
  }

  public static Load randomRead(int depth) {
    return new Load("4 KiB random read, depth " + depth, 100, 4096, false, depth);
  }

  public static Load mixed(int depth) {
    return new Load("8 KiB random 70/30, depth " + depth, 70, 8192, false, depth);
  }

  public static Load sequential(int readPercent) {
    String way = readPercent == 0 ? "write" : "read";
    return new Load("1 MiB sequential " + way + ", depth 4", readPercent, 1 << 20, true, 4);
  }
}
