package com.example.backup;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// A client of Coppice's REST API.
///
/// @param http a client that trusts the provider's certificate
/// @param api the address below which the paths stand
/// @param token of a role that may take and export snapshots
public record RestClient(HttpClient http, URI api, String token) {

  private static final JsonMapper JSON = JsonMapper.builder().build();

  public JsonNode get(String path) throws IOException {
    return send(request(path).GET());
  }

  public JsonNode post(String path, Map<String, Object> body) throws IOException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(JSON.writeValueAsString(body))));
  }

  public void delete(String path) throws IOException {
    send(request(path).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(api.resolve(path)).header("Authorization", "Bearer " + token);
  }

  private JsonNode send(HttpRequest.Builder builder) throws IOException {
    HttpRequest request = builder.build();
    try {
      HttpResponse<String> answer = http.send(request, HttpResponse.BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException(
            "%s %s: %d %s"
                .formatted(request.method(), request.uri(), answer.statusCode(), answer.body()));
      }
      return JSON.readTree(answer.body().isEmpty() ? "{}" : answer.body());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted in " + request.uri(), e);
    }
  }
}
