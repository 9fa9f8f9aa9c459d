package io.coppice.app.tool.backup;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The contents of an archive.
///
/// @param coppice version of the software that wrote it
/// @param schema version of the database's schema
/// @param database name that the pool knows the database by
/// @param tables in an order in which their rows can be inserted
/// @param files secrets and certificates of the home
record Manifest(
    String coppice,
    int schema,
    UUID pool,
    UUID database,
    Instant created,
    List<Table> tables,
    List<String> files) {

  Manifest {
    tables = List.copyOf(tables);
    files = List.copyOf(files);
  }

  record Table(String name, List<String> columns, long rows) {
    Table {
      columns = List.copyOf(columns);
    }
  }

  /// Of one table; 0 if the backup does not have it.
  long rows(String table) {
    return tables.stream().filter(one -> one.name().equals(table)).mapToLong(Table::rows).sum();
  }

  long rows() {
    return tables.stream().mapToLong(Table::rows).sum();
  }
}
