package io.coppice.vasa.alert.delivery;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/// The carrier to a webhook: a POST of JSON over HTTPS, signed with the secret. Redirects are not
/// followed, and nothing is read of the answer but its status.
///
/// The signature is HMAC-SHA-256 over the time stamp, a full stop and the body, so that neither an
/// old request nor a changed one passes.
final class WebhookCarrier implements Carrier {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final URI url;
  private final byte[] secret;
  private final DeliverySettings settings;
  private final InstantSource clock;
  private final HttpClient client;

  WebhookCarrier(Target target, URI url, DeliverySettings settings, InstantSource clock)
      throws IOException {
    this.url = url;
    this.secret = Objects.requireNonNull(target.secret()).getBytes(StandardCharsets.UTF_8);
    this.settings = settings;
    this.clock = clock;
    client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(settings.patience())
            .sslContext(Authorities.context(target.ca()))
            .build();
  }

  @Override
  public int most() {
    return 1;
  }

  @Override
  public void carry(List<Message> messages) throws IOException {
    Reach.require(url.getHost(), settings.loopback());
    for (Message message : messages) {
      post(message);
    }
  }

  private void post(Message message) throws IOException {
    Instant now = clock.instant();
    String stamp = Long.toString(now.getEpochSecond());
    byte[] body = JSON.writeValueAsBytes(body(message));
    HttpRequest request =
        HttpRequest.newBuilder(url)
            .timeout(settings.patience())
            .header("Content-Type", "application/json")
            .header("User-Agent", "Coppice")
            .header("Idempotency-Key", message.id().toString())
            .header("X-Coppice-Timestamp", stamp)
            .header("X-Coppice-Signature", "sha256=" + signature(stamp, body))
            .POST(HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    try {
      int status = client.send(request, _ -> new Unread()).statusCode();
      if (status < 200 || status > 299) {
        throw new IOException("the webhook answered %d".formatted(status));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the attempt was cut short", e);
    }
  }

  private static Map<String, @Nullable Object> body(Message message) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("id", message.id().toString());
    body.put("event", message.event().name().toLowerCase(java.util.Locale.ROOT));
    body.put("at", message.at().toString());
    body.put("alert", message.alert() == null ? null : message.alert().toString());
    body.put("severity", message.severity());
    body.put("kind", message.kind());
    body.put("object", message.object());
    body.put("cause", message.sentences().cause());
    body.put("effect", message.sentences().effect());
    body.put("remedy", message.sentences().remedy());
    return body;
  }

  private String signature(String stamp, byte[] body) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret, "HmacSHA256"));
      mac.update((stamp + ".").getBytes(StandardCharsets.US_ASCII));
      return HexFormat.of().formatHex(mac.doFinal(body));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java lacks HMAC-SHA-256", e);
    }
  }

  /// A body that nobody reads, however long it is.
  private static final class Unread implements HttpResponse.BodySubscriber<Void> {

    private final CompletableFuture<Void> end = new CompletableFuture<>();

    @Override
    public CompletionStage<Void> getBody() {
      return end;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      subscription.cancel();
      end.complete(null);
    }

    @Override
    public void onNext(List<ByteBuffer> item) {
      end.complete(null);
    }

    @Override
    public void onError(Throwable failure) {
      end.complete(null);
    }

    @Override
    public void onComplete() {
      end.complete(null);
    }
  }

  @Override
  public void close() {
    client.shutdownNow();
  }
}
