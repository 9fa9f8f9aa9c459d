package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.table.PlacementRun;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The placement counts of blocks with two or more placements: blocks that were copied by pointer
/// or written many times at once. Any other block has one. Committer only.
///
/// A checkpoint takes over the counts at its cut as they are ([#frozen]). A later change copies
/// first, the row of one segment at a time. So a cut takes one step for a thousand segments,
/// however many blocks of them are counted.
public final class PlacementCounts {

  private static final int PAGE = 1024;

  private final TreeMap<Integer, Page> pages = new TreeMap<>(); // by id / PAGE
  private int generation;
  private int rows;
  private int lastId;
  private @Nullable SegmentCounts last; // of segment lastId
  private long size;

  /// The rows of segments with neighbouring ids; never changed after the next cut.
  private static final class Page {
    private final int generation;
    private final @Nullable SegmentCounts[] rows;
    private int used;

    Page(int generation, @Nullable SegmentCounts[] rows, int used) {
      this.generation = generation;
      this.rows = rows;
      this.used = used;
    }

    void forEach(Consumer<SegmentCounts> taker) {
      for (SegmentCounts row : rows) {
        if (row != null) {
          taker.accept(row);
        }
      }
    }
  }

  /// The counted blocks of each segment at a cut.
  public static final class Frozen {

    private final List<Page> pages;
    private final int rows;

    private Frozen(List<Page> pages, int rows) {
      this.pages = pages;
      this.rows = rows;
    }

    /// Number of segments with counted blocks.
    public int rows() {
      return rows;
    }

    /// Shows the rows, ascending.
    public void forEach(Consumer<SegmentCounts> taker) {
      pages.forEach(page -> page.forEach(taker));
    }
  }

  /// Blocks with two or more placements.
  public long size() {
    return size;
  }

  /// Placements of `address`: 1 unless counted.
  public long of(long address) {
    SegmentCounts counts = countsOf(BlockAddress.segment(address));
    long more = counts == null ? 0 : counts.of(BlockAddress.block(address));
    return more == SegmentCounts.MOST ? more : 1 + more;
  }

  /// Adds `more` placements, at most as many as can be counted.
  public void add(long address, long more) {
    int segment = BlockAddress.segment(address);
    SegmentCounts counts = countsOf(segment);
    change(counts == null ? new SegmentCounts(segment, generation) : counts, address, more);
  }

  private SegmentCounts change(SegmentCounts known, long address, long more) {
    SegmentCounts counts = known.generation() == generation ? known : known.copy(generation);
    if (counts != last) {
      put(counts);
      lastId = counts.segment();
      last = counts;
    }
    int before = counts.counted();
    counts.add(BlockAddress.block(address), more);
    size += counts.counted() - before;
    return counts;
  }

  /// Takes one placement away. A block with more placements than can be counted keeps them.
  ///
  /// @return whether that was the last one
  public boolean remove(long address) {
    SegmentCounts counts = countsOf(BlockAddress.segment(address));
    if (counts == null || counts.of(BlockAddress.block(address)) == 0) {
      return true;
    }
    if (change(counts, address, -1).counted() == 0) {
      discard(counts.segment());
    }
    return false;
  }

  private @Nullable SegmentCounts countsOf(int segment) {
    if (size == 0) {
      return null;
    }
    if (last == null || lastId != segment) {
      last = find(segment);
      lastId = segment;
    }
    return last;
  }

  private @Nullable SegmentCounts find(int segment) {
    Page page = pages.get(segment / PAGE);
    return page == null ? null : page.rows[segment % PAGE];
  }

  private void put(SegmentCounts counts) {
    Page page = writable(counts.segment() / PAGE);
    int index = counts.segment() % PAGE;
    if (page.rows[index] == null) {
      page.used++;
      rows++;
    }
    page.rows[index] = counts;
  }

  private void discard(int segment) {
    Page page = writable(segment / PAGE);
    page.rows[segment % PAGE] = null;
    page.used--;
    rows--;
    last = null;
    if (page.used == 0) {
      pages.remove(segment / PAGE);
    }
  }

  private Page writable(int number) {
    Page page = pages.get(number);
    if (page == null || page.generation != generation) {
      page =
          page == null
              ? new Page(generation, new SegmentCounts[PAGE], 0)
              : new Page(generation, page.rows.clone(), page.used);
      pages.put(number, page);
    }
    return page;
  }

  /// What there is now: nothing of it changes any more.
  public Frozen frozen() {
    generation++;
    return new Frozen(new ArrayList<>(pages.values()), rows);
  }

  /// The receiver of blocks with two or more placements.
  public interface Counted {
    /// @param further placements beyond the first
    void block(long address, long further);
  }

  /// Shows the counted blocks, ascending.
  public void forEach(Counted counted) {
    pages.values().forEach(page -> page.forEach(row -> row.forEach(counted)));
  }

  /// Bytes of memory that it takes, about.
  public long bytes() {
    long[] bytes = {pages.size() * (4L * PAGE + 100)};
    pages.values().forEach(page -> page.forEach(counts -> bytes[0] += counts.bytes()));
    return bytes[0];
  }

  /// Sets the counts of a segment's blocks, of which none may be counted yet.
  public void restore(SegmentCounts counts) {
    put(counts);
    size += counts.counted();
    last = null;
  }

  /// Sets the counts of a run's blocks, of which none may be counted yet.
  public void restore(PlacementRun run) {
    int segment = BlockAddress.segment(run.first());
    int block = BlockAddress.block(run.first());
    for (int i = 0; i < run.blocks(); i++) {
      add(BlockAddress.of(segment, block + i, 1), run.placements() - 1);
    }
  }
}
