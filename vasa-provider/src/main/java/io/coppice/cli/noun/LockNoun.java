package io.coppice.cli.noun;

import io.coppice.api.account.ApprovalRequest;
import io.coppice.api.account.ApprovalView;
import io.coppice.api.volume.LockStateChange;
import io.coppice.cli.output.Column;
import io.coppice.cli.output.TimeSpan;
import io.coppice.cli.verb.Argument;
import io.coppice.cli.verb.Flag;
import io.coppice.cli.verb.Noun;
import io.coppice.cli.verb.RestVerb;
import io.coppice.cli.verb.View;

/// The locks of snapshots as a whole, and the changes that take two accounts.
final class LockNoun {

  private static final View<ApprovalView> APPROVALS =
      View.of(
          ApprovalView.class,
          ApprovalView::id,
          Column.of("ACTION", ApprovalView::action),
          Column.of("VALUE", ApprovalView::value),
          Column.of("STATE", ApprovalView::state),
          Column.of("ASKED BY", ApprovalView::askedBy),
          Column.of("EXPIRES", ApprovalView::expires),
          Column.of("ENDED BY", ApprovalView::endedBy),
          Column.of("ID", ApprovalView::id));

  private static final Argument APPROVAL = Argument.path("APPROVAL", "id", "its id");

  private LockNoun() {}

  static Noun locks() {
    return Noun.of(
        "lock",
        "locks of snapshots as a whole; snapshot lock sets one",
        RestVerb.of("show", "GET /locks", "shows the lock time, the longest lock and how many are")
            .document(),
        RestVerb.of("lower", "PATCH /locks", "lowers the longest lock; approval ask raises it")
            .with(Flag.of("--max", "TIME", "the longest lock from now on, such as 7d").needed())
            .body(in -> new LockStateChange(TimeSpan.parse("--max", in.need("--max")).toString()))
            .document());
  }

  static Noun approval() {
    return Noun.of(
        "approval",
        "changes that take two accounts",
        RestVerb.of("ask", "POST /approvals", "asks for a change that another account approves")
            .on(
                Argument.text("ACTION", "raise-max-lock or lower-bin-time"),
                Argument.text("VALUE", "what is to be set, such as P60D, or 'CONTAINER-ID PT12H'"))
            .body(in -> new ApprovalRequest(in.need("ACTION"), in.need("VALUE")))
            .row(APPROVALS),
        RestVerb.of("list", "GET /approvals", "lists them, the newest first")
            .sortedBy("asked")
            .list(APPROVALS),
        RestVerb.of("show", "GET /approvals/{id}", "shows all fields of one")
            .on(APPROVAL)
            .sheet(APPROVALS),
        RestVerb.of("approve", "POST /approvals/{id}/approve", "approves and makes a change")
            .on(APPROVAL)
            .row(APPROVALS),
        RestVerb.of("refuse", "POST /approvals/{id}/refuse", "refuses a change, or takes it back")
            .on(APPROVAL)
            .row(APPROVALS));
  }
}
