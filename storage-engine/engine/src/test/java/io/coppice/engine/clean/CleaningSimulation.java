package io.coppice.engine.clean;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Locale;
import java.util.SplittableRandom;

/// How much more the device writes than hosts do, by a model of log, cleaner and free zones that
/// writes nothing: the same policy, the same order of steps, blocks as numbers.
///
/// Left out: maps and checkpoints (they write, but make no zone dead that is not), readers, time.
/// `main` prints the table of decision 0021.
final class CleaningSimulation {

  private static final int ZONES = 256;
  private static final int PER_ZONE = 1024;
  private static final int PIECE = 64;
  private static final long BLOCK = 4096;
  private static final int KEPT = 16; // zones for the cleaner, the log and checkpoints

  /// Where what is moved goes.
  enum Streams {
    /// To the end of the log.
    THE_LOG,
    /// To zones of its own.
    SURVIVORS,
    /// To zones of its own: one for what outlived a zone of the log, one for what outlived others.
    YOUNG_AND_OLD
  }

  /// What hosts write.
  enum Load {
    /// Any block.
    UNIFORM,
    /// Nine of ten writes to a tenth of the blocks.
    HOT_AND_COLD,
    /// Zipf with exponent 0.99.
    ZIPF,
    /// Nine of ten to a tenth of the blocks in order, round and round; the others to any other.
    LOG_AND_COLD
  }

  /// @param fullPercent share of the capacity that is mapped
  /// @param depth writes in each batch
  record Setting(Streams streams, Load load, int fullPercent, int depth) {}

  private final Setting setting;
  private final SplittableRandom random = new SplittableRandom(20_261_122);
  private final int blocks;
  private final int[] shuffled;
  private final double[] zipf;
  private final int[] placeOf;
  private final int[] blockAt = new int[ZONES * PER_ZONE];
  private final int[] live = new int[ZONES];
  private final int[] streamOf = new int[ZONES];
  private final long[] opened = new long[ZONES];
  private final boolean[] sealed = new boolean[ZONES];
  private final ArrayDeque<Integer> free = new ArrayDeque<>();
  private final ArrayDeque<Integer> dead = new ArrayDeque<>();
  private final int[] open = {-1, -1, -1};
  private final int[] next = new int[3];
  private int turn; // of the load that goes in order
  private long segments;
  private long hostBlocks;
  private long deviceBlocks;
  private long credit;
  private int victim = -1;
  private int victimAt;

  CleaningSimulation(Setting setting) {
    this.setting = setting;
    blocks = (int) ((ZONES - KEPT) / 8L * 7 * PER_ZONE * setting.fullPercent / 100);
    placeOf = new int[blocks];
    Arrays.fill(placeOf, -1);
    Arrays.fill(blockAt, -1);
    for (int zone = 0; zone < ZONES; zone++) {
      free.add(zone);
    }
    shuffled = new int[blocks];
    for (int i = 0; i < blocks; i++) {
      int j = random.nextInt(i + 1);
      shuffled[i] = shuffled[j];
      shuffled[j] = i;
    }
    zipf = new double[setting.load == Load.ZIPF ? blocks : 0];
    double sum = 0;
    for (int i = 0; i < zipf.length; i++) {
      sum += 1 / Math.pow(i + 1.0, 0.99);
      zipf[i] = sum;
    }
  }

  /// Blocks written to the device for each block that hosts write, when it is steady.
  double amplification() {
    for (int block = 0; block < blocks; block += setting.depth) {
      batch(block);
    }
    writeOver(4);
    long device = deviceBlocks;
    long host = hostBlocks;
    writeOver(2);
    return (deviceBlocks - device) / (double) (hostBlocks - host);
  }

  private void writeOver(int times) {
    for (long end = hostBlocks + (long) times * blocks; hostBlocks < end; ) {
      batch(-1);
    }
  }

  private void batch(int inOrder) {
    long before = deviceBlocks;
    append(0, -1);
    for (int i = 0; i < setting.depth; i++) {
      append(0, inOrder < 0 ? chosen() : Math.min(inOrder + i, blocks - 1));
      hostBlocks++;
    }
    clean((deviceBlocks - before) * BLOCK);
  }

  private int chosen() {
    int tenth = blocks / 10;
    boolean hot = random.nextInt(10) < 9;
    return switch (setting.load) {
      case UNIFORM -> random.nextInt(blocks);
      case HOT_AND_COLD ->
          shuffled[hot ? random.nextInt(tenth) : tenth + random.nextInt(blocks - tenth)];
      case ZIPF -> {
        int found = Arrays.binarySearch(zipf, random.nextDouble() * zipf[blocks - 1]);
        yield shuffled[Math.min(found < 0 ? -found - 1 : found, blocks - 1)];
      }
      case LOG_AND_COLD -> hot ? turn++ % tenth : tenth + random.nextInt(blocks - tenth);
    };
  }

  // ---- zones

  private void append(int stream, int block) {
    if (open[stream] < 0 || next[stream] == PER_ZONE) {
      openZone(stream);
    }
    int place = open[stream] * PER_ZONE + next[stream]++;
    deviceBlocks++;
    if (block >= 0) {
      int old = placeOf[block];
      placeOf[block] = place;
      blockAt[place] = block;
      live[open[stream]]++;
      if (old >= 0) {
        blockAt[old] = -1;
        live[old / PER_ZONE]--;
        noteDead(old / PER_ZONE);
      }
    }
  }

  private void openZone(int stream) {
    int before = open[stream];
    if (before >= 0) {
      sealed[before] = true;
      noteDead(before);
    }
    if (free.isEmpty()) {
      checkpoint();
    }
    int zone = free.remove();
    open[stream] = zone;
    next[stream] = 0;
    streamOf[zone] = stream;
    opened[zone] = segments++;
  }

  private void noteDead(int zone) {
    if (sealed[zone] && live[zone] == 0) {
      sealed[zone] = false;
      dead.add(zone);
    }
  }

  private void checkpoint() {
    for (int zone : dead) {
      victim = zone == victim ? -1 : victim;
      free.add(zone);
    }
    dead.clear();
  }

  // ---- the cleaner

  private long spare() {
    return (free.size() - KEPT) * PER_ZONE * BLOCK;
  }

  private void clean(long paid) {
    if (dead.size() * 4 > free.size() + 1) {
      checkpoint();
    }
    CleaningSettings options = CleaningSettings.defaults();
    long packed = ((long) (ZONES - KEPT) * PER_ZONE - blocks) * BLOCK;
    long window = CleaningPolicy.window(packed, options.startPercent(), (int) (PER_ZONE * BLOCK));
    if (spare() < window) {
      credit += CleaningPolicy.pays(paid, spare(), window);
    }
    while (credit >= PIECE * BLOCK) {
      credit = piece(false) ? credit - PIECE * BLOCK : 0;
    }
    while (spare() <= 0 && (!dead.isEmpty() || piece(true))) {
      checkpoint();
    }
  }

  private boolean piece(boolean urgent) {
    if (victim < 0) {
      victim = best(urgent);
      victimAt = 0;
    }
    if (victim < 0) {
      return false;
    }
    int stream =
        switch (setting.streams) {
          case THE_LOG -> 0;
          case SURVIVORS -> 1;
          case YOUNG_AND_OLD -> streamOf[victim] == 0 ? 1 : 2;
        };
    int from = victim * PER_ZONE;
    int moved = 0;
    for (; moved < PIECE && victimAt < PER_ZONE; victimAt++) {
      int block = blockAt[from + victimAt];
      if (block >= 0) {
        if (moved++ == 0 && stream > 0) {
          append(stream, -1); // the header of the piece
        }
        append(stream, block);
      }
    }
    if (victimAt == PER_ZONE) {
      victim = -1;
    }
    return true;
  }

  private int best(boolean urgent) {
    int most = CleaningSettings.defaults().maxLivePercent();
    int best = -1;
    double highest = 0;
    for (int zone = 0; zone < ZONES; zone++) {
      double share = live[zone] / (double) PER_ZONE;
      if (sealed[zone] && live[zone] > 0 && (urgent || share * 100 <= most)) {
        double score = CleaningPolicy.score(share, urgent ? 1 : segments - opened[zone]);
        if (score > highest) {
          highest = score;
          best = zone;
        }
      }
    }
    return best;
  }

  public static void main(String[] args) {
    for (int depth : new int[] {32, 1}) {
      for (Load load : Load.values()) {
        for (int full : new int[] {70, 80, 90}) {
          StringBuilder line =
              new StringBuilder("depth %d, %s, %d %%:".formatted(depth, load, full));
          for (Streams streams : Streams.values()) {
            double found =
                new CleaningSimulation(new Setting(streams, load, full, depth)).amplification();
            line.append(String.format(Locale.ROOT, "  %.2f", found));
          }
          System.out.println(line);
        }
      }
    }
  }
}
