/// The three files that configure the server.
///
/// They are written at every start.
struct ClusterSettings {
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
      # Written anew at every start. What you want otherwise goes into local.conf beside this file.

      # Nobody reaches the server over a network; the socket is for its own user.
      listen_addresses = ''
      port = \(SocketFolder.port)
      unix_socket_directories = '\(socketFolder)'
      unix_socket_permissions = 0700
      # A run uses a few connections at a time; the rest is for people with psql.
      max_connections = 64
      # Shown by ps, so that this server is not mistaken for another.
      cluster_name = 'tieout'

      # A quarter of the memory, at most 4 GB: the rest serves sorts, hashes and the system's file cache.
      shared_buffers = \(quarter)MB
      # What the planner may expect to be cached, here or by the system.
      effective_cache_size = \(max(256, machine.memory / 4 * 3 / mb))MB
      # Indexes are built after large loads; of autovacuum's workers several are at work at once.
      maintenance_work_mem = \(maintenance)MB
      autovacuum_work_mem = \(maintenance / 4)MB
      # For people with psql, each sort and hash. The job takes more for its own transaction.
      work_mem = \(working)MB
      # Where parallel queries meet: /dev/shm if it is large enough and stays, else files.
      dynamic_shared_memory_type = \(dynamic)
      # Parallel work on as many processors as there are, and no more.
      max_worker_processes = \(workers + 6)
      max_parallel_workers = \(workers)
      max_parallel_workers_per_gather = \(min(4, workers))
      max_parallel_maintenance_workers = \(min(4, workers))

      # What was committed stays committed, whatever happens to the machine.
      fsync = on
      full_page_writes = on
      synchronous_commit = on
      # Nobody replicates from here; a table that is filled where it was made needs no journal.
      wal_level = minimal
      max_wal_senders = 0
      # A large load shall not be slowed by checkpoints; at most an eighth of the free disk.
      max_wal_size = \(journal)MB
      # With the default of 16 MB a load filled the journal's buffers two thousand times, and had to write
      # them itself before it could go on.
      wal_buffers = \(max(4, min(quarter / 16, 64)))MB
      checkpoint_timeout = 30min

      # Queries are few and long, but compiling them took longer than it saved.
      jit = off
      # Solid state disks read anywhere nearly as fast as in order.
      random_page_cost = 1.1
      effective_io_concurrency = 200
      maintenance_io_concurrency = 200
      # Statistics and dead rows are looked after. The server often lives for minutes only, so autovacuum
      # comes soon, and may read and write as fast as a solid state disk can.
      autovacuum = on
      autovacuum_naptime = 15s
      autovacuum_vacuum_cost_limit = 2000

      # Instants are read and written the same everywhere.
      timezone = 'UTC'
      log_timezone = 'UTC'
      datestyle = 'ISO, YMD'
      # The log goes to server.log, and tells of the server alone: statements and the details of errors
      # can hold customers' data.
      logging_collector = off
      log_line_prefix = '%m [%p] '
      log_min_error_statement = panic
      log_error_verbosity = terse

      include_if_exists 'local.conf'

      """
  }

  /// `pg_hba.conf`: connections through the socket only.
  ///
  /// The operating system names the user (`peer`).
  var access: String {
    """
    # Written anew at every start.
    local all all peer map=tieout

    """
  }

  /// `pg_ident.conf`: the user who runs the server, and root.
  ///
  /// Root could become that user in any case.
  var users: String {
    var lines = "# Written anew at every start.\n"
    for name in [user.name, "root"] {
      for role in ["tieout", "postgres"] {
        lines += "tieout \"\(name)\" \(role)\n"
      }
    }
    return lines
  }
}
