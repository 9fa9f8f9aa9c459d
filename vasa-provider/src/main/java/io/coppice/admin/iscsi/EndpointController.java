package io.coppice.admin.iscsi;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Page;
import io.coppice.admin.request.ApiFilter;
import io.coppice.vasa.binding.Endpoints;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// The protocol endpoints.
@RestController
final class EndpointController {

  private final Endpoints endpoints;

  EndpointController(Endpoints endpoints) {
    this.endpoints = endpoints;
  }

  /// @param retiredSince null while it is in service
  /// @param bindings how many go through it
  /// @param leaving how many moved from it and have not left it yet
  record Endpoint(
      int lun,
      String naa,
      boolean inService,
      @Nullable Instant retiredSince,
      long bindings,
      long leaving) {

    static Endpoint of(Endpoints.Endpoint one) {
      return new Endpoint(
          one.endpoint().lun(),
          one.endpoint().naa(),
          one.retired() == null,
          one.retired(),
          one.bindings(),
          one.leaving());
    }
  }

  @GetMapping("/protocol-endpoints")
  Page<Endpoint> list(@ParameterObject ListQuery query) {
    List<Endpoints.Endpoint> all = endpoints.list();
    return query.page(all, one -> "%03d".formatted(one.endpoint().lun()), Endpoint::of);
  }

  @PostMapping("/protocol-endpoints")
  ResponseEntity<Endpoint> add() {
    Endpoint added = Endpoint.of(endpoints.add());
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/protocol-endpoints/" + added.lun()))
        .body(added);
  }

  @GetMapping("/protocol-endpoints/{lun}")
  Endpoint get(@PathVariable int lun) {
    return Endpoint.of(endpoints.require(lun));
  }

  /// Retires an endpoint: nothing new is bound through it, and hosts are asked to move what is
  /// bound. A repeat asks those again that have not moved.
  @PostMapping("/protocol-endpoints/{lun}/retire")
  Endpoint retire(@PathVariable int lun) {
    return Endpoint.of(endpoints.retire(lun));
  }

  /// Restores an endpoint: it takes bindings again.
  @PostMapping("/protocol-endpoints/{lun}/restore")
  Endpoint restore(@PathVariable int lun) {
    return Endpoint.of(endpoints.restore(lun));
  }
}
