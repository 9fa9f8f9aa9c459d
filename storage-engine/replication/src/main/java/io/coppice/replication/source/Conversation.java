package io.coppice.replication.source;

import io.coppice.replication.Place;
import io.coppice.replication.ReplicationException;
import io.coppice.replication.ReplicationException.Reason;
import io.coppice.replication.link.Link;
import io.coppice.replication.message.LinkMessage;
import java.util.concurrent.LinkedBlockingQueue;

/// The source's part of a conversation over one link: a question at a time, data, and what the
/// target says in between. For one thread.
public final class Conversation implements AutoCloseable {

  /// Answers that may wait: there is at most one, and a failure that came beside it.
  private static final int MOST_ANSWERS = 16;

  private final Link link;
  private final LinkedBlockingQueue<Answer> answers = new LinkedBlockingQueue<>(MOST_ANSWERS);
  private volatile Place stable = Place.START;

  /// An answer, or the end of the link.
  private sealed interface Answer {

    record Said(LinkMessage message) implements Answer {}

    record Ended(ReplicationException reason) implements Answer {}
  }

  /// @param link after its handshake; this conversation closes it
  public Conversation(Link link) {
    this.link = link;
    Thread.ofVirtual().name("replication-answers").start(this::listen);
  }

  private void listen() {
    try {
      while (true) {
        LinkMessage message = link.receive();
        if (message instanceof LinkMessage.Progress(var place)) {
          stable = place;
        } else if (!answers.offer(new Answer.Said(message))) {
          link.close();
        }
      }
    } catch (ReplicationException e) {
      answers.clear();
      answers.add(new Answer.Ended(e));
    }
  }

  /// The place that is stable at the target.
  Place stable() {
    return stable;
  }

  Link link() {
    return link;
  }

  /// Asks the other control plane.
  ///
  /// @return its answer
  /// @throws ReplicationException as the other pool answered, or as the link ended
  public String call(String subject, String text) {
    return ask(new LinkMessage.Call(subject, text), LinkMessage.Reply.class).text();
  }

  /// Bytes that this end has sent.
  public long sentBytes() {
    return link.sentBytes();
  }

  /// Asks, and waits for the answer.
  ///
  /// @throws ReplicationException as the target answered, or as the link ended
  <T extends LinkMessage> T ask(LinkMessage question, Class<T> answer) {
    link.send(question);
    LinkMessage came = next(take());
    if (!answer.isInstance(came)) {
      link.close();
      throw new ReplicationException(
          Reason.DAMAGED,
          "Expected the answer %s, got %s."
              .formatted(answer.getSimpleName(), came.getClass().getSimpleName()));
    }
    return answer.cast(came);
  }

  /// Sends data.
  ///
  /// @throws ReplicationException as the target has answered meanwhile, or as the link ended
  void tell(LinkMessage data) {
    Answer came = answers.poll();
    if (came != null) {
      LinkMessage unexpected = next(came);
      link.close();
      throw new ReplicationException(
          Reason.DAMAGED,
          "Expected no answer to data, got %s.".formatted(unexpected.getClass().getSimpleName()));
    }
    link.send(data);
  }

  private LinkMessage next(Answer answer) {
    return switch (answer) {
      case Answer.Ended(var reason) -> {
        answers.offer(answer); // every later call fails, too
        throw new ReplicationException(reason.reason(), reason.sentence(), reason);
      }
      case Answer.Said(LinkMessage.Failed(var reason, var sentence)) ->
          throw new ReplicationException(reason, sentence);
      case Answer.Said(var message) -> message;
    };
  }

  private Answer take() {
    try {
      return answers.take();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      link.close();
      throw new ReplicationException(
          Reason.UNREACHABLE, "The wait for the other pool's answer was interrupted.", e);
    }
  }

  @Override
  public void close() {
    link.close();
  }
}
