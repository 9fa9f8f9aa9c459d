package io.coppice.engine.segment;

import io.coppice.engine.format.BlockAddress;
import io.coppice.engine.format.table.PageRow;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The pages of the segments of the log. A *page* says which blocks of a segment live, and where.
/// It lies among the nodes of maps. A segment whose content is short has none.
///
/// A page is in memory while its segment is written or cleaned, until a checkpoint has stored it. A
/// block that dies in another segment needs no page. Its death is a change, kept beside the page's
/// address and stored with it in the tables. If there are many changes, or little memory, the
/// thread that writes a checkpoint reads the page, and the next checkpoint stores it anew. So the
/// committer never reads one.
///
/// *What a crash leaves:* the checkpoint names a page and its changes, which say what lived at its
/// cut; the log says the rest. The blocks of a page that is stored anew are dead from the cut on,
/// like those of a node. They are not used again before the checkpoint with the new page counts. If
/// that checkpoint comes to nothing, the content it would have stored stays in memory for the next.
///
/// *Readers:* a page leaves out where dead blocks lie. A reader from before it was stored might
/// hold the address of a block that died. So the page replaces the content in memory once they have
/// left.
public final class Pages {

  /// Most bytes that a change takes, about.
  private static final long BYTES_OF_CHANGE = 8;

  /// The reader of stored pages.
  public interface Source {

    /// @throws io.coppice.engine.StorageException.Damaged if it is not that page
    /// @throws io.coppice.engine.StorageException.DeviceFailed if it cannot be read
    PageContent read(int segment, StoredPage at);
  }

  /// A segment whose page was stored by a checkpoint.
  ///
  /// @param at absent: it was too long, and is in the tables
  /// @param sealed whether it was at the cut: the page then covers the log of that time
  public record Stored(int segment, boolean sealed, @Nullable StoredPage at, int[] steps) {}

  /// A segment whose page is not in memory.
  public record Missing(int segment, StoredPage page) {}

  private final Segments segments;
  private final Source source;
  private final long budget;
  private final LongAdder loads = new LongAdder();

  // The committer's.
  private long brought; // bytes that the next checkpoint makes free again
  private long kept; // bytes in memory after the last one
  private long shortBytes; // most for a segment of which the page is left out
  private long diedAtCut;
  private final Set<Missing> unreadable = new HashSet<>();
  private volatile long pageBlocks;

  // Guarded by itself.
  private final ArrayDeque<Cached> cached = new ArrayDeque<>();
  private long cachedBytes; // guarded by cached

  private record Cached(int segment, BlockLocations.LoadedPlaces loaded) {}

  /// @param budget bytes for all page content in memory, short or not
  public Pages(Segments segments, long budget, Source source) {
    this.segments = segments;
    this.source = source;
    this.budget = budget;
  }

  /// Pages read from the device.
  public long loads() {
    return loads.sum();
  }

  /// Approximate number of blocks that pages take, each counted once.
  public long pageBlocks() {
    return pageBlocks;
  }

  // ---- committer: checkpoints

  /// Whether a checkpoint would free memory that is needed, once something has changed.
  public boolean isCheckpointDue() {
    return 2 * brought > budget;
  }

  /// Whether so many blocks died since the last cut that a checkpoint should put them in order.
  public boolean hasManyChanges() {
    return BYTES_OF_CHANGE * (segments.died() - diedAtCut) > budget;
  }

  /// The rows of a checkpoint that is cut now.
  public List<CutPage> cut() {
    List<CutPage> rows = new ArrayList<>();
    List<Segment> all = segments.all();
    int most = mostChanges();
    diedAtCut = segments.died();
    brought = 0;
    kept = 0;
    shortBytes = budget / 2 / Math.max(segments.zones(), all.size());
    long blocks = 0;
    for (Segment segment : all) {
      if (segment.kind() == Segment.Kind.LOG) {
        if (segment.live() == 0) {
          segments.dropPage(segment);
          segment.forgetPage();
        }
        if (segment.live() > 0 || segment.guests() > 0) {
          CutPage row = row(segment, most);
          rows.add(row);
          blocks += row instanceof CutPage.Here ? 0 : blocksOf(segment);
        }
      }
    }
    pageBlocks = blocks;
    return rows;
  }

  private CutPage row(Segment segment, int most) {
    StoredPage page = segment.page();
    boolean resident = segment.isResident();
    if (!resident || (page != null && !segment.isDue() && segment.changed() <= most)) {
      kept += segment.bytes();
      return new CutPage.Kept(
          segment.counts(),
          java.util.Objects.requireNonNull(page),
          segment.steps(),
          segment.frozenChanges());
    }
    PageContent content = segment.content();
    segments.dropPage(segment);
    // Zones of survivors hold guests alone: a page of nothing would be stored anew each time.
    if (segment.live() == 0 || content.bytes() <= shortBytes) {
      segment.stored(null, ZoneExtents.NONE);
      return new CutPage.Here(segment.counts(), content);
    }
    segment.cut();
    return new CutPage.Fresh(segment.counts(), !segment.isOpen(), content);
  }

  /// Most changes beside a stored page; fewer if memory is short.
  private int mostChanges() {
    return segments.blocksPerZone() / (2 * kept > budget ? 128 : 16);
  }

  private int blocksOf(Segment segment) {
    StoredPage page = segment.page();
    return page == null ? 1 : BlockAddress.blocks(page.address());
  }

  /// Some segments that have too many changes and nothing else in memory: as many as there is
  /// memory for.
  public List<Missing> crowded() {
    List<Missing> crowded = new ArrayList<>();
    int changes = mostChanges();
    long most = 1 + budget / 4 / (segments.blocksPerZone() / 4 + 256);
    for (Segment segment : segments.all()) {
      StoredPage page = segment.page();
      if (crowded.size() < most
          && page != null
          && !segment.isResident()
          && segment.changed() > changes) {
        Missing missing = new Missing(segment.id(), page);
        if (!unreadable.contains(missing)) {
          crowded.add(missing);
        }
      }
    }
    return crowded;
  }

  /// Notes pages that did not read. They keep their changes beside them, however many there are,
  /// and the others get their turn.
  public void didNotRead(Collection<Missing> pages) {
    unreadable.removeIf(each -> !isStored(each));
    unreadable.addAll(pages);
  }

  private boolean isStored(Missing page) {
    Segment segment = segments.find(page.segment);
    return segment != null && page.page.equals(segment.page());
  }

  /// Notes that the checkpoint counts that stored these pages.
  ///
  /// @param brought pages to be stored with their later changes
  /// @param afterReaders runs its argument when all present readers have left
  public void stored(
      Collection<Stored> written, List<PageContent> brought, Consumer<Runnable> afterReaders) {
    for (Stored row : written) {
      Segment segment = segments.find(row.segment);
      StoredPage at = row.at;
      if (segment != null) { // else nothing lives there any more, nor needs the page
        segment.stored(at, row.steps);
        if (at != null) {
          segments.nodeStored(at.address());
          if (row.sealed) {
            afterReaders.accept(() -> drop(segment, at));
          }
        }
      }
    }
    bringIn(brought);
  }

  /// Notes that the checkpoint that would have stored these rows came to nothing.
  public void notStored(List<CutPage> rows) {
    for (CutPage row : rows) {
      Segment segment = segments.find(row.counts().segment());
      if (row instanceof CutPage.Fresh && segment != null && segment.isStoring()) {
        segment.notStored();
      }
    }
  }

  // The segment may have been moved from, or be gone, meanwhile.
  private void drop(Segment segment, StoredPage at) {
    if (segments.find(segment.id()) == segment && at.equals(segment.page()) && segment.drop()) {
      segments.locations().setMoved(segment.id(), segment.steps().length == 0 ? null : at);
    }
  }

  // ---- committer: pages that a thread has read

  /// Answers a question about the live blocks of some segments. All that it needs must be in
  /// memory, or have been loaded and still be what is stored. Leaves memory as it was.
  ///
  /// @return null if something must be loaded first
  public <T> @Nullable T with(
      Collection<Integer> ids, Collection<PageContent> loaded, Supplier<T> question) {
    List<T> answer = new ArrayList<>(1);
    with(
        loaded,
        () -> {
          if (missing(ids).isEmpty()) {
            answer.add(question.get());
          }
        });
    return answer.isEmpty() ? null : answer.getFirst();
  }

  /// Runs a task while loaded pages that still match the stored ones are in memory. Pages that are
  /// not kept leave memory again.
  public void with(Collection<PageContent> loaded, Runnable task) {
    List<Segment> adopted = new ArrayList<>();
    for (PageContent content : loaded) {
      if (adopt(content)) {
        adopted.add(segments.require(content.segment()));
      }
    }
    try {
      task.run();
    } finally {
      adopted.forEach(Segment::drop);
    }
  }

  /// Every page that is stored, in memory or not.
  public List<Missing> named() {
    List<Missing> named = new ArrayList<>();
    for (Segment segment : segments.all()) {
      StoredPage page = segment.page();
      if (page != null) {
        named.add(new Missing(segment.id(), page));
      }
    }
    return named;
  }

  /// The segments of a collection whose pages are not in memory.
  public List<Missing> missing(Collection<Integer> ids) {
    List<Missing> missing = new ArrayList<>();
    for (int id : ids) {
      Segment segment = segments.find(id);
      StoredPage page = segment == null || segment.isResident() ? null : segment.page();
      if (page != null) {
        missing.add(new Missing(id, page));
      }
    }
    return missing;
  }

  /// Takes loaded pages into memory until a checkpoint has stored them anew.
  public void bringIn(Collection<PageContent> loaded) {
    for (PageContent content : loaded) {
      if (adopt(content)) {
        setDue(segments.require(content.segment()));
      }
    }
  }

  /// Keeps a segment, whose blocks will be moved, in memory until a checkpoint has stored it.
  public void keep(int id) {
    Segment segment = segments.find(id);
    if (segment != null && segment.kind() == Segment.Kind.LOG) {
      setDue(segment);
    }
  }

  private void setDue(Segment segment) {
    if (!segment.isDue()) {
      brought += segment.bytes();
      segment.setDue();
      RelocatedBlocks places = segment.places();
      if (places != null) {
        segments.locations().setMoved(segment.id(), places);
      }
    }
  }

  private boolean adopt(PageContent content) {
    Segment segment = segments.find(content.segment());
    if (segment == null || segment.isResident() || !content.isOf(segment.page())) {
      return false;
    }
    segment.adopt(content);
    return true;
  }

  // ---- recovery

  /// Brings the live blocks of a segment into memory, because blocks will be moved.
  public void bringIn(int id) {
    for (Missing each : missing(List.of(id))) {
      bringIn(List.of(load(each)));
    }
  }

  /// Puts back a segment whose page is left out.
  public void restore(PageRow.Counts counts, PageContent content) {
    Segment segment = segments.require(counts.segment());
    segments.restored(segment, () -> segment.restore(counts, content));
    if (content.places() != null) {
      segments.locations().setMoved(segment.id(), content.places());
    }
  }

  /// Puts back a segment with a page.
  @SuppressWarnings("NonAtomicVolatileUpdate") // one writer
  public void restore(PageRow.Counts counts, StoredPage at, int[] steps, long[] changes) {
    Segment segment = segments.require(counts.segment());
    BlockSet since = BlockSet.of(changes);
    segments.restored(
        segment, () -> segment.restore(counts, at, steps, since.size() == 0 ? null : since));
    if (steps.length > 0) {
      segments.locations().setMoved(segment.id(), at);
    }
    pageBlocks = pageBlocks + BlockAddress.blocks(at.address());
  }

  // ---- any thread inside an epoch

  /// Device offset of an address, or -1 if its segment is unknown. Reads the segment's page if it
  /// must, and keeps its content.
  public long offsetOf(long address) {
    BlockLocations locations = segments.locations();
    int id = BlockAddress.segment(address);
    BlockLocations.Moved moved = locations.moved(id);
    if (!(moved instanceof StoredPage page)) {
      return segments.offsetOf(address);
    }
    RelocatedBlocks places = load(new Missing(id, page)).places();
    if (places != null) {
      BlockLocations.LoadedPlaces loaded = new BlockLocations.LoadedPlaces(page, places);
      if (locations.replace(id, page, loaded)) {
        cache(new Cached(id, loaded));
      }
    }
    return Segments.offset(
        locations.placeOf(id, BlockAddress.block(address), segments.blocksPerZone(), places));
  }

  private void cache(Cached more) {
    synchronized (cached) {
      cached.add(more);
      cachedBytes += more.loaded.places().bytes();
      while (2 * cachedBytes > budget && cached.size() > 1) {
        Cached oldest = cached.remove();
        cachedBytes -= oldest.loaded.places().bytes();
        segments.locations().replace(oldest.segment, oldest.loaded, oldest.loaded.page());
      }
    }
  }

  /// The content of a stored page.
  ///
  /// @throws io.coppice.engine.StorageException if it cannot be read
  public PageContent load(Missing what) {
    loads.increment();
    return source.read(what.segment, what.page);
  }
}
