package io.coppice.vasa.volume.bin;

import io.coppice.vasa.approval.ApprovedChange;
import io.coppice.vasa.container.Containers;
import io.coppice.vasa.container.LowerBinTime;
import io.coppice.vasa.container.StorageContainer;
import io.coppice.vasa.fault.VasaException;
import io.coppice.vasa.time.SeenTime;
import io.coppice.vasa.time.TimeText;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/// The times that deleted things stay in the recycle bin, by container.
///
/// A longer time counts at once, and one person sets it. A lower one takes two people, and counts
/// only when the former time has passed since the second of them agreed: whoever gets hold of an
/// administrator's account cannot empty the bin sooner than its owners notice. Until then whatever
/// is deleted gets the former time, and what is in the bin keeps the time that it got. The lower
/// time is in the container's row, so a restart changes nothing. When the database is lost, so is
/// the lower time, and the former one stays.
@Component
public final class BinTimes implements ApprovedChange {

  /// The time that the setting says, as text.
  public static final String DEFAULT = "default";

  static final String ACTION = "lower-bin-time";

  private final Containers containers;
  private final BinSettings settings;
  private final SeenTime time;

  public BinTimes(Containers containers, BinSettings settings, SeenTime time) {
    this.containers = containers;
    this.settings = settings;
    this.time = time;
  }

  /// How long what is deleted from a container stays now; zero: it does not stay at all.
  public Duration of(StorageContainer container) {
    return length(container.binTime());
  }

  /// How long it will stay when a lower time counts.
  public Duration of(LowerBinTime lower) {
    return length(lower.time());
  }

  private Duration length(@Nullable Duration own) {
    return Objects.requireNonNullElse(own, settings.time());
  }

  /// Checks that one person may set a time.
  ///
  /// @param wanted null: as the setting says
  /// @throws VasaException (InvalidArgument) if it is lower than now, or no such time
  public void check(StorageContainer container, @Nullable Duration wanted) {
    if (wanted != null) {
      Containers.checkBinTime(wanted);
    }
    Duration now = of(container);
    if (length(wanted).compareTo(now) < 0) {
      throw VasaException.invalidArgument(
              "expected a time in the recycle bin of at least %s, as it is now, got %s: lowering it takes two accounts (POST /approvals, action %s)"
                  .formatted(TimeText.iso(now), TimeText.iso(length(wanted)), ACTION))
          .about("binTime");
    }
  }

  /// Sets a time that is not lower than now. A lower one that waits is given up.
  ///
  /// @param wanted null: as the setting says
  /// @throws VasaException (NotFound) if the container is unknown; (InvalidArgument) as [#check]
  public StorageContainer set(UUID id, @Nullable Duration wanted) {
    check(containers.require(id), wanted);
    return containers.setBinTime(id, wanted);
  }

  /// Lowers the times whose moment has come.
  ///
  /// @return the number
  public int lowerDue() {
    return containers.lowerBinTimes(time.now());
  }

  @Override
  public String action() {
    return ACTION;
  }

  /// A wish for a container.
  ///
  /// @param length null: as the setting says
  private record Wish(UUID container, @Nullable Duration length) {

    String text() {
      return container + " " + (length == null ? DEFAULT : TimeText.iso(length));
    }
  }

  private static Wish parsed(String value) {
    String[] parts = value.split(" ", -1);
    try {
      UUID container = UUID.fromString(parts[0]);
      String length = parts.length == 2 ? parts[1] : "";
      return new Wish(container, length.equals(DEFAULT) ? null : Duration.parse(length));
    } catch (IllegalArgumentException | DateTimeException e) {
      throw new VasaException(
              VasaException.invalidArgument("").fault(),
              "expected the id of a container, a space and a length of time such as PT12H, or default, got '%s'"
                  .formatted(value),
              e)
          .about("value");
    }
  }

  @Override
  public String checked(String value) {
    Wish wish = parsed(value);
    StorageContainer container =
        containers
            .find(wish.container())
            .orElseThrow(
                () ->
                    VasaException.invalidArgument(
                            "expected the id of a container, got '%s'".formatted(wish.container()))
                        .about("value"));
    Duration now = of(container);
    Duration wanted = length(wish.length());
    if (wanted.isNegative() || wanted.getNano() != 0 || wanted.compareTo(now) >= 0) {
      throw VasaException.invalidArgument(
              "expected a time in the recycle bin of whole seconds below %s, as it is now, got %s"
                  .formatted(TimeText.iso(now), TimeText.iso(wanted)))
          .about("value");
    }
    return wish.text();
  }

  /// The lower time counts from the end of the former one on.
  @Override
  public void make(String value) {
    Wish wish = parsed(value);
    containers.setLowerBinTime(
        wish.container(),
        container -> new LowerBinTime(wish.length(), time.now().plus(of(container))),
        time::onTheClock);
  }
}
