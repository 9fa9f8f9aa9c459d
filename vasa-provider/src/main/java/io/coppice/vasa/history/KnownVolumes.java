package io.coppice.vasa.history;

import io.coppice.engine.VolumeId;
import io.coppice.vasa.history.file.HistoryStep;
import io.coppice.vasa.history.file.OwnFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The volumes that the history has records of, with their containers and virtual machines, also
/// those that are deleted. One file has a line for each; a damaged line hides one volume that is
/// gone, and no figure of another.
///
/// New lines are added at the end, the last one of a volume counts. Once a day the file is written
/// anew, without volumes whose records are too old, and takes the place of the old one by renaming.
/// Safe for any thread.
final class KnownVolumes {

  private static final String NAME = "volumes";

  private final int most;
  private final Map<VolumeId, KnownVolume> volumes = new HashMap<>();
  private final Map<String, Set<VolumeId>> machines = new HashMap<>();
  private final Map<VolumeId, KnownVolume> unwritten = new LinkedHashMap<>();
  private long written = Long.MIN_VALUE;

  /// @param most volumes that are known at a time
  KnownVolumes(int most) {
    this.most = most;
  }

  /// Takes what the folder has. What is known already counts more.
  synchronized void load(Path folder) throws IOException {
    Path file = folder.resolve(NAME);
    if (!Files.exists(file)) {
      return;
    }
    Map<VolumeId, KnownVolume> found = new LinkedHashMap<>();
    try (Stream<String> lines =
        new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).lines()) {
      lines.forEach(line -> KnownVolume.parse(line).ifPresent(one -> found.put(one.id(), one)));
    }
    found.values().stream().filter(one -> !volumes.containsKey(one.id())).forEach(this::put);
  }

  private void put(KnownVolume volume) {
    remove(volume.id());
    volumes.put(volume.id(), volume);
    String machine = volume.machine();
    if (machine != null) {
      machines.computeIfAbsent(machine, _ -> new TreeSet<>()).add(volume.id());
    }
  }

  private void remove(VolumeId id) {
    KnownVolume old = volumes.remove(id);
    String machine = old == null ? null : old.machine();
    Set<VolumeId> others = machine == null ? null : machines.get(machine);
    if (others != null && others.remove(id) && others.isEmpty()) {
      machines.remove(machine);
    }
  }

  /// Notes that something is recorded of a volume.
  synchronized void note(KnownVolume volume) {
    KnownVolume before = volumes.get(volume.id());
    if (before == null || !before.isPlacedAs(volume)) {
      unwritten.put(volume.id(), volume);
    }
    if (before == null || !before.equals(volume)) {
      put(volume);
    }
  }

  synchronized Optional<KnownVolume> find(VolumeId id) {
    return Optional.ofNullable(volumes.get(id));
  }

  /// The volumes of a virtual machine.
  synchronized Collection<VolumeId> ofMachine(String machine) {
    return List.copyOf(machines.getOrDefault(machine, Set.of()));
  }

  synchronized int size() {
    return volumes.size();
  }

  /// Writes what is new; once a day everything.
  ///
  /// @param today since the epoch
  synchronized void store(Path folder, long today) throws IOException {
    if (today != written) {
      forgetOld(today);
      writeAll(folder);
      written = today;
    } else if (!unwritten.isEmpty()) {
      // a line that a crash cut short ends here, and is none
      OwnFiles.append(folder.resolve(NAME), "\n" + lines(unwritten.values()));
    }
    unwritten.clear();
  }

  private void forgetOld(long today) {
    long oldest = today - HistoryStep.HOUR.kept().toDays() - 1;
    List<KnownVolume> all = new ArrayList<>(volumes.values());
    all.sort(Comparator.comparingLong(KnownVolume::day));
    int excess = all.size() - most;
    for (int i = 0; i < all.size(); i++) {
      if (all.get(i).day() < oldest || i < excess) {
        remove(all.get(i).id());
      }
    }
  }

  private void writeAll(Path folder) throws IOException {
    Path next = folder.resolve(NAME + ".tmp");
    OwnFiles.write(next, lines(volumes.values()));
    Files.move(
        next,
        folder.resolve(NAME),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static String lines(Collection<KnownVolume> some) {
    return some.stream().map(one -> one.line() + "\n").collect(Collectors.joining());
  }
}
