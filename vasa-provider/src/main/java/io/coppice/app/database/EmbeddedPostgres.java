package io.coppice.app.database;

import io.coppice.engine.files.OwnerOnly;
import io.coppice.vasa.certificate.SecretFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.stream.Stream;
import org.tukaani.xz.XZInputStream;

/// A PostgreSQL server of our own, in a folder of our own, on a loopback port.
///
/// | In home | What |
/// |---|---|
/// | `postgres/` | the programs, unpacked once per version |
/// | `database/` | the data; only a complete one has this name, and nothing here deletes it |
/// | `database.password` | password of the account `coppice`, readable by us only; see [Roles] |
/// | `log/postgres.log` | what the programs and the server say; before that, `postgres.log.1` |
///
/// The server outlives a kill of our process. The next start adopts it if it is provably the server
/// of our folder.
public final class EmbeddedPostgres {

  private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
  private static final String USER = Roles.USER;
  private static final String DATABASE = Roles.DATABASE;

  /// Options beside the port, for folders of every age. Nobody can log in as superuser, so no place
  /// is kept for one.
  private static final String OPTIONS =
      "-c password_encryption=scram-sha-256 -c superuser_reserved_connections=0";

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration CHILDREN = Duration.ofSeconds(30);

  private final Path home;
  private final Path data;
  private final Path passwordFile;
  private final Programs programs;
  private final ServerAccount account;
  private final ServerLog log;
  private final InstantSource clock;

  /// Prepares the programs; nothing runs yet.
  ///
  /// @throws DatabaseException if they cannot be unpacked or run here
  public EmbeddedPostgres(Path home, InstantSource clock) {
    this(home, clock, ServerAccount::choose);
  }

  /// @param accounts chooses the account for the home and the folder of the programs in it
  EmbeddedPostgres(Path home, InstantSource clock, BiFunction<Path, Path, ServerAccount> accounts) {
    this.home = home.toAbsolutePath().normalize();
    this.data = this.home.resolve("database");
    this.passwordFile = this.home.resolve("database.password");
    this.clock = clock;
    try {
      Path logs = OwnerOnly.createDirectories(this.home.resolve("log"));
      Path binaries = unpacked();
      this.account = accounts.apply(this.home, binaries);
      account.admit(logs);
      this.log = new ServerLog(OwnerOnly.createFile(logs.resolve("postgres.log")));
      account.own(log.file());
      this.programs = new Programs(binaries, account, log.file());
    } catch (IOException e) {
      throw new DatabaseException(
          "The embedded PostgreSQL cannot be unpacked into %s: %s".formatted(this.home, e), e);
    }
  }

  /// The address of a started server.
  ///
  /// @param adopted whether it ran already
  public record Server(String url, String user, String password, boolean adopted) {}

  /// Findings about a server that runs.
  private record Running(Server server, Roles.Found roles) {}

  /// Starts the server, or adopts the one that a killed process of ours left running. The database
  /// of an earlier version gets its [Roles] first.
  ///
  /// @throws DatabaseException if neither works
  public Server start() {
    log.bound();
    try {
      if (isUnused(data)) {
        initialise();
      }
      requireWhole();
      String password = Files.readString(passwordFile).strip();
      Optional<Running> adopted = adopt(password);
      Running running = adopted.isPresent() ? adopted.get() : startFresh(password);
      if (!running.roles().settled()) {
        stop();
        Roles.settle(programs, data, running.roles());
        running = startFresh(password);
      }
      if (running.roles().superuser()) {
        stop();
        throw new DatabaseException(
            "The embedded PostgreSQL in %s is not used: expected an account %s that is no superuser, got one that is."
                .formatted(data, USER));
      }
      return running.server();
    } catch (IOException e) {
      throw new DatabaseException("The embedded PostgreSQL in %s: %s".formatted(data, e), e);
    }
  }

  /// The server that runs on a home's folder, if one takes connections. Starts nothing.
  public static Optional<Server> running(Path home) throws IOException {
    Path folder = home.toAbsolutePath().normalize();
    Optional<Postmaster> postmaster =
        Postmaster.on(folder.resolve("database")).filter(Postmaster::ready);
    if (postmaster.isEmpty()) {
      return Optional.empty();
    }
    String password = Files.readString(folder.resolve("database.password")).strip();
    return Optional.of(new Server(url(postmaster.get().port()), USER, password, true));
  }

  /// Keeps the log from growing for ever. Costs next to nothing while the log is short.
  public void boundLog() {
    log.bound();
  }

  private static String url(int port) {
    return "jdbc:postgresql://127.0.0.1:" + port + "/" + DATABASE;
  }

  /// Stops the server after its transactions. Does nothing if none runs.
  public void stop() {
    if (Postmaster.on(data).isPresent()) {
      programs.run(START, "pg_ctl", "stop", "-D", data.toString(), "-m", "fast", "-w", "-t", "30");
    }
  }

  private Optional<Running> adopt(String password) {
    return Postmaster.on(data).flatMap(postmaster -> awaitReady(postmaster, password));
  }

  private Optional<Running> awaitReady(Postmaster first, String password) {
    var deadline = clock.instant().plus(START);
    Optional<Postmaster> postmaster = Optional.of(first);
    while (postmaster.isPresent() && clock.instant().isBefore(deadline)) {
      if (postmaster.get().ready()) {
        return Optional.of(connect(postmaster.get().port(), password, true));
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      postmaster = Postmaster.on(data);
    }
    return Optional.empty();
  }

  /// Starts a new server. Children of a killed postmaster hold its shared memory until they notice
  /// its end; a start is refused until then, and is tried again.
  private Running startFresh(String password) throws IOException {
    var deadline = clock.instant().plus(CHILDREN);
    Programs.Outcome outcome;
    do {
      int port = freePort();
      outcome =
          programs.run(
              START,
              "pg_ctl",
              "start",
              "-w",
              "-t",
              String.valueOf(START.toSeconds()),
              "-D",
              data.toString(),
              "-l",
              log.file().toString(),
              "-o",
              "-p " + port + " " + OPTIONS);
      if (outcome.ok()) {
        return connect(port, password, false);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
    } while (clock.instant().isBefore(deadline));
    throw new DatabaseException(
        "The embedded PostgreSQL does not start: \"%s\"; see %s."
            .formatted(outcome.lastLine(), log.file()));
  }

  /// Connects, and proves that the server is ours: it takes our password and serves our folder.
  private Running connect(int port, String password, boolean adopted) {
    String base = "jdbc:postgresql://127.0.0.1:" + port + "/";
    try (Connection connection =
            DriverManager.getConnection(
                base + "postgres", DatabaseLogin.properties(USER, password));
        var statement = connection.createStatement()) {
      try (var result = statement.executeQuery("SHOW data_directory")) {
        result.next();
        if (!Path.of(result.getString(1)).toRealPath().equals(data.toRealPath())) {
          throw new DatabaseException(
              "The PostgreSQL on port %d serves %s, expected %s."
                  .formatted(port, result.getString(1), data));
        }
      }
      return new Running(
          new Server(base + DATABASE, USER, password, adopted), Roles.find(statement));
    } catch (SQLException e) {
      throw unusable(port, DatabaseLogin.reason(e), e);
    } catch (IOException e) {
      throw unusable(port, String.valueOf(e.getMessage()), e);
    }
  }

  private static DatabaseException unusable(int port, String why, Exception cause) {
    return new DatabaseException(
        "The embedded PostgreSQL on port %d runs but cannot be used: %s".formatted(port, why),
        cause);
  }

  /// Whether there is provably no data: no folder, or an empty one.
  private static boolean isUnused(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return true;
    }
    if (!Files.isDirectory(folder)) {
      return false;
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files.findAny().isEmpty();
    }
  }

  /// Requires the files of a whole database, and the password that opens it.
  private void requireWhole() {
    for (String file : new String[] {"PG_VERSION", "global/pg_control", "postgresql.conf"}) {
      if (!Files.exists(data.resolve(file))) {
        throw new DatabaseException(
            ("The embedded PostgreSQL's folder %s is not empty, but has no %s: expected a whole"
                    + " database or none; nothing in it was touched.")
                .formatted(data, file));
      }
    }
    if (!Files.exists(passwordFile)) {
      throw new DatabaseException(
          ("The embedded PostgreSQL's password is missing: expected it in %s, beside the database"
                  + " that it opens.")
              .formatted(passwordFile));
    }
  }

  /// Makes the data folder. It gets its name only when it is complete, so a crash leaves either
  /// none or a whole one.
  private void initialise() throws IOException {
    String password = freshPassword();
    Path building = home.resolve("database.initdb");
    if (Files.exists(building)) {
      deleteTree(building);
    }
    Path pwfile = home.resolve("database.initdb.password");
    SecretFile.write(pwfile, password);
    account.own(pwfile);
    Files.createDirectory(
        building,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    account.own(building);
    Programs.Outcome outcome =
        programs.run(
            Duration.ofMinutes(2),
            "initdb",
            "-D",
            building.toString(),
            "-U",
            USER,
            "--auth=scram-sha-256",
            "--pwfile=" + pwfile,
            "--encoding=UTF8",
            "--locale=C",
            "--no-instructions");
    Files.delete(pwfile);
    if (!outcome.ok()) {
      throw new DatabaseException(
          "initdb failed in %s: \"%s\"; see %s."
              .formatted(building, outcome.lastLine(), log.file()));
    }
    configure(building);
    Roles.settle(programs, building, new Roles.Found(true, false));
    SecretFile.write(passwordFile, password);
    Files.move(building, data, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void configure(Path folder) throws IOException {
    Files.writeString(
        folder.resolve("postgresql.conf"),
        """

        # Coppice
        listen_addresses = '127.0.0.1'
        unix_socket_directories = ''
        max_connections = 110
        shared_buffers = 64MB
        fsync = on
        synchronous_commit = on
        full_page_writes = on
        """,
        java.nio.file.StandardOpenOption.APPEND,
        java.nio.file.StandardOpenOption.SYNC);
  }

  private static String freshPassword() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    return HexFormat.of().formatHex(bytes);
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private Path unpacked() throws IOException {
    byte[] archive;
    try (InputStream in = EmbeddedPostgres.class.getResourceAsStream(ARCHIVE)) {
      if (in == null) {
        throw new DatabaseException(
            "This build has no PostgreSQL for this machine (%s %s): set coppice.database.url."
                .formatted(System.getProperty("os.name"), System.getProperty("os.arch")));
      }
      archive = in.readAllBytes();
    }
    Path target = home.resolve("postgres").resolve(digest(archive));
    if (Files.isDirectory(target)) {
      return target;
    }
    Path partial = target.resolveSibling(target.getFileName() + ".partial");
    if (Files.exists(partial)) {
      deleteTree(partial);
    }
    TarReader.createDirectories(partial);
    try (var in =
        new BufferedInputStream(
            new XZInputStream(new java.io.ByteArrayInputStream(archive)), 1 << 16)) {
      new TarReader(in, partial).unpack();
    }
    Files.move(partial, target, StandardCopyOption.ATOMIC_MOVE);
    return target;
  }

  private static String digest(byte[] bytes) {
    try {
      byte[] hash = java.security.MessageDigest.getInstance("SHA-256").digest(bytes);
      return HexFormat.of().formatHex(hash, 0, 8);
    } catch (java.security.NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  /// Deletes a folder that never held data: half-unpacked programs or a broken initdb run.
  private static void deleteTree(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(
              Path directory, @org.jspecify.annotations.Nullable IOException e) throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }
}
