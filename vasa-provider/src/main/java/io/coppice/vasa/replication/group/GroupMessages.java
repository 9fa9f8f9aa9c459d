package io.coppice.vasa.replication.group;

import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.vasa.protection.rule.PointTier;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// The texts that the control planes of two pools say about groups, as JSON.
final class GroupMessages {

  /// Subject of [Description], which the source says at the beginning of each cycle.
  static final String DESCRIBE = "describe";

  /// Subject of [Wish], which the target says.
  static final String SYNCHRONIZE = "synchronize";

  /// Subject of [Turn], which the end says that becomes the source.
  static final String TURN = "turn";

  /// Subject of [Turn] as a question: the answer is the replica that a planned fail-over needs, as
  /// [Done].
  static final String PREPARED = "prepared";

  private static final JsonMapper JSON = new JsonMapper();

  private GroupMessages() {}

  /// The words of the source about a group; the answer is the [Standing] there. A peer of another
  /// version may say more, which is passed over, or less.
  ///
  /// @param rpo null for the usual one, and from a source that does not know of it
  record Description(
      UUID group,
      String name,
      Duration interval,
      @Nullable Duration rpo,
      List<PointTier> keep,
      @Nullable String container,
      List<String> machines) {}

  /// The state of a group at the end that answers.
  record Standing(GroupState state) {}

  /// The wish for a cycle now; the answer is the [Done] cycle.
  record Wish(UUID group, String name, List<String> tags) {}

  /// The replica that a cycle made.
  record Done(UUID replica) {}

  /// A group that is about to turn; after the demand that the other end become its target, the
  /// answer is its [Standing].
  record Turn(UUID group) {}

  static String text(Object message) {
    return JSON.writeValueAsString(message);
  }

  /// @throws ReplicationException (DAMAGED) if the text is no such message
  static <T> T parse(String text, Class<T> type) {
    try {
      T message = JSON.readValue(text, type);
      if (message == null) {
        throw damaged(type, "nothing");
      }
      return message;
    } catch (JacksonException e) {
      throw damaged(type, String.valueOf(e.getOriginalMessage()));
    }
  }

  private static ReplicationException damaged(Class<?> type, String found) {
    return new ReplicationException(
        Reason.DAMAGED,
        "Expected a %s from the other pool, got something else: %s."
            .formatted(type.getSimpleName(), found));
  }
}
