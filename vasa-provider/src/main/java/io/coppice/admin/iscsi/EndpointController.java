package io.coppice.admin.iscsi;

import io.coppice.admin.list.ListQuery;
import io.coppice.admin.list.Orders;
import io.coppice.admin.list.SortedBy;
import io.coppice.admin.request.ApiFilter;
import io.coppice.api.Page;
import io.coppice.api.iscsi.Endpoint;
import io.coppice.vasa.binding.Endpoints;
import java.net.URI;
import org.springdoc.core.annotations.ParameterObject;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/// The protocol endpoints.
@RestController
final class EndpointController {

  private static final Orders<Endpoints.Endpoint> ORDERS =
      Orders.<Endpoints.Endpoint>usually("lun", one -> "%03d".formatted(one.endpoint().lun()))
          .number("lun", one -> one.endpoint().lun())
          .number("bindings", Endpoints.Endpoint::bindings);

  private final Endpoints endpoints;

  EndpointController(Endpoints endpoints) {
    this.endpoints = endpoints;
  }

  @GetMapping("/protocol-endpoints")
  Page<Endpoint> list(@ParameterObject @SortedBy({"lun", "bindings"}) ListQuery query) {
    return query.page(endpoints.list(), ORDERS, EndpointController::view);
  }

  @PostMapping("/protocol-endpoints")
  ResponseEntity<Endpoint> add() {
    Endpoint added = view(endpoints.add());
    return ResponseEntity.created(URI.create(ApiFilter.ROOT + "/protocol-endpoints/" + added.lun()))
        .body(added);
  }

  @GetMapping("/protocol-endpoints/{lun}")
  Endpoint get(@PathVariable int lun) {
    return view(endpoints.require(lun));
  }

  /// Retires an endpoint: nothing new is bound through it, and hosts are asked to move what is
  /// bound. A repeat asks those again that have not moved.
  @PostMapping("/protocol-endpoints/{lun}/retire")
  Endpoint retire(@PathVariable int lun) {
    return view(endpoints.retire(lun));
  }

  /// Restores an endpoint: it takes bindings again.
  @PostMapping("/protocol-endpoints/{lun}/restore")
  Endpoint restore(@PathVariable int lun) {
    return view(endpoints.restore(lun));
  }

  /// Removes an endpoint that is out of service and empty.
  @DeleteMapping("/protocol-endpoints/{lun}")
  @ResponseStatus(HttpStatus.NO_CONTENT)
  void delete(@PathVariable int lun) {
    endpoints.remove(lun);
  }

  private static Endpoint view(Endpoints.Endpoint one) {
    return new Endpoint(
        one.endpoint().lun(),
        one.endpoint().naa(),
        one.retired() == null,
        one.retired(),
        one.bindings(),
        one.leaving());
  }
}
