package io.coppice.vasa.history;

import io.coppice.engine.StorageException;
import io.coppice.engine.VolumeId;
import io.coppice.engine.VolumeSpace;
import io.coppice.vasa.history.file.HistoryFiles;
import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.history.file.Record;
import io.coppice.vasa.history.file.Stretch;
import io.coppice.vasa.volume.space.SpaceStatistics;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The answers from what was recorded. Asks no database. Safe for any thread.
public final class History {

  /// Answers that are made at a time, which bounds the memory.
  private static final int ANSWERS = 2;

  /// Volumes or initiators whose records are in memory at a time, for the same reason.
  private static final int AT_A_TIME = 16;

  private final HistoryRecorder recorder;
  private final SpaceStatistics spaces;
  private final InstantSource clock;
  private final AnswerTurns answering = new AnswerTurns(ANSWERS);

  public History(HistoryRecorder recorder, SpaceStatistics spaces, InstantSource clock) {
    this.recorder = recorder;
    this.spaces = spaces;
    this.clock = clock;
  }

  /// The clock that names the slots.
  public Instant now() {
    return clock.instant();
  }

  /// Why nothing is recorded now, as a clause; empty if it is.
  public Optional<String> obstacle() {
    return recorder.obstacle();
  }

  /// A volume that something was recorded of, also if it is deleted.
  public Optional<KnownVolume> volume(VolumeId id) {
    return recorder.known().find(id);
  }

  /// The volumes that a virtual machine has or had, as far as something was recorded of them.
  public Collection<VolumeId> ofMachine(String machine) {
    return recorder.known().ofMachine(machine);
  }

  public ObjectHistory ofPool(Window window, List<Series> wanted) {
    return of(window, wanted, Keys.poolTraffic(), Keys.poolSpace());
  }

  public ObjectHistory ofContainer(UUID container, Window window, List<Series> wanted) {
    return of(window, wanted, Keys.containerTraffic(container), Keys.containerSpace(container));
  }

  private ObjectHistory of(Window window, List<Series> wanted, long trafficKey, long spaceKey) {
    return answering.call(
        () -> {
          Stretch stretch = read(window, List.of(trafficKey, spaceKey));
          Traffics traffics = new Traffics(window.length());
          traffics.add(stretch, List.of(trafficKey));
          List<ObjectHistory.Line> lines = new ArrayList<>();
          for (Series series : wanted) {
            lines.add(
                ObjectHistory.Line.of(
                    series.isExact() ? exact(series, stretch, spaceKey) : traffics.points(series)));
          }
          return new ObjectHistory(window, lines);
        });
  }

  /// The history of a host: what its initiators read and wrote together.
  ///
  /// @param initiators lower-case iSCSI names
  public ObjectHistory ofInitiators(
      Collection<String> initiators, Window window, List<Series> wanted) {
    List<Long> keys = initiators.stream().map(Keys::initiatorTraffic).toList();
    return answering.call(
        () -> {
          Traffics traffics = new Traffics(window.length());
          int begin = 0;
          do { // also without any initiator, for the gaps
            List<Long> some = keys.subList(begin, Math.min(keys.size(), begin + AT_A_TIME));
            traffics.add(read(window, some), some);
            begin += AT_A_TIME;
          } while (begin < keys.size());
          return new ObjectHistory(
              window,
              wanted.stream().map(one -> ObjectHistory.Line.of(traffics.points(one))).toList());
        });
  }

  /// Whether something was recorded of an initiator in the time for which records are kept.
  ///
  /// @param name lower-case iSCSI name
  public boolean hasInitiator(String name) {
    long key = Keys.initiatorTraffic(name);
    Instant now = clock.instant();
    return answering.call(
        () -> {
          for (Window window : until(now.minus(HistoryStep.HOUR.kept()), now)) {
            Stretch stretch = read(window, List.of(key));
            for (int i = 0; i < stretch.length(); i++) {
              if (stretch.words(key, i) != null) {
                return true;
              }
            }
          }
          return false;
        });
  }

  private static Points exact(Series series, Stretch stretch, long key) {
    @Nullable Double[] values = new Double[stretch.length()];
    for (int i = 0; i < values.length; i++) {
      short[] words = stretch.words(key, i);
      if (words != null && stretch.isKnown(key, i)) {
        values[i] = (double) Record.exact(words, series.place());
      }
    }
    return new Points(series, values, times(stretch));
  }

  private static double[] times(Stretch stretch) {
    double[] times = new double[stretch.length()];
    for (int i = 0; i < times.length; i++) {
      times[i] = stretch.millis(i);
    }
    return times;
  }

  /// The history of some volumes together.
  public ObjectHistory ofVolumes(Collection<VolumeId> volumes, Window window, List<Series> wanted) {
    return answering.call(() -> together(List.copyOf(volumes), window, wanted));
  }

  private ObjectHistory together(List<VolumeId> volumes, Window window, List<Series> wanted) {
    Traffics traffics = new Traffics(window.length());
    Map<Series, HeldSpaces> spaces = new EnumMap<>(Series.class);
    wanted.stream()
        .filter(one -> one.source() == Series.Source.VOLUME)
        .forEach(one -> spaces.put(one, new HeldSpaces(one, window.length())));
    for (int begin = 0; begin < volumes.size(); begin += AT_A_TIME) {
      List<VolumeId> some = volumes.subList(begin, Math.min(volumes.size(), begin + AT_A_TIME));
      List<Long> keys = new ArrayList<>(some.stream().map(Keys::volumeTraffic).toList());
      List<Long> traffic = List.copyOf(keys);
      some.forEach(volume -> keys.add(Keys.volumeSpace(volume)));
      Stretch stretch = read(window, keys);
      traffics.add(stretch, traffic);
      if (!spaces.isEmpty()) {
        Map<VolumeId, double[]> after = spaceAfter(some, window);
        spaces.values().forEach(held -> held.add(stretch, some, after));
      }
    }
    List<ObjectHistory.Line> lines = new ArrayList<>();
    for (Series series : wanted) {
      HeldSpaces held = spaces.get(series);
      lines.add(ObjectHistory.Line.of(held == null ? traffics.points(series) : held.points()));
    }
    return new ObjectHistory(window, lines);
  }

  /// The space of volumes right after a window: that before the first change since, or that of now.
  private Map<VolumeId, double[]> spaceAfter(Collection<VolumeId> volumes, Window window) {
    Map<VolumeId, double[]> after = new HashMap<>();
    Set<Long> keys = new HashSet<>();
    volumes.forEach(volume -> keys.add(Keys.volumeSpace(volume)));
    for (Window later : until(window.end(), now())) {
      Stretch stretch = read(later, keys);
      for (VolumeId volume : volumes) {
        if (!after.containsKey(volume)) {
          firstBefore(stretch, Keys.volumeSpace(volume))
              .ifPresent(space -> after.put(volume, space));
        }
      }
    }
    for (VolumeId volume : volumes) {
      if (!after.containsKey(volume)) {
        spaceOf(volume).ifPresent(space -> after.put(volume, space));
      }
    }
    return after;
  }

  /// Windows that lead from a time to now, by ever shorter steps at the end.
  private static List<Window> until(Instant from, Instant now) {
    List<Window> windows = new ArrayList<>();
    Instant begin = from;
    for (HistoryStep step :
        List.of(
            HistoryStep.HOUR,
            HistoryStep.TEN_MINUTES,
            HistoryStep.MINUTE,
            HistoryStep.TEN_SECONDS)) {
      Window window = Window.of(step, begin, now, now);
      if (window.length() > 0) {
        windows.add(window);
        begin = window.end();
      }
    }
    return windows;
  }

  private static Optional<double[]> firstBefore(Stretch stretch, long key) {
    for (int i = 0; i < stretch.length(); i++) {
      short[] words = stretch.words(key, i);
      if (words != null) {
        double[] figures = Record.figures(words);
        return Optional.of(new double[] {figures[2] * 1024, figures[3] * 1024});
      }
    }
    return Optional.empty();
  }

  /// The space of now, 0 of a volume that is gone; empty once the pool has stopped.
  private Optional<double[]> spaceOf(VolumeId volume) {
    try {
      Optional<VolumeSpace> space = spaces.find(volume);
      return Optional.of(
          space
              .map(found -> new double[] {found.mapped(), found.unique()})
              .orElse(new double[] {0, 0}));
    } catch (StorageException poolStopped) {
      return Optional.empty();
    }
  }

  Stretch read(Window window, Collection<Long> keys) {
    Optional<HistoryFiles> files = recorder.files();
    return files.isPresent()
        ? files.get().read(window.step(), keys, window.from(), window.to())
        : Stretch.unknown(window.step(), window.from(), window.to());
  }
}
