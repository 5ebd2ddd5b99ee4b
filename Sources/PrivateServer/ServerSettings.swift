/// The three files that configure the server.
///
/// They are written at every start.
struct ServerSettings {
  let machine: Machine
  let socketFolder: String
  let user: ServerUser

  /// `postgresql.conf`: settings for the nightly load and its reports, scaled to this machine.
  ///
  /// Other users have no access.
  var server: String {
    let mb = Machine.megabyte
    let quarter = max(128, min(machine.memory / 4, 4 * Machine.gigabyte) / mb)
    let maintenance = max(64, min(machine.memory / 16, Machine.gigabyte) / mb)
    let journal = max(1024, min(machine.freeDisk / 8, 8 * Machine.gigabyte) / mb)
    let working = max(4, min(machine.memory / 64, 64 * mb) / mb)
    let workers = max(2, machine.processors)
    let dynamic = machine.hasLastingSharedMemory ? "posix" : "mmap"
    return """
      # Written again at every start. Put your own settings into local.conf beside this file.

      # The server does not listen on a network; only its own user can use the socket.
      listen_addresses = ''
      unix_socket_permissions = 0700
      # A run uses a few connections at a time; the rest is for people with psql.
      max_connections = 64
      # Shown by ps, so that this server is not mistaken for another.
      cluster_name = 'tieout'

      # A quarter of the memory, at least 128 MB and at most 4 GB: the rest serves sorts, hashes and
      # the system's file cache.
      shared_buffers = \(quarter)MB
      # What the planner may expect to be cached, here or by the system.
      effective_cache_size = \(max(256, machine.memory / 4 * 3 / mb))MB
      # For index builds after large loads. Several autovacuum workers can run at the same time.
      maintenance_work_mem = \(maintenance)MB
      autovacuum_work_mem = \(maintenance / 4)MB
      # For each sort and hash of a person with psql. The job sets more for its own transaction.
      work_mem = \(working)MB
      # Memory of parallel queries: /dev/shm if it is large enough and is kept, or else files.
      dynamic_shared_memory_type = \(dynamic)
      # Parallel work uses as many processors as the machine has, and two workers if it has one.
      max_worker_processes = \(workers + 6)
      max_parallel_workers = \(workers)
      max_parallel_workers_per_gather = \(min(4, workers))
      max_parallel_maintenance_workers = \(min(4, workers))

      # Committed data survives a crash of the machine.
      fsync = on
      full_page_writes = on
      synchronous_commit = on
      # There is no replication. A table needs no journal if the transaction that made it fills it.
      wal_level = minimal
      max_wal_senders = 0
      # Checkpoints must not slow a large load. An eighth of the free disk space, at least 1 GB and
      # at most 8 GB.
      max_wal_size = \(journal)MB
      # With the default of 16 MB a load filled the journal's buffers two thousand times, and had to write
      # them itself before it could continue.
      wal_buffers = \(max(4, min(quarter / 16, 64)))MB
      checkpoint_timeout = 30min

      # Queries are few and long, but compiling them took longer than it saved.
      jit = off
      # Solid-state disks read at random places nearly as fast as in order.
      random_page_cost = 1.1
      effective_io_concurrency = 200
      maintenance_io_concurrency = 200
      # Autovacuum updates statistics and removes dead rows. The server often runs only for minutes, so
      # autovacuum starts soon, and may read and write as fast as a solid-state disk can.
      autovacuum = on
      autovacuum_naptime = 15s
      autovacuum_vacuum_cost_limit = 2000

      # Times are read and written in the same way on every machine.
      timezone = 'UTC'
      log_timezone = 'UTC'
      datestyle = 'ISO, YMD'
      # The log goes to server.log and contains only messages about the server: SQL statements and the
      # details of errors can contain customers' data.
      logging_collector = off
      log_line_prefix = '%m [%p] '
      log_min_error_statement = panic
      log_error_verbosity = terse

      include_if_exists 'local.conf'

      # The program finds the server by these two, so local.conf cannot change them.
      port = \(SocketFolder.port)
      unix_socket_directories = '\(socketFolder)'

      """
  }

  /// `pg_hba.conf`: connections through the socket only.
  ///
  /// The operating system names the user (`peer`).
  var access: String {
    """
    # Written again at every start.
    local all all peer map=tieout

    """
  }

  /// `pg_ident.conf`: the user who runs the server, and root.
  ///
  /// Root could become that user in any case.
  var users: String {
    var lines = "# Written again at every start.\n"
    for name in [user.name, "root"] {
      for role in ["tieout", "postgres"] {
        lines += "tieout \"\(name)\" \(role)\n"
      }
    }
    return lines
  }
}
