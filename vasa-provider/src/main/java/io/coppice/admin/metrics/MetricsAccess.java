package io.coppice.admin.metrics;

import io.coppice.admin.access.AdminCaller;
import io.coppice.admin.access.ApiTokens;
import io.coppice.admin.access.BearerToken;
import io.coppice.admin.problem.RequestRejectedException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.dao.DataAccessException;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/// The check of who reads metrics. Every valid token may, whatever its role.
///
/// Metrics are needed most while the database is away, but the tokens are kept there. So a token
/// that was valid before is valid meanwhile, too, until it expires.
@Component
final class MetricsAccess {

  /// Different tokens that may be checked at a time, so that strangers do not take all connections
  /// to the database.
  private static final int CHECKS = 4;

  private final ApiTokens tokens;
  private final boolean withoutToken;
  private final SharedCalls<String, Optional<AdminCaller>> checks;

  MetricsAccess(ApiTokens tokens, MetricsSettings settings) {
    this.tokens = tokens;
    this.withoutToken = settings.withoutToken();
    this.checks = new SharedCalls<>(settings.patience(), CHECKS);
  }

  /// The reader of metrics of the whole system.
  ///
  /// @throws RequestRejectedException as [#requireToken], unless no token is needed
  Reader system(HttpServletRequest request) {
    return withoutToken && BearerToken.find(request).isEmpty()
        ? Reader.OF_ALL
        : requireToken(request);
  }

  /// The reader whose token came with the request.
  ///
  /// @throws RequestRejectedException (401) without a valid token; (503) if the database is away
  ///   and the token was not seen before
  Reader requireToken(HttpServletRequest request) {
    String token = BearerToken.require(request);
    Optional<AdminCaller> caller;
    try {
      caller = checks.call(token, () -> tokens.authenticate(token));
    } catch (DataAccessException
        | TransactionException
        | SharedCalls.OverdueException databaseAway) {
      caller = Optional.of(tokens.remembered(token).orElseThrow(MetricsAccess::unknown));
    }
    return caller.map(Reader::of).orElseThrow(BearerToken::unknown);
  }

  private static RequestRejectedException unknown() {
    return new RequestRejectedException(
        HttpStatus.SERVICE_UNAVAILABLE,
        "database-unavailable",
        null,
        "expected a database that knows the token, but it does not answer now");
  }
}
