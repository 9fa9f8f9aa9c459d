package io.coppice.vasa.audit;

import io.coppice.vasa.sort.RowOrder;
import io.coppice.vasa.sort.SortColumns;
import io.coppice.vasa.sort.SortKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/// Rows of `audit_entry`.
public final class AuditRows {

  /// Entries of one statement.
  static final int AT_ONCE = 200;

  private static final SortColumns SORTS =
      SortColumns.of("seq", SortKind.NUMBER)
          .with("seq", "seq", SortKind.NUMBER)
          .with("at", "at", SortKind.TIME);

  private static final List<String> COLUMNS =
      List.of(
          "seq",
          "record_id",
          "version",
          "key_id",
          "at",
          "channel",
          "account",
          "token",
          "certificate",
          "address",
          "action",
          "object",
          "trace_id",
          "outcome",
          "code",
          "detail_parts",
          "detail_names",
          "detail_values",
          "previous",
          "hash");

  private final JdbcClient jdbc;

  public AuditRows(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /// A row as it stands there. Whoever can write the database may have put anything into it.
  ///
  /// @param entry null if the row is none of ours
  record Row(long seq, int version, @Nullable AuditEntry entry) {}

  /// @param entries at most [#AT_ONCE]
  void insert(List<AuditEntry> entries) {
    String row = "(" + String.join(", ", Collections.nCopies(COLUMNS.size(), "?")) + ")";
    List<@Nullable Object> values = new ArrayList<>();
    entries.forEach(entry -> values.addAll(valuesOf(entry)));
    jdbc.sql(
            "insert into audit_entry (%s) values %s"
                .formatted(
                    String.join(", ", COLUMNS),
                    String.join(", ", Collections.nCopies(entries.size(), row))))
        .params(values)
        .update();
  }

  private static List<@Nullable Object> valuesOf(AuditEntry entry) {
    AuditRecord recorded = entry.recorded();
    Author author = recorded.author();
    List<Detail> details = recorded.details();
    List<@Nullable Object> values = new ArrayList<>();
    Collections.addAll(
        values,
        entry.seq(),
        recorded.id(),
        AuditEncoding.VERSION,
        entry.key(),
        recorded.at().atOffset(ZoneOffset.UTC),
        recorded.channel().text(),
        author.account(),
        author.token(),
        author.certificate(),
        author.address(),
        recorded.action(),
        recorded.object(),
        recorded.trace(),
        recorded.outcome().text(),
        recorded.code(),
        details.stream().map(detail -> detail.part().text()).toArray(String[]::new),
        details.stream().map(Detail::name).toArray(String[]::new),
        details.stream().map(Detail::value).toArray(String[]::new),
        entry.previous().bytes(),
        entry.hash().bytes());
    return values;
  }

  /// Those of these records that have a row.
  Set<UUID> known(Collection<UUID> records) {
    return Set.copyOf(
        jdbc.sql("select record_id from audit_entry where record_id = any(:ids)")
            .param("ids", records.toArray(UUID[]::new))
            .query(UUID.class)
            .list());
  }

  /// The number of the entry of a record, if it has one.
  public Optional<Long> seqOf(UUID recordId) {
    return jdbc.sql("select seq from audit_entry where record_id = :id")
        .param("id", recordId)
        .query(Long.class)
        .optional();
  }

  /// The last row.
  Optional<ChainHead> last() {
    return heads("order by seq desc limit 1", 0);
  }

  /// The row of a number.
  Optional<ChainHead> headAt(long seq) {
    return heads("where seq = :seq", seq);
  }

  private Optional<ChainHead> heads(String which, long seq) {
    return jdbc.sql("select seq, hash from audit_entry " + which)
        .param("seq", seq)
        .query((row, _) -> new ChainHead(row.getLong("seq"), hash(row.getBytes("hash"))))
        .optional();
  }

  /// A hash as it stands in a row; what is none cannot be equal to one.
  private static ChainHash hash(byte[] bytes) {
    return bytes.length == ChainHash.BYTES ? ChainHash.of(bytes) : ChainHash.NONE;
  }

  /// Rows behind a number, in their order.
  List<Row> after(long seq, int limit) {
    return jdbc.sql("select * from audit_entry where seq > :seq order by seq limit :limit")
        .param("seq", seq)
        .param("limit", limit)
        .query((row, _) -> row(row))
        .list();
  }

  /// The entry of a number, if it is there and can be read.
  public Optional<AuditEntry> find(long seq) {
    return jdbc.sql("select * from audit_entry where seq = :seq")
        .param("seq", seq)
        .query((row, _) -> row(row))
        .optional()
        .flatMap(row -> Optional.ofNullable(row.entry()));
  }

  /// Entries behind a number, in their order; rows that cannot be read are left out.
  ///
  /// @param limit most of them
  public List<AuditEntry> following(long seq, int limit) {
    return after(seq, limit).stream()
        .flatMap(row -> Optional.ofNullable(row.entry()).stream())
        .toList();
  }

  /// The first entries of a choice in an order. Rows that cannot be read are left out; the check of
  /// the chain finds them.
  ///
  /// @param limit most of them
  public List<AuditEntry> page(AuditFilter filter, RowOrder order, int limit) {
    Map<String, Object> parameters = new HashMap<>(SORTS.parameters(order));
    String where = where(filter, parameters) + SORTS.behind(order) + SORTS.orderBy(order);
    return jdbc
        .sql("select * from audit_entry " + where + " limit " + limit)
        .params(parameters)
        .query((row, _) -> row(row))
        .list()
        .stream()
        .flatMap(row -> Optional.ofNullable(row.entry()).stream())
        .toList();
  }

  /// The number of entries of a choice.
  public int count(AuditFilter filter) {
    Map<String, Object> parameters = new HashMap<>();
    return jdbc.sql("select count(*) from audit_entry " + where(filter, parameters))
        .params(parameters)
        .query(Integer.class)
        .single();
  }

  private static String where(AuditFilter filter, Map<String, Object> parameters) {
    StringBuilder where = new StringBuilder("where true");
    Outcome outcome = filter.outcome();
    and(where, parameters, "actor", ":actor in (account, token, channel)", filter.actor());
    and(where, parameters, "action", "action = :action", filter.action());
    and(
        where,
        parameters,
        "outcome",
        "outcome = :outcome",
        outcome == null ? null : outcome.text());
    and(where, parameters, "object", "object = :object", filter.object());
    and(where, parameters, "since", "at >= :since", time(filter.since()));
    and(where, parameters, "until", "at < :until", time(filter.until()));
    return where.toString();
  }

  private static void and(
      StringBuilder where,
      Map<String, Object> parameters,
      String name,
      String condition,
      @Nullable Object value) {
    if (value != null) {
      where.append(" and ").append(condition);
      parameters.put(name, value);
    }
  }

  private static @Nullable OffsetDateTime time(@Nullable Instant time) {
    return time == null ? null : time.atOffset(ZoneOffset.UTC);
  }

  /// The first number, the last one, and how many rows there are.
  record Extent(long first, long last, long count) {}

  Extent extent() {
    return jdbc.sql(
            """
            select coalesce(min(seq), 0) as first, coalesce(max(seq), 0) as last, count(*) as count
              from audit_entry
            """)
        .query(
            (row, _) -> new Extent(row.getLong("first"), row.getLong("last"), row.getLong("count")))
        .single();
  }

  /// The time of the first row.
  Optional<Instant> oldest() {
    return jdbc.sql("select at from audit_entry order by seq limit 1")
        .query(OffsetDateTime.class)
        .optional()
        .map(OffsetDateTime::toInstant);
  }

  /// The last number before the first row that is as young as a time; empty if all are older.
  Optional<Long> lastBefore(Instant time) {
    return jdbc.sql("select min(seq) - 1 from audit_entry where at >= :time")
        .param("time", time.atOffset(ZoneOffset.UTC))
        .query((row, _) -> Optional.ofNullable(row.getObject(1, Long.class)))
        .single();
  }

  /// Removes the rows up to a number.
  ///
  /// @return how many there were
  int removeUpTo(long seq) {
    return jdbc.sql("delete from audit_entry where seq <= :seq").param("seq", seq).update();
  }

  private static Row row(ResultSet row) throws SQLException {
    long seq = row.getLong("seq");
    int version = row.getInt("version");
    try {
      return new Row(seq, version, entry(row, seq));
    } catch (IllegalArgumentException e) {
      return new Row(seq, version, null);
    }
  }

  private static AuditEntry entry(ResultSet row, long seq) throws SQLException {
    String outcome = row.getString("outcome");
    AuditRecord recorded =
        new AuditRecord(
            row.getObject("record_id", UUID.class),
            row.getObject("at", OffsetDateTime.class).toInstant(),
            Channel.parse(row.getString("channel")),
            new Author(
                row.getString("account"),
                row.getString("token"),
                row.getString("certificate"),
                row.getString("address")),
            row.getString("action"),
            row.getString("object"),
            row.getString("trace_id"),
            Outcome.parse(outcome).orElseThrow(() -> new IllegalArgumentException(outcome)),
            row.getString("code"),
            details(row));
    requireWhole(recorded, row);
    return new AuditEntry(
        seq,
        row.getString("key_id"),
        recorded,
        hash(row.getBytes("previous")),
        hash(row.getBytes("hash")));
  }

  /// Refuses a row with more than a record holds: what is cut off here would not be covered by the
  /// hash.
  private static void requireWhole(AuditRecord recorded, ResultSet row) throws SQLException {
    Author author = recorded.author();
    Map<String, @Nullable String> read = new HashMap<>();
    read.put("account", author.account());
    read.put("token", author.token());
    read.put("certificate", author.certificate());
    read.put("address", author.address());
    read.put("action", recorded.action());
    read.put("object", recorded.object());
    read.put("trace_id", recorded.trace());
    read.put("code", recorded.code());
    for (Map.Entry<String, @Nullable String> one : read.entrySet()) {
      if (!Objects.equals(one.getValue(), row.getString(one.getKey()))) {
        throw new IllegalArgumentException(one.getKey());
      }
    }
    if (!recorded.details().stream()
            .map(Detail::name)
            .toList()
            .equals(Arrays.asList(texts(row, "detail_names")))
        || !recorded.details().stream()
            .map(Detail::value)
            .toList()
            .equals(Arrays.asList(texts(row, "detail_values")))) {
      throw new IllegalArgumentException("details");
    }
  }

  private static List<Detail> details(ResultSet row) throws SQLException {
    @Nullable String[] parts = texts(row, "detail_parts");
    @Nullable String[] names = texts(row, "detail_names");
    @Nullable String[] values = texts(row, "detail_values");
    if (parts.length != names.length || names.length != values.length) {
      throw new IllegalArgumentException("expected as many parts as names and values");
    }
    List<Detail> details = new ArrayList<>();
    for (int i = 0; i < parts.length; i++) {
      String part = parts[i];
      String name = names[i];
      if (part == null || name == null) {
        throw new IllegalArgumentException("expected a part and a name of each detail");
      }
      details.add(new Detail(Detail.Part.parse(part), name, values[i]));
    }
    return details;
  }

  private static @Nullable String[] texts(ResultSet row, String column) throws SQLException {
    return (@Nullable String[]) row.getArray(column).getArray();
  }
}
