package io.coppice.engine.state;

import io.coppice.engine.device.AlignedBuffers;
import io.coppice.engine.device.BlockDevice;
import io.coppice.engine.device.DeviceException;
import io.coppice.engine.format.FormatException;
import io.coppice.engine.format.PoolLayout;
import io.coppice.engine.segment.Segment;
import io.coppice.engine.segment.Segments;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/// The reader of metadata that is stored twice, on a mirror twice on each device. It reads the
/// first copy. If that cannot be read or verified, it takes the next good copy and writes it over
/// the bad ones. Last it tries a device that does not hold everything: content that is as its
/// parent names it is the same. Safe for any thread.
///
/// It writes only bytes that it has just verified, to the blocks that hold them. The caller's epoch
/// keeps their zone from being used again. While the pool is being opened nothing is written: a
/// refused open touches nothing.
public final class MetadataReads {

  private static final Logger LOGGER = System.getLogger(MetadataReads.class.getName());
  private static final int MOST_PENDING = 256;

  private final BlockDevice device;
  private final Segments segments;
  private final AtomicLong mended = new AtomicLong();
  private final List<Pending> pending = new ArrayList<>(); // guarded by this
  private final List<Note> untold = new ArrayList<>(); // guarded by this
  private boolean open; // guarded by this
  private Told told = (what, done, zone) -> {}; // guarded by this
  private boolean listened; // guarded by this

  /// The receiver of reports about damaged copies.
  public interface Told {

    /// @param mended whether it is as it should be again
    /// @param zone that it lies in
    void damaged(String what, boolean mended, int zone);
  }

  /// The location of a copy.
  ///
  /// @param what for people
  public record Place(String what, BlockDevice.Copy copy, long offset) {}

  /// The right content of a damaged copy.
  private record Pending(Place place, ByteBuffer bytes) {}

  private record Note(String what, boolean done, int zone) {}

  MetadataReads(BlockDevice device, Segments segments) {
    this.device = device;
    this.segments = segments;
  }

  /// Damaged copies that were written anew.
  public long mended() {
    return mended.get();
  }

  /// Reads the structure at `offset` of a zone that a segment of metadata lies in.
  ///
  /// @param into as long as the blocks of it
  /// @param decode throws FormatException if the bytes, from 0 on, are not what they must be
  /// @throws FormatException if no copy is what it must be
  /// @throws DeviceException if the first cannot be read, and no other is what it must be
  <T> T read(String what, long offset, ByteBuffer into, Function<ByteBuffer, T> decode) {
    return read(what, offset, segments.twins().offsetOf(offset), into, decode);
  }

  /// As above, for a caller that knows where the second copy is.
  ///
  /// @param twin 0 or less: there is none
  public <T> T read(
      String what, long offset, long twin, ByteBuffer into, Function<ByteBuffer, T> decode) {
    int length = into.remaining();
    try {
      return decode.apply(fill(device, offset, into, length));
    } catch (FormatException | DeviceException e) {
      List<Place> places = places(device.copies(), what, offset, twin);
      return readOther(places, places(device.reserves(), what, offset, twin), e, into, decode);
    }
  }

  /// Reads every copy of a structure, and writes bad copies anew from a good one, which may be on a
  /// device that does not hold everything.
  ///
  /// @throws FormatException if no copy is good
  /// @throws DeviceException if none is good and the first could not be read
  public <T> T readAll(
      String what, long offset, long twin, ByteBuffer into, Function<ByteBuffer, T> decode) {
    int length = into.remaining();
    List<Place> damaged = new ArrayList<>();
    List<Place> places = places(device.copies(), what, offset, twin);
    RuntimeException first = new FormatException("expected " + what + ", found no copy of it");
    for (Place place : places) {
      try {
        T _ = decode.apply(fill(place.copy.device(), place.offset, into, length));
      } catch (FormatException | DeviceException e) {
        damaged.add(place);
        first = e;
      }
    }
    places.removeAll(damaged);
    List<Place> others = places(device.reserves(), what, offset, twin);
    List<Place> rest = new ArrayList<>(damaged);
    rest.addAll(places);
    return readOther(rest, others, first, into, decode);
  }

  private static List<Place> places(
      List<BlockDevice.Copy> copies, String what, long offset, long twin) {
    List<Place> places = new ArrayList<>();
    for (BlockDevice.Copy copy : copies) {
      places.add(new Place("the first copy of " + what + copy.name(), copy, offset));
    }
    for (BlockDevice.Copy copy : twin > 0 ? copies : List.<BlockDevice.Copy>of()) {
      places.add(new Place("the second copy of " + what + copy.name(), copy, twin));
    }
    return places;
  }

  /// @param reserves are read last and not mended: they do not hold everything
  private <T> T readOther(
      List<Place> places,
      List<Place> reserves,
      RuntimeException first,
      ByteBuffer into,
      Function<ByteBuffer, T> decode) {
    int length = into.limit();
    List<Place> all = new ArrayList<>(places);
    all.addAll(reserves);
    List<Place> damaged = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      T value;
      try {
        value = decode.apply(fill(all.get(i).copy.device(), all.get(i).offset, into, length));
      } catch (FormatException | DeviceException e) {
        if (i < places.size()) {
          damaged.add(all.get(i));
        }
        first.addSuppressed(e);
        continue;
      }
      damaged.forEach(bad -> mend(bad, into.clear().limit(length)));
      return value;
    }
    throw first;
  }

  private static ByteBuffer fill(BlockDevice from, long offset, ByteBuffer into, int length) {
    from.read(offset, into.clear().limit(length));
    return into.flip();
  }

  /// Writes verified bytes over a damaged copy. The caller keeps the zone from being used again.
  ///
  /// @return whether that is done
  public synchronized boolean mend(Place damaged, ByteBuffer bytes) {
    if (!open) {
      if (pending.size() < MOST_PENDING) {
        ByteBuffer kept = AlignedBuffers.allocate(bytes.remaining());
        pending.add(new Pending(damaged, kept.put(bytes.duplicate()).flip()));
      }
      return false;
    }
    boolean done = false;
    try {
      damaged.copy.device().writeStable(damaged.offset, List.of(bytes.duplicate()));
      mended.incrementAndGet();
      done = true;
    } catch (DeviceException e) {
      if (!device.hasCopy(damaged.copy.number())) {
        return false; // what is damaged on a device that was left out is no damage of the pool
      }
      LOGGER.log(Level.ERROR, "Could not write " + damaged.what + " anew.", e);
    }
    if (listened) {
      told.damaged(damaged.what, done, zoneOf(damaged));
    } else {
      untold.add(new Note(damaged.what, done, zoneOf(damaged)));
    }
    return done;
  }

  private int zoneOf(Place place) {
    return PoolLayout.zoneOf(place.offset, segments.zoneSize());
  }

  /// Mends the damage met while the pool was opened, before any of its zones can be freed. The pool
  /// is whole now.
  public synchronized void opened() {
    open = true;
    for (Pending copy : pending) {
      Segment there = segments.inZone(zoneOf(copy.place));
      if (there != null && there.kind() == Segment.Kind.META) {
        mend(copy.place, copy.bytes);
      }
    }
    pending.clear();
  }

  /// Tells `listener` of the damage met so far, and of later damage.
  public synchronized void tell(Told listener) {
    told = listener;
    listened = true;
    untold.forEach(note -> listener.damaged(note.what, note.done, note.zone));
    untold.clear();
  }
}
